package reader_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform/reader"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/internal/long"
)

// bounds are the bounds that a loader of SHBIN keeps, by table and field. A loader that misses one
// reads or writes outside an array. testdata/bounds.c has the same.
var bounds = []string{
	"dvlb.size", "dvlb.count", "dvlb.offsets.low", "dvlb.offsets.high",
	"code.offset", "code.count", "code.most", "code.descriptor", "code.target",
	"descriptors.offset", "descriptors.count", "descriptors.most",
	"lines.offset", "lines.count", "lines.words", "lines.name",
	"file_names.offset", "file_names.size", "file_names.end",
	"dvle.type", "dvle.merge", "dvle.entry", "dvle.end",
	"geometry.mode", "geometry.first", "geometry.variable_count", "geometry.fixed_count",
	"constants.low", "constants.offset", "constants.count", "constants.type", "constants.bool", "constants.int",
	"constants.float",
	"labels.low", "labels.offset", "labels.count", "labels.id", "labels.word", "labels.length", "labels.name",
	"outputs.low", "outputs.offset", "outputs.count", "outputs.semantic", "outputs.register", "outputs.mask",
	"uniforms.low", "uniforms.offset", "uniforms.count", "uniforms.name", "uniforms.first", "uniforms.last",
	"symbols.low", "symbols.offset", "symbols.size", "symbols.end",
}

// loader is a model of testdata/bounds.c, built with sanitizers: the first index that a missing
// bound lets through ends it.
type loader struct{ missing string }

// Shared reports that many files may be read at a time.
func (l loader) Shared() bool { return true }

// Reproduce returns nothing: there is no command.
func (l loader) Reproduce(string, []byte) string { return "" }

// Measure is Read.
func (l loader) Measure(ctx context.Context, format string, data []byte, limit time.Duration) (reader.Reply, error) {
	return l.Read(ctx, format, data, limit)
}

// Read lets the loader load a file.
func (l loader) Read(_ context.Context, _ string, data []byte, _ time.Duration) (reply reader.Reply, err error) {
	defer func() {
		switch end := recover().(type) {
		case nil:
		case reader.Reply:
			reply = end
		default:
			panic(end)
		}
	}()
	(&loading{loader: l, data: data}).file()
	return reader.Reply{Outcome: reader.Accepted}, nil
}

// loading is the load of one file.
type loading struct {
	loader
	data  []byte
	words uint64
}

// keeps reports whether a bound is kept; a loader that misses it goes on without it.
func (l *loading) keeps(name string, ok bool) bool {
	if !ok && l.missing == name {
		fault := "AddressSanitizer: heap-buffer-overflow in " + name
		panic(reader.Reply{Outcome: reader.Crashed, Fault: fault, Message: fault})
	}
	return ok
}

// need refuses a file that exceeds a bound.
func (l *loading) need(name string, ok bool) {
	if !l.keeps(name, ok) {
		panic(reader.Reply{Outcome: reader.Refused, Message: name})
	}
}

func (l *loading) u16(at uint64) uint64 { return uint64(binary.LittleEndian.Uint16(l.data[at:])) }
func (l *loading) u32(at uint64) uint64 { return uint64(binary.LittleEndian.Uint32(l.data[at:])) }

func (l *loading) magic(at uint64, magic string) {
	l.need("magic", string(l.data[at:at+4]) == magic)
}

func (l *loading) file() {
	size := uint64(len(l.data))
	l.need("dvlb.size", size >= 8)
	l.magic(0, "DVLB")
	count := l.u32(4)
	l.need("no entry", count > 0)
	l.need("dvlb.count", 8+4*count <= size)
	head := 8 + 4*count
	for i := range count {
		at := l.u32(8 + 4*i)
		l.need("dvlb.offsets.low", at >= head)
		l.need("dvlb.offsets.high", at+64 <= size)
	}
	l.need("short file", head+28 <= size)
	l.magic(head, "DVLP")
	l.program(head, count)
	for i := range count {
		l.entry(l.u32(8 + 4*i))
	}
}

// table checks that a table lies inside the file.
func (l *loading) table(name, count string, at, n, item uint64) {
	l.need(name+".offset", at <= uint64(len(l.data)))
	l.need(name+"."+count, at+n*item <= uint64(len(l.data)))
}

// name checks that a name lies inside a table of names and ends there.
func (l *loading) name(name, table string, names []byte, off uint64) {
	l.need(name, off < uint64(len(names)))
	l.need(table+".end", bytes.IndexByte(names[off:], 0) >= 0)
}

func (l *loading) program(at, entries uint64) {
	field := func(k uint64) uint64 { return l.u32(at + k) }
	code, words, descriptors, count := at+field(8), field(12), at+field(16), field(20)
	l.words = words
	first := code
	for i := range entries {
		first = min(first, l.u32(8+4*i))
	}
	if count > 0 {
		first = min(first, descriptors)
	}
	l.need("short header", first >= at+28)
	l.table("code", "count", code, words, 4)
	l.need("code.most", words <= 4096)
	if count > 0 {
		l.table("descriptors", "count", descriptors, count, 8)
		l.need("descriptors.most", count <= 128)
	}
	for i := range words {
		switch w := l.u32(code + 4*i); w >> 26 {
		case 0x00: // add
			l.keeps("code.descriptor", w&0x7F < count)
		case 0x24, 0x25, 0x26, 0x2C, 0x2D: // calls and jumps
			l.keeps("code.target", w>>10&0xFFF < words)
		}
	}
	if first < at+40 {
		return
	}
	lines, n, names, length := at+field(24), field(28), at+field(32), field(36)
	var texts []byte
	if length > 0 {
		l.table("file_names", "size", names, length, 1)
		texts = l.data[names : names+length]
	}
	if n > 0 {
		l.need("lines aligned", lines%4 == at%4)
		l.table("lines", "count", lines, n, 8)
	}
	for i := range n {
		l.keeps("lines.words", i < words)
		l.name("lines.name", "file_names", texts, l.u32(lines+8*i))
	}
}

