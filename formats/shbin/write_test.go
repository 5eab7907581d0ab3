package shbin_test

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

var _ interface {
	encoding.BinaryAppender
	encoding.BinaryMarshaler
	encoding.BinaryUnmarshaler
} = (*shbin.File)(nil)

func TestParseKeepsNothingOfItsInput(t *testing.T) {
	b := mustAppend(t, cleanModel())
	want := bytes.Clone(b)
	f := mustParse(t, b)
	clear(b)
	if got := mustAppend(t, f); !bytes.Equal(got, want) {
		t.Errorf("got  %x\nwant %x", got, want)
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	f := cleanModel()
	want := mustAppend(t, f)
	got, err := f.AppendBinary([]byte("before"))
	if err != nil || string(got[:6]) != "before" || !bytes.Equal(got[6:], want) {
		t.Errorf("got %v, %x", err, got)
	}
	f.DVLP.Code = nil
	if got, err := f.AppendBinary([]byte("before")); err == nil || string(got) != "before" {
		t.Errorf("got %v, %q, want an error and what was there", err, got)
	}
}

func TestWriteAndUnmarshal(t *testing.T) {
	var buffer bytes.Buffer
	if err := shbin.Write(&buffer, cleanModel()); err != nil {
		t.Fatal(err)
	}
	var f shbin.File
	if err := f.UnmarshalBinary(buffer.Bytes()); err != nil || !f.Equal(cleanModel()) {
		t.Errorf("got %v, %+v", err, f)
	}
	if err := f.UnmarshalBinary(nil); !errors.Is(err, diag.ErrMalformed) {
		t.Errorf("got %v, want ErrMalformed", err)
	}
}

func TestInvalidModel(t *testing.T) {
	f := cleanModel()
	f.DVLEs[0].Entry = 3
	_, err := f.AppendBinary(nil)
	invalid, ok := errors.AsType[*diag.InvalidError](err)
	if !ok || !errors.Is(err, diag.ErrInvalid) {
		t.Fatalf("got %v, want an InvalidError", err)
	}
	if got := strings.Join(formattest.IDs(invalid.Findings), " "); got != "DVLE007/E DVLE009/W" {
		t.Errorf("findings are %s", got)
	}
	if b, err := f.AppendUnchecked(nil); err != nil || len(b) != len(mustAppend(t, cleanModel())) {
		t.Errorf("unchecked: %v, %d bytes", err, len(b))
	}
}

// TestEdits changes parsed files.
func TestEdits(t *testing.T) {
	shared := edited(t, twins(2))
	spaced := edited(t, gap(8, 1))
	for _, c := range []struct {
		name string
		file []byte
		edit func(f *shbin.File)
		err  error
		size int // of the bytes written
	}{
		{"value", spaced, func(f *shbin.File) { f.DVLEs[0].Version = 0 }, nil, len(spaced)},
		{"value in a table", spaced, func(f *shbin.File) { f.DVLP.Code[1] = end }, nil, len(spaced)},
		{"longer table", spaced, func(f *shbin.File) { f.DVLP.Code = append(f.DVLP.Code, end) }, nil,
			len(spaced) - 8 + 4},
		{"shorter table", spaced,
			func(f *shbin.File) { f.DVLEs[1].Outputs = f.DVLEs[1].Outputs[:1]; f.DVLEs[1].OutputMask = 1 }, nil,
			len(spaced) - 8 - 16},
		{"other symbols", spaced, func(f *shbin.File) { f.DVLEs[1].Symbols = wire.Hex("abcd\x00") }, nil,
			len(spaced) - 8 + 8},
		{"fewer DVLEs", spaced, func(f *shbin.File) { f.DVLEs = f.DVLEs[:1] }, nil, dvle1 - 4},
		{"shared table, seen by both", shared, func(f *shbin.File) { f.DVLEs[1].Constants[5].Payload[0]++ }, nil,
			len(shared)},
		{"shared table, one changed", shared, func(f *shbin.File) {
			f.DVLEs[1].Constants = slices.Clone(f.DVLEs[1].Constants)
			f.DVLEs[1].Constants[5].Payload[0]++
		}, diag.ErrLayout, 0},
		{"shared table, both changed", shared, func(f *shbin.File) {
			for i := range f.DVLEs {
				f.DVLEs[i].Constants = slices.Clone(f.DVLEs[i].Constants)
				f.DVLEs[i].Constants[5].Payload[0]++
			}
		}, nil, len(shared)},
		{"shared table, one shorter", shared,
			func(f *shbin.File) { f.DVLEs[1].Constants = f.DVLEs[1].Constants[:95] }, nil, len(shared) + 95*0x14},
		{"table moved out of the file", spaced, func(f *shbin.File) { f.Layout.Code.Offset = uint32(len(spaced)) },
			diag.ErrLayout, 0},
		{"DVLE moved out of the file", spaced, func(f *shbin.File) { f.Layout.DVLEs[1].Offset = 0xFFFFFFFF },
			diag.ErrLayout, 0},
		{"gap moved out of the file", spaced, func(f *shbin.File) { f.Layout.Gaps[0].Offset = 1 << 40 }, diag.ErrLayout,
			0},
		{"file made larger", spaced, func(f *shbin.File) { f.Layout.Size = 1 << 40 }, diag.ErrLayout, 0},
		{"file made smaller", spaced, func(f *shbin.File) { f.Layout.Size = 64 }, diag.ErrLayout, 0},
		{"header made shorter", spaced, func(f *shbin.File) { f.Layout.ShortHeader = true }, diag.ErrLayout, 0},
		{"table moved onto another", spaced, func(f *shbin.File) { f.Layout.DVLEs[0].Tables[1].Offset = 0x40 },
			diag.ErrLayout, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mustParse(t, c.file)
			c.edit(f)
			b, err := f.AppendBinary(nil)
			if !errors.Is(err, c.err) || len(b) != c.size {
				t.Fatalf("got error %v, %d bytes; want %v, %d", err, len(b), c.err, c.size)
			}
			if c.err == nil && !mustParse(t, b).Equal(f) {
				t.Error("the edit is lost")
			}
			f.Regions()
		})
	}
}

