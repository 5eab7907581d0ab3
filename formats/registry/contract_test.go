package registry_test

import (
	"bytes"
	"encoding"
	"io"
	"reflect"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/csdr"
	"github.com/picaproof/picaproof/formats/dvoj"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// model is the interface of the *File of every format package.
type model[F any] interface {
	*F
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
	Canonical() *F
	Equal(*F) bool
}

// contracts has an entry for each format. spoil makes a model unwritable.
var contracts = map[string]func(t *testing.T, file []byte){
	"bnsh":    contract(bnsh.Write, func(f *bnsh.File) { f.Variations = make([]bnsh.Variation, len(f.Variations)+1) }),
	"cgfx":    contract(cgfx.Write, func(f *cgfx.File) { f.Objects[0].DVLB = nil }),
	"csdr":    contract(csdr.Write, func(f *csdr.File) { f.Objects[0].Name = "\x01" }),
	"dvoj":    contract(dvoj.Write, func(f *dvoj.File) { f.Code = nil }),
	"gsh":     contract(gsh.Write, func(f *gsh.File) { f.Shaders[0].Registers = nil }),
	"sharcfb": contract(sharcfb.Write, func(f *sharcfb.File) { f.Binaries = append(f.Binaries, sharcfb.Binary{}) }),
	"shbin":   contract(shbin.Write, func(f *shbin.File) { f.DVLP.Code = nil }),
	"zpsh":    contract(zpsh.Write, func(f *zpsh.File) { f.Code = nil }),
}

// TestContract checks the contracts of every format about writing and Equal.
func TestContract(t *testing.T) {
	for f := range registry.All() {
		check, generator := contracts[f.Name], slices.IndexFunc(files.Formats,
			func(g gen.Format) bool { return g.Name == f.Name })
		if check == nil || generator < 0 {
			t.Errorf("%s has no entry", f.Name)
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			for n := range uint64(10) {
				t.Logf("file %d", n)
				if check(t, files.Formats[generator].File(gen.From(gen.Seed(1, n)))); t.Failed() {
					return
				}
			}
		})
	}
}

func contract[F any, P model[F]](write func(io.Writer, P) error, spoil func(P)) func(t *testing.T, file []byte) {
	return func(t *testing.T, file []byte) {
		read := func() P {
			f := P(new(F))
			if err := f.UnmarshalBinary(file); err != nil {
				t.Fatal(err)
			}
			return f
		}
		f := read()
		var out bytes.Buffer
		if err := write(&out, f); err != nil || !bytes.Equal(out.Bytes(), file) {
			t.Errorf("Write: %v, %d bytes, want %d", err, out.Len(), len(file))
		}
		if b, err := f.MarshalBinary(); err != nil || !bytes.Equal(b, file) {
			t.Errorf("MarshalBinary: %v", err)
		}
		room := append(bytes.Repeat([]byte{0xA5}, 2*len(file)+1<<16)[:0], "before"...)
		if b, err := f.AppendBinary(room); err != nil || string(b) != "before"+string(file) || &b[0] != &room[0] {
			t.Errorf("AppendBinary behind other bytes: %v", err)
		}
		if form, err := P(f.Canonical()).MarshalBinary(); err == nil {
			room = append(bytes.Repeat([]byte{0xA5}, 2*len(form)+1<<16)[:0], "before"...)
			if b, err := P(f.Canonical()).AppendBinary(room); err != nil || string(b) != "before"+string(form) {
				t.Errorf("AppendBinary of the canonical form over other bytes: %v", err)
			}
			room = room[:len("before")]
		}

		if err := write(failing{}, f); err != io.ErrClosedPipe {
			t.Errorf("Write to a closed pipe: %v", err)
		}
		if err := f.UnmarshalBinary([]byte("no file")); err == nil || !f.Equal(read()) {
			t.Errorf("UnmarshalBinary of no file: %v, unchanged: %t", err, f.Equal(read()))
		}
		spoil(f)
		if b, err := f.AppendBinary(room); err == nil || string(b) != "before" {
			t.Errorf("a model that cannot be written: %v, %q", err, b)
		}
		out.Reset()
		if err := write(&out, f); err == nil || out.Len() > 0 {
			t.Errorf("Write of a model that cannot be written: %v, %d bytes", err, out.Len())
		}

		f, g := read(), read()
		if !f.Equal(g) {
			t.Error("a file does not equal itself")
		}
		changeEach(reflect.ValueOf(f).Elem(), "", func(path string) {
			if f.Equal(g) {
				t.Errorf("Equal does not see a change of %s", path)
			}
		})
	}
}

// failing is a writer that fails.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// changeEach changes the parts of a model one after the other, calls changed with the path of
// each, and undoes the change. It skips fields without meaning.
func changeEach(v reflect.Value, path string, changed func(path string)) {
	try := func(path string, to reflect.Value) {
		before := reflect.New(v.Type()).Elem()
		before.Set(v)
		v.Set(to)
		changed(path)
		v.Set(before)
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			switch name := v.Type().Field(i).Name; name {
			case "Layout", "Slack", "Leniencies", "Style":
			default:
				changeEach(v.Field(i), path+"."+name, changed)
			}
		}
	case reflect.Array, reflect.Slice:
		n := v.Len()
		if n == 0 {
			return
		}
		if v.Kind() == reflect.Slice {
			try(path+" shortened", v.Slice(0, n-1))
			// its elements may belong to another part, too
			v.Set(reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, n), v))
		}
		for _, i := range []int{0, n / 2, n - 1} {
			changeEach(v.Index(i), path+"[]", changed)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			try(path+" removed", reflect.Zero(v.Type()))
			changeEach(v.Elem(), path, changed)
		}
	case reflect.String:
		try(path, reflect.ValueOf(v.String()+"x").Convert(v.Type()))
	case reflect.Bool:
		try(path, reflect.ValueOf(!v.Bool()).Convert(v.Type()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		try(path, reflect.ValueOf(v.Int()^1).Convert(v.Type()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		try(path, reflect.ValueOf(v.Uint()^1).Convert(v.Type()))
	}
}
