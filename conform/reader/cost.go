package reader

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/zpsh"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// family makes files of one shape, of any size.
type family struct {
	name string
	make func(size int) []byte
}

// atEnd is the shape of a file that grows by unread bytes.
const atEnd = "bytes at the end"

// families returns the shapes in which files of a format grow: by bytes at their end, by
// repeated items of each list of the model, and by one name.
func families(from gen.Format, seed uint64) (list []family) {
	base := from.File(gen.From(gen.Seed(seed, 0)))
	list = append(list, family{atEnd, func(size int) []byte {
		return append(base[:len(base):len(base)], make([]byte, max(0, size-len(base)))...)
	}})
	for _, s := range shapes(from, seed) {
		small, large := len(s.grow(64)), len(s.grow(128))
		if item := (large - small) / 64; small > 0 && item > 0 {
			list = append(list, family{s.name, func(size int) []byte { return s.grow(max(1, size/item)) }})
		}
	}
	return list
}

// shape makes files whose list has the given number of items, or whose text has so many letters
// more; nil if there is no such file.
type shape struct {
	name string
	grow func(items int) []byte
}

// shapes returns the shapes of a format: of every list and text that a generated file has.
func shapes(from gen.Format, seed uint64) (list []shape) {
	format, _ := registry.ByName(from.Name)
	seen := map[string]bool{}
	const tries = 24
	for k := range uint64(tries) {
		b := from.File(gen.From(gen.Seed(seed, k)))
		doc, err := format.Parse(b)
		if err != nil {
			continue
		}
		for _, path := range lists(reflect.ValueOf(doc.Model()), "", nil) {
			if seen[path] {
				continue
			}
			seen[path] = true
			list = append(list,
				shape{"many of " + path, func(items int) []byte { return grown(format, b, path, items, repeat) }},
				shape{"a long name in " + path,
					func(items int) []byte { return grown(format, b, path, items, lengthen) }})
		}
	}
	return list
}

// lists adds the paths of the non-empty lists and texts of a model; the first item of a list
// represents all items.
func lists(v reflect.Value, path string, found []string) []string {
	if len(path) > 120 {
		return found
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return lists(v.Elem(), path, found)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "Layout" {
				found = lists(v.Field(i), path+"."+f.Name, found)
			}
		}
	case reflect.String:
		if v.Len() > 0 {
			found = append(found, path)
		}
	case reflect.Slice:
		if v.Len() == 0 {
			return found
		}
		found = append(found, path)
		if v.Type().Elem().Kind() != reflect.Uint8 {
			return lists(v.Index(0), path+"[0]", found)
		}
	}
	return found
}

// repeat gives a list a number of items.
func repeat(v reflect.Value, items int) bool {
	if v.Kind() != reflect.Slice {
		return false
	}
	long := reflect.MakeSlice(v.Type(), items, items)
	for n := 0; n < items; {
		n += reflect.Copy(long.Slice(n, items), v)
	}
	for n := v.Len(); n < items; n++ {
		rename(long.Index(n), n)
	}
	v.Set(long)
	return true
}

// rename gives a copy of an item the names of an item of its own: in many formats a file with a
// duplicate name is invalid, and readers refuse it at once.
func rename(item reflect.Value, n int) {
	if item.Kind() != reflect.Struct {
		return
	}
	for _, name := range []string{"Name", "ID"} {
		if f := item.FieldByName(name); f.IsValid() && f.Kind() == reflect.String && f.Len() > 0 {
			f.SetString(fmt.Sprint(f.String(), "_", n))
		}
	}
}

// lengthen adds letters to a text, or to the last name of bytes that end with a NUL.
func lengthen(v reflect.Value, items int) bool {
	switch {
	case v.Kind() == reflect.String:
		v.SetString(v.String() + strings.Repeat("x", items))
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 && v.Index(v.Len()-1).Uint() == 0:
		name := bytes.TrimRight(v.Bytes(), "\x00")
		v.SetBytes(slices.Concat(name, bytes.Repeat([]byte{'x'}, items), []byte{0}))
	default:
		return false
	}
	return true
}

// grown returns a file with the list or text at a path grown by a number of items. It is nil if
// the model cannot be written, or the value at the path cannot grow so.
func grown(format registry.Format, b []byte, path string, items int,
	grow func(v reflect.Value, items int) bool) (out []byte) {
	doc, err := format.Parse(b)
	if err != nil {
		return nil
	}
	model := reflect.ValueOf(doc.Model())
	v := at(model, path)
	if !v.IsValid() || !v.CanSet() || v.Len() == 0 || !grow(v, items) {
		return nil
	}
	if f, ok := doc.Model().(*zpsh.File); ok && len(f.Entries) == items { // its names are offsets
		names := make([]string, items)
		for n := range names {
			name, _ := f.Name(n)
			names[n] = fmt.Sprint(name, "_", n)
		}
		f.SetNames(names...)
	}
	defer func() {
		if recover() != nil { // no writer accepts the model
			out = nil
		}
	}()
	canonical := model.MethodByName("Canonical").Call(nil)[0].Interface()
	writer, ok := canonical.(interface {
		AppendUnchecked(b []byte) ([]byte, error)
	})
	if !ok {
		return nil
	}
	if out, err = writer.AppendUnchecked(nil); err != nil {
		return nil
	}
	return out
}

