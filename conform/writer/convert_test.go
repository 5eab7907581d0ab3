package writer_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// rewriter reads a file and writes it again.
type rewriter = func(data []byte) ([]byte, error)

// save is a rewriter of SHBIN files that changes the model.
func save(change func(f *shbin.File)) rewriter {
	return func(data []byte) ([]byte, error) {
		f, err := shbin.Parse(data)
		if err != nil {
			return nil, err
		}
		change(f)
		return f.AppendUnchecked(nil)
	}
}

var saves atomic.Int64

// TestPlantedConverters: every planted converter is found, as one cause, and shown by a small
// file.
func TestPlantedConverters(t *testing.T) {
	cases := uint64(200)
	if testing.Short() {
		cases = 60
	}
	for _, x := range []struct {
		name, class string
		tool        rewriter
	}{
		{"none", "", save(func(*shbin.File) {})},
		{"source register of mov changed", "wrong meaning", save(func(f *shbin.File) {
			for i := range f.DVLP.Code {
				if f.DVLP.Code[i]>>26 == 0x13 {
					f.DVLP.Code[i] ^= 1 << 12
				}
			}
		})},
		{"merge flag dropped", "wrong tables", save(func(f *shbin.File) {
			for i := range f.DVLEs {
				f.DVLEs[i].Merge = 0
			}
		})},
		{"last component of constants dropped", "wrong constants", save(func(f *shbin.File) {
			for i := range f.DVLEs {
				for k := range f.DVLEs[i].Constants {
					if c := &f.DVLEs[i].Constants[k]; c.Type == shbin.Float {
						c.Payload[12], c.Payload[13], c.Payload[14] = 0, 0, 0
					}
				}
			}
		})},
		{"refuses geometry", "refuses valid", func(data []byte) ([]byte, error) {
			f, err := shbin.Parse(data)
			if err != nil {
				return nil, err
			}
			for _, e := range f.DVLEs {
				if e.Type == 1 {
					return nil, errors.New("no geometry here")
				}
			}
			return data, nil
		}},
		{"every save turns a bit that nobody reads", "wrong rewrite", save(func(f *shbin.File) {
			if len(f.DVLP.Descriptors) > 0 {
				f.DVLP.Descriptors[0].Word ^= 1 << 31
			}
		})},
		{"outputs from the seventh on dropped", "wrong tables", save(func(f *shbin.File) {
			for i := range f.DVLEs {
				t := &f.DVLEs[i].Outputs
				*t = (*t)[:min(6, len(*t))]
			}
		})},
		{"outputs in o7 and above dropped", "wrong tables", save(func(f *shbin.File) {
			for i := range f.DVLEs {
				t := &f.DVLEs[i].Outputs
				*t = slices.DeleteFunc(slices.Clone(*t), func(o shbin.Output) bool { return o.Register > 6 })
			}
		})},
		{"second output of a mask dropped", "wrong tables", save(func(f *shbin.File) {
			for i := range f.DVLEs {
				seen, t := map[uint16]bool{}, &f.DVLEs[i].Outputs
				*t = slices.DeleteFunc(slices.Clone(*t), func(o shbin.Output) bool {
					again := seen[o.Mask]
					seen[o.Mask] = true
					return again
				})
			}
		})},
		{"second operand descriptor of a mask dropped", "invalid file", save(func(f *shbin.File) {
			if len(f.Layout.Gaps) > 0 { // a shorter table has no place for them
				return
			}
			seen := map[uint32]bool{}
			f.DVLP.Descriptors = slices.DeleteFunc(slices.Clone(f.DVLP.Descriptors),
				func(d shbin.Descriptor) bool {
					again := seen[d.Word&0xF]
					seen[d.Word&0xF] = true
					return again
				})
		})},
		{"bit 31 of a word lost", "invalid file", save(func(f *shbin.File) {
			for i := range f.DVLP.Code {
				f.DVLP.Code[i] &= 1<<31 - 1
			}
		})},
		{"a code word now and then", "not deterministic", save(func(f *shbin.File) {
			if saves.Add(1)%7 == 0 {
				f.DVLP.Code[0] ^= 1 << 12
			}
		})},
		{"not deterministic", "not deterministic",
			save(func(f *shbin.File) { f.DVLEs[0].Version = uint16(saves.Add(1)) })},
	} {
		r, err := writer.RunConverter(context.Background(), writer.ConvertFunc(x.tool), "shbin",
			writer.Options{Seed: 1, Cases: cases})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		names := []string{}
		for _, d := range r.Deviations {
			names = append(names, fmt.Sprintf("%s [%d, %d bytes]: %s: %s, %s", d.Bucket, d.Count, d.Instructions,
				d.Where, d.Expected, d.Observed))
			found = found || string(d.Verdict) == x.class
		}
		if x.class == "" && len(names) > 0 || x.class != "" && (!found || len(names) > 1) {
			t.Errorf("%s: %q", x.name, names)
		}
	}
}

// TestWithoutEffect: unread bits may change, and are listed.
func TestWithoutEffect(t *testing.T) {
	tool := save(func(f *shbin.File) {
		for i := range f.DVLP.Descriptors {
			f.DVLP.Descriptors[i].Word &= 1<<31 - 1
		}
	})
	r, err := writer.RunConverter(context.Background(), writer.ConvertFunc(tool), "shbin",
		writer.Options{Seed: 1, Cases: 200})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Deviations) > 0 || len(r.Tables) != 1 || len(r.Tables[0].Rows) != 1 ||
		r.Tables[0].Rows[0][0] != "dvlp.descriptors.word" {
		t.Errorf("%d causes, %v", len(r.Deviations), r.Tables)
	}
}

// TestRewriters: our own writers pass, for every format.
func TestRewriters(t *testing.T) {
	cases := uint64(60)
	if testing.Short() {
		cases = 10
	}
	for _, from := range files.Formats {
		format, _ := registry.ByName(from.Name)
		tool := rewriter(func(data []byte) ([]byte, error) {
			doc, err := format.Parse(data)
			if err != nil {
				return nil, err
			}
			return doc.AppendBinary(nil)
		})
		r, err := writer.RunConverter(context.Background(), writer.ConvertFunc(tool), from.Name,
			writer.Options{Seed: 1, Cases: cases})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range r.Deviations {
			t.Errorf("%s: %s: %s: %s, %s", from.Name, d.Bucket, d.Where, d.Expected, d.Observed)
		}
	}
}

// TestEndless: a run of more cases than anybody has time for goes on until its context ends.
func TestEndless(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var converted atomic.Int64 // the call that ends the context may outlive the run
	tool := save(func(*shbin.File) {
		if converted.Add(1) == 20 {
			cancel()
		}
	})
	r, err := writer.RunConverter(ctx, writer.ConvertFunc(tool), "shbin",
		writer.Options{Seed: 1, Cases: math.MaxUint64, Jobs: 1})
	if err != nil || !r.Interrupted || converted.Load() < 20 {
		t.Errorf("%d files were converted, interrupted: %t, %v", converted.Load(), r.Interrupted, err)
	}
}
