package writer_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

var plantedFiles = flag.Int("writer.files", 0, "give each planted converter so many files; 0 means few")

// fields visits every changeable field of a model, with its path.
func fields(path string, v reflect.Value, visit func(path string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && v.Kind() == reflect.Pointer {
			fields(path, v.Elem(), visit)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "Leniencies" {
				fields(path+"."+f.Name, v.Field(i), visit)
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice {
			visit(path+" short", v)
		}
		if k := v.Type().Elem().Kind(); k == reflect.Uint8 || k == reflect.Uint32 {
			visit(path, v)
			return
		}
		for i := range v.Len() {
			fields(path+"[]", v.Index(i), visit)
		}
	case reflect.Bool, reflect.String, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Int,
		reflect.Int32, reflect.Int64:
		visit(path, v)
	}
}

// plant changes a field: it loses a bit, or its last element.
func plant(path string, v reflect.Value) {
	switch {
	case strings.HasSuffix(path, " short"):
		if n := v.Len(); n > 0 {
			v.Set(v.Slice(0, n-1))
		}
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.Kind() == reflect.String:
		if s := v.String(); s != "" {
			v.SetString("x" + s[1:])
		}
	case v.Kind() == reflect.Slice || v.Kind() == reflect.Array:
		if v.Len() > 0 {
			plant("", v.Index(v.Len()/2))
		}
	case v.CanUint():
		v.SetUint(v.Uint() ^ 1)
	case v.CanInt():
		v.SetInt(v.Int() ^ 1)
	}
}

// spoiled is a rewriter that changes one field of its input, if its writer allows that.
func spoiled(format registry.Format, field string, changed *int) rewriter {
	return func(data []byte) ([]byte, error) {
		doc, err := format.Parse(data)
		if err != nil {
			return nil, err
		}
		fields("", reflect.ValueOf(doc.Model()), func(path string, v reflect.Value) {
			if path == field {
				plant(path, v)
			}
		})
		out, err := doc.AppendBinary(nil)
		if err != nil || string(out) == string(data) {
			return data, nil
		}
		if again, err := format.Parse(out); err != nil || again == nil {
			return data, nil // every reader sees it
		}
		*changed++
		return out, nil
	}
}

// TestPlantedFields: a rewriter of any format that changes one field, whichever it is, is found.
func TestPlantedFields(t *testing.T) {
	cases, step := 30, 9
	if testing.Short() {
		step = 40
	}
	if *plantedFiles > 0 {
		cases, step = *plantedFiles, 1
	}
	for _, from := range files.Formats {
		format, _ := registry.ByName(from.Name)
		all := map[string]bool{}
		for n := range uint64(cases) {
			doc, err := format.Parse(files.Valid(from, gen.From(gen.Seed(1, n))).Data)
			if err != nil {
				t.Fatal(err)
			}
			fields("", reflect.ValueOf(doc.Model()), func(path string, _ reflect.Value) { all[path] = true })
		}
		counts, planted := []int{}, 0
		for k, field := range slices.Sorted(maps.Keys(all)) {
			if k%step != 0 {
				continue
			}
			changed := 0
			o := writer.Options{Seed: 1, Cases: uint64(cases), Jobs: 1, Tries: 1}
			tool := writer.ConvertFunc(spoiled(format, field, &changed))
			r, err := writer.RunConverter(context.Background(), tool, from.Name, o)
			if err != nil {
				t.Fatal(err)
			}
			if changed == 0 {
				continue
			}
			planted++
			counts = append(counts, len(r.Deviations))
			if len(r.Deviations) == 0 && !strings.Contains(field, ".Layout.") { // a layout is the writer's own
				t.Errorf("%s%s is changed in %d files, and nothing is found", from.Name, field, changed)
			}
			if len(r.Deviations) > 1 && *plantedFiles > 0 {
				names := []string{}
				for _, d := range r.Deviations {
					names = append(names, fmt.Sprintf("%s: %s [%d]: %s", d.Verdict, d.Bucket, d.Count, d.Where))
				}
				t.Logf("%s%s: %q", from.Name, field, names)
			}
		}
		slices.Sort(counts)
		if planted == 0 {
			if !testing.Short() {
				t.Errorf("%s: no field could be changed", from.Name)
			}
			continue
		}
		t.Logf("%s: %d of %d fields planted, %d causes at the median", from.Name, planted, len(all),
			counts[len(counts)/2])
		if len(counts) > 4 && counts[len(counts)/2] != 1 {
			t.Errorf("%s: %d causes at the median", from.Name, counts[len(counts)/2])
		}
	}
}

// conversions are the conversions of the tool, by source and target. If the source has several
// programs, they take the last one.
func conversions(from, to string) rewriter {
	format, _ := registry.ByName(from)
	convertTo := func(m convert.Model, o convert.Options) (convert.Model, convert.Report, error) {
		if t, ok := convert.GX2ByName(to); ok {
			return t.Convert(m, o)
		}
		t, _ := convert.ByName(to)
		return t.Convert(m, o)
	}
	return func(data []byte) ([]byte, error) {
		doc, err := format.Parse(data)
		if err != nil {
			return nil, err
		}
		m := doc.Model().(convert.Model)
		result, _, err := convertTo(m, convert.Options{})
		if choices := convert.Choices(m); errors.Is(err, convert.ErrChoice) && len(choices) > 0 {
			o := choices[len(choices)-1]
			if !convert.IsArchive(m) && from != "sharcfb" {
				o.Shader = ""
			}
			result, _, err = convertTo(m, o)
		}
		if err != nil {
			return nil, err
		}
		return result.AppendBinary(nil)
	}
}

// TestConverters: our own converters pass, and a converter that changes a field of its output is
// found.
func TestConverters(t *testing.T) {
	cases := uint64(12)
	pica := []string{"bcsdr", "cgfx", "csdr", "dvoj", "shbin", "zpsh", "zpsh@3"}
	if testing.Short() {
		cases, pica = 10, []string{"shbin"}
	}
	if *plantedFiles > 0 {
		cases = uint64(*plantedFiles)
	}
	targets := map[string][]string{"cgfx": pica, "csdr": pica, "dvoj": pica, "shbin": pica, "zpsh": pica,
		"gsh": {"sharcfb"}, "sharcfb": {"gsh"}}
	for _, from := range slices.Sorted(maps.Keys(targets)) {
		for _, to := range targets[from] {
			good := conversions(from, to)
			for _, x := range []struct {
				name  string
				spoil func(m any)
				found bool
			}{
				{"none", nil, false},
				{"code changed", func(m any) { spoilCode(m) }, true},
			} {
				written := 0
				tool := rewriter(func(data []byte) ([]byte, error) {
					out, err := good(data)
					if err != nil || x.spoil == nil {
						return out, err
					}
					f, ok := registry.Detect("", out)
					if !ok {
						return out, err
					}
					doc, err := f.Parse(out)
					if err != nil {
						return out, nil
					}
					x.spoil(doc.Model())
					spoiled, err := doc.AppendBinary(nil)
					if err != nil {
						return out, nil
					}
					written++
					return spoiled, nil
				})
				r, err := writer.RunConverter(context.Background(), writer.ConvertFunc(tool), from,
					writer.Options{Seed: 1, Cases: cases, Jobs: 1, Tries: 20})
				if err != nil {
					t.Fatal(err)
				}
				if r.Deviations == nil {
					t.Errorf("%s to %s, %s: no list of deviations", from, to, x.name)
				}
				names := []string{}
				for _, d := range r.Deviations {
					names = append(names, fmt.Sprintf("%s: %s [%d]: %s: %s, %s", d.Verdict, d.Bucket, d.Count, d.Where,
						d.Expected, d.Observed))
				}
				if x.found != (len(names) > 0) && (!x.found || written > 0) {
					t.Errorf("%s to %s, %s: %q", from, to, x.name, names)
				}
			}
		}
	}
}

// spoilCode changes an instruction, or a byte of other code.
func spoilCode(m any) {
	done := false
	fields("", reflect.ValueOf(m), func(path string, v reflect.Value) {
		if done || v.Kind() != reflect.Slice || v.Len() == 0 {
			return
		}
		switch {
		case strings.HasSuffix(path, ".DVLB"):
			f, err := shbin.Parse(v.Bytes())
			if err != nil {
				return
			}
			spoilCode(f)
			b, err := f.AppendBinary(nil)
			if done = err == nil; done {
				v.SetBytes(b)
			}
		case strings.HasSuffix(path, ".Code") && v.Type().Elem().Kind() == reflect.Uint32:
			done = true
			v.Index(0).SetUint(v.Index(0).Uint() ^ 1<<26) // another instruction
		case strings.HasSuffix(path, ".Code"):
			done = true
			plant("", v.Index(0))
		}
	})
}