// at returns the list or text at a path of a model.
func at(v reflect.Value, path string) reflect.Value {
	for path != "" {
		for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
			if v.IsNil() {
				return reflect.Value{}
			}
			v = v.Elem()
		}
		if path[0] == '[' {
			if v.Len() == 0 {
				return reflect.Value{}
			}
			v, path = v.Index(0), path[len("[0]"):]
			continue
		}
		end := 1
		for end < len(path) && path[end] != '.' && path[end] != '[' {
			end++
		}
		v, path = v.FieldByName(path[1:end]), path[end:]
	}
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	return v
}

// Measurement is the cost of reading files of one family.
type Measurement struct {
	Family string
	Sizes  [doublings]int
	CPU    [doublings]time.Duration
	Memory [doublings]int64
	// Grows names the cost that grows faster than the file: "time", "memory".
	Grows string
	// Heavy is set if the memory grows with the file and is many times its size.
	Heavy bool
	Data  []byte // the largest file
	Hung  bool
	Reply Reply // of the largest file
}

// doublings is the number of sizes: n, 2n, 4n, 8n.
const doublings = 4

// The initial sizes of files, and the smallest costs that count.
var startSizes = []int{8 << 10, 128 << 10}

const (
	leastCPU    = 60 * time.Millisecond
	leastMemory = 48 << 20
	// an exponent above steep in two doublings in a row is reported
	steep = 1.5
	// more than heavy bytes of memory for each byte of a file are reported
	heavy = 48
)

// measure lets a reader read files of a family, each twice as long as the one before.
func measure(ctx context.Context, r Reader, format string, f family, base Reply,
	limit time.Duration) (m Measurement, err error) {
	for _, n := range startSizes {
		m = Measurement{Family: f.name}
		for k := range doublings {
			b := f.make(n << k)
			reply, err := r.Measure(ctx, format, b, limit)
			if err != nil {
				return m, err
			}
			m.Sizes[k], m.Data, m.Reply = len(b), b, reply
			m.CPU[k], m.Memory[k] = max(0, reply.CPU-base.CPU), max(0, reply.Memory-base.Memory)
			if reply.Outcome == Hung {
				m.Hung = true
				m.Grows = "time"
				return m, nil
			}
		}
		cpu, memory := [doublings]float64{}, [doublings]float64{}
		for k := range doublings {
			cpu[k], memory[k] = m.CPU[k].Seconds(), float64(m.Memory[k])
		}
		switch {
		case m.CPU[doublings-1] >= leastCPU && twiceSteep(m.Sizes, cpu, leastCPU.Seconds()/16):
			m.Grows = "time"
		case m.Memory[doublings-1] >= leastMemory && twiceSteep(m.Sizes, memory, leastMemory/16):
			m.Grows = "memory"
		case m.Memory[doublings-1] >= max(leastMemory, heavy*int64(m.Sizes[doublings-1])):
			m.Heavy = true
		}
		if m.Grows != "" || m.Heavy || m.CPU[doublings-1] > limit/8 {
			return m, nil
		}
	}
	return m, nil
}

// twiceSteep reports whether a cost grows with an exponent above steep in two consecutive
// doublings. It ignores costs below least.
func twiceSteep(sizes [doublings]int, cost [doublings]float64, least float64) bool {
	run := 0
	for k := 1; k < doublings; k++ {
		if cost[k-1] < least || sizes[k] <= sizes[k-1] {
			run = 0
			continue
		}
		exponent := math.Log(cost[k]/cost[k-1]) / math.Log(float64(sizes[k])/float64(sizes[k-1]))
		if exponent <= steep {
			run = 0
		} else if run++; run == 2 {
			return true
		}
	}
	return false
}

// String shows sizes and costs: "16 KiB 5ms, 32 KiB 21ms".
func (m *Measurement) String() (s string) {
	for k, n := range m.Sizes {
		if n == 0 {
			break
		}
		if k > 0 {
			s += ", "
		}
		s += fmt.Sprintf("%d KiB: %v and %d MiB", n>>10, m.CPU[k].Round(time.Millisecond), m.Memory[k]>>20)
	}
	return s
}