func (l *loading) entry(at uint64) {
	l.magic(at, "DVLE")
	kind, merge := l.data[at+6], l.data[at+7]
	l.need("dvle.type", kind <= 1)
	l.keeps("dvle.merge", merge <= 1)
	l.need("dvle.entry", l.u32(at+8) < l.words)
	l.need("dvle.end", l.u32(at+12) <= l.words)
	if kind == 1 {
		mode, first, variable, fixed := l.data[at+20], l.data[at+21], l.data[at+22], l.data[at+23]
		l.need("geometry.mode", mode <= 2)
		switch mode {
		case 1:
			l.keeps("geometry.variable_count", 1 <= variable && variable <= 32)
		case 2:
			l.need("geometry.first", first <= 95)
			l.keeps("geometry.fixed_count", 1 <= fixed && fixed <= 16)
		}
	}
	var off, n [5]uint64
	for k, item := range itemSizes {
		off[k], n[k] = l.u32(at+24+8*uint64(k)), l.u32(at+28+8*uint64(k))
		if n[k] == 0 {
			continue
		}
		l.need(tableNames[k]+".low", off[k] >= 64)
		off[k] += at
		l.table(tableNames[k], map[bool]string{true: "size", false: "count"}[item == 1], off[k], n[k], uint64(item))
	}
	var symbols []byte
	if n[4] > 0 {
		symbols = l.data[off[4] : off[4]+n[4]]
	}
	for c := range entriesOf(off[0], n[0], 20) {
		l.constant(l.data[c], uint64(l.data[c+2]))
	}
	for c := range entriesOf(off[1], n[1], 16) {
		word, length := l.u32(c+4), l.u32(c+8)
		l.keeps("labels.id", l.u16(c) < n[1])
		l.need("labels.word", word <= l.words)
		l.need("labels.length", length == 0xFFFFFFFF || word+length <= l.words)
		l.name("labels.name", "symbols", symbols, l.u32(c+12))
	}
	for c := range entriesOf(off[2], n[2], 8) {
		l.need("outputs.semantic", l.u16(c) <= 9)
		l.need("outputs.register", l.u16(c+2) <= 15)
		l.need("outputs.mask", l.u16(c+4) <= 15)
	}
	for c := range entriesOf(off[3], n[3], 8) {
		first, last := l.u16(c+4), l.u16(c+6)
		l.name("uniforms.name", "symbols", symbols, l.u32(c))
		l.need("uniforms.first", first < 0x88)
		l.need("uniforms.last", last < 0x88)
		l.need("class", classOf(uint32(first)) >= 0 && classOf(uint32(first)) == classOf(uint32(last)) && first <= last)
	}
}

func (l *loading) constant(kind byte, register uint64) {
	l.need("constants.type", kind <= 2)
	for k, name := range []string{"constants.bool", "constants.int", "constants.float"} {
		if int(kind) == k {
			l.need(name, register < []uint64{16, 4, 96}[k])
		}
	}
}

// entriesOf yields the places of the entries of a table.
func entriesOf(at, n, item uint64) func(yield func(uint64) bool) {
	return func(yield func(uint64) bool) {
		for i := range n {
			if !yield(at + i*item) {
				return
			}
		}
	}
}

// findsBound checks the verdict on a loader that misses a bound: a crash shows it, no file counts
// against the loader otherwise, and every rule is tested. where is part of the name of the crash.
func findsBound(t *testing.T, r *report.Report, where string) {
	t.Helper()
	causes, rules, unread := outcome(r)
	other := func(d report.Deviation) bool {
		return d.Verdict != report.Crash || !strings.Contains(d.Bucket, where)
	}
	if len(r.Deviations) == 0 || slices.ContainsFunc(r.Deviations, other) || rules != "" || unread != "" {
		t.Errorf("causes %q, want crashes in %s; not tested %q, not read %q", causes, where, rules, unread)
	}
}

// TestBounds: every missing bound of a loader is found, as one cause, and every rule is tested.
func TestBounds(t *testing.T) {
	if len(bounds) < 45 {
		t.Fatalf("%d bounds", len(bounds))
	}
	for _, missing := range long.Items(t, append([]string{""}, bounds...), long.Few(len(bounds)+1, 6)) {
		t.Run(missing, func(t *testing.T) {
			t.Parallel()
			r := verdict(t, loader{missing}, reader.Options{Repeats: 2, Cases: 10, NoCost: true})
			if missing != "" {
				findsBound(t, r, missing)
				if len(r.Deviations) > 1 {
					t.Errorf("%d causes", len(r.Deviations))
				}
				return
			}
			if causes, rules, unread := outcome(r); causes+rules+unread != "" {
				t.Errorf("causes %q, not tested %q, not read %q", causes, rules, unread)
			}
		})
	}
}