// TestLostContentIsRefused has a layout in which the file names cannot be found.
func TestLostContentIsRefused(t *testing.T) {
	f := cleanModel()
	f.DVLP.Lines = nil
	place(f)
	f.Layout.Lines, f.Layout.ShortHeader = shbin.Extent{}, true
	f.Layout.Code.Offset, f.Layout.Descriptors.Offset = 0x1C, 0x28
	if _, err := f.AppendBinary(nil); !errors.Is(err, diag.ErrLayout) {
		t.Errorf("got %v, want ErrLayout", err)
	}
}

// TestAnyLayout writes files with random layouts: whatever they say, it ends in
// bytes of which each has an owner, or in an error. The seed is fixed.
func TestAnyLayout(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	number := func() uint32 {
		if r.IntN(8) == 0 {
			return r.Uint32()
		}
		return uint32(r.IntN(0x200))
	}
	for range 5000 {
		f := cleanModel()
		place(f)
		l := f.Layout
		for range 1 + r.IntN(4) {
			switch r.IntN(8) {
			case 0:
				l.Size = uint64(number())
			case 1:
				l.ShortHeader = true
			case 2:
				l.Code.Offset = number()
			case 3:
				l.FileNames.Offset = number()
			case 4:
				l.DVLEs[r.IntN(2)].Offset = number()
			case 5:
				l.DVLEs[r.IntN(2)].Tables[r.IntN(5)].Offset = number()
			case 6:
				l.Gaps = []shbin.Gap{{Offset: uint64(number()), Bytes: make(wire.Hex, r.IntN(9))}}
			case 7:
				l.DVLEs[r.IntN(2)].Tables[r.IntN(5)].Count = number()
			}
		}
		b, err := f.AppendUnchecked(nil)
		if regions := f.Regions(); err == nil {
			formattest.Partition(t, regions, b)
		}
		if t.Failed() {
			t.Fatalf("layout %+v", l)
		}
	}
}

func TestEqual(t *testing.T) {
	empty := func(f *shbin.File) {
		f.DVLEs[1].Constants, f.DVLEs[1].Symbols, f.Layout = []shbin.Constant{}, wire.Hex{}, &shbin.Layout{}
	}
	if f := cleanModel(); !f.Equal(cleanModel()) {
		t.Error("a model differs from itself")
	}
	f := cleanModel()
	if empty(f); !f.Equal(cleanModel()) {
		t.Error("an empty slice differs from nil")
	}
	for name, edit := range map[string]func(f *shbin.File){
		"version":        func(f *shbin.File) { f.DVLP.Version++ },
		"code":           func(f *shbin.File) { f.DVLP.Code[0]++ },
		"flags":          func(f *shbin.File) { f.DVLP.Descriptors[0].Flags++ },
		"line":           func(f *shbin.File) { f.DVLP.Lines[0].Line++ },
		"file names":     func(f *shbin.File) { f.DVLP.FileNames[0]++ },
		"DVLEs":          func(f *shbin.File) { f.DVLEs = f.DVLEs[:1] },
		"DVLE version":   dvle(func(e *shbin.DVLE) { e.Version++ }),
		"type":           dvle(func(e *shbin.DVLE) { e.Type++ }),
		"merge":          dvle(func(e *shbin.DVLE) { e.Merge++ }),
		"entry":          dvle(func(e *shbin.DVLE) { e.Entry++ }),
		"end":            dvle(func(e *shbin.DVLE) { e.End++ }),
		"input mask":     dvle(func(e *shbin.DVLE) { e.InputMask++ }),
		"output mask":    dvle(func(e *shbin.DVLE) { e.OutputMask++ }),
		"mode":           dvle(func(e *shbin.DVLE) { e.Geometry.Mode++ }),
		"first":          dvle(func(e *shbin.DVLE) { e.Geometry.First++ }),
		"variable count": dvle(func(e *shbin.DVLE) { e.Geometry.Variable++ }),
		"fixed count":    dvle(func(e *shbin.DVLE) { e.Geometry.Fixed++ }),
		"payload":        constant(func(c *shbin.Constant) { c.Payload[15]++ }),
		"reserved byte":  constant(func(c *shbin.Constant) { c.Reserved3++ }),
		"label":          label(func(l *shbin.Label) { l.Flags++ }),
		"output":         output(func(o *shbin.Output) { o.Unknown++ }),
		"uniform":        uniform(func(u *shbin.Uniform) { u.Last++ }),
		"symbols":        dvle(func(e *shbin.DVLE) { e.Symbols[0]++ }),
	} {
		f := cleanModel()
		if edit(f); f.Equal(cleanModel()) {
			t.Errorf("%s makes no difference", name)
		}
	}
}

func TestPayloadText(t *testing.T) {
	var c shbin.Constant
	for _, text := range []string{`{"payload":"00"}`, `{"payload":"zz000000000000000000000000000000"}`} {
		if err := json.Unmarshal([]byte(text), &c); err == nil {
			t.Errorf("%s is accepted", text)
		}
	}
}
