package reduce

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
)

// dvlb is the layout of a DVLB, as far as its headers describe ranges inside the file. It
// does not judge as a parser does, so that broken files can be reduced.
type dvlb struct {
	bytes   []byte
	entries []int // where DVLEs start
	tables  []table
	links   []link32
	words   []int // fields with the number of a word
	lengths []int // fields behind those with a number of words
	things  int   // entries of all tables; a shared table counts each time
}

// maxShare bounds the entries of all tables, in sizes of the file: thousands of DVLEs may point
// at one table.
const maxShare = 8

// table is a table of a DVLP or DVLE.
type table struct {
	kind        tableKind
	start       int
	count, size int // number of entries, bytes of an entry
	countAt     int // field with the count
	owner       int // header with the field of the count
}

// nameAt returns the field of an entry with an offset into the strings of the same owner;
// false if entries have none.
func (t table) nameAt(entry int) (int, bool) {
	at := t.start + entry*t.size
	switch t.kind {
	case labelTable:
		return at + 12, true
	case uniformTable, lineTable:
		return at, true
	}
	return 0, false
}

type tableKind uint8

const (
	codeTable tableKind = iota
	descriptorTable
	lineTable
	fileNameTable
	constantTable
	labelTable
	outputTable
	uniformTable
	symbolTable
)

var tableSizes = [...]int{
	shbin.WordRecord.Bytes, shbin.DescriptorRecord.Bytes, shbin.LineRecord.Bytes, 1, shbin.ConstantRecord.Bytes,
	shbin.LabelRecord.Bytes, shbin.OutputRecord.Bytes, shbin.UniformRecord.Bytes, 1,
}

// link32 is a field with an offset from base.
type link32 struct{ at, base int }

// Sizes of the headers, and the offsets of the extents in them.
const (
	entriesAt     = 8
	programSize   = 0x28
	entrySize     = 0x40
	programTables = 0x08
	entryTables   = 0x18
)

func (d *dvlb) u32(at int) int {
	if at < 0 || at+4 > len(d.bytes) {
		return 0
	}
	return int(binary.LittleEndian.Uint32(d.bytes[at:]))
}

// readDVLB reads the headers; ok is false if the file is no DVLB.
func readDVLB(b []byte) (d dvlb, ok bool) {
	d.bytes = b
	n := d.u32(4)
	if !bytes.HasPrefix(b, []byte("DVLB")) || n > len(b)/4 {
		return d, false
	}
	program := entriesAt + 4*n
	headerEnd := program + programSize
	for k := range n {
		at := d.u32(entriesAt + 4*k)
		d.links = append(d.links, link32{entriesAt + 4*k, 0})
		d.entries = append(d.entries, at)
		headerEnd = min(headerEnd, at)
	}
	programKinds := []tableKind{codeTable, descriptorTable, lineTable, fileNameTable}
	if headerEnd < program+programSize {
		programKinds = programKinds[:2]
	}
	code := d.addTables(program, program+programTables, programKinds)
	for _, q := range d.entries {
		if q+entrySize > len(b) {
			continue
		}
		d.words = append(d.words, q+0x08, q+0x0C)
		d.addTables(q, q+entryTables, []tableKind{constantTable, labelTable, outputTable, uniformTable, symbolTable})
	}
	return d, code
}

// addTables adds the tables whose extents are at an offset in the header at base, and reports
// whether the first lies inside the file.
func (d *dvlb) addTables(base, at int, kinds []tableKind) bool {
	first := len(d.tables)
	names := -1 // start of the table of strings
	var inside []bool
	for k, kind := range kinds {
		t := table{kind, base + d.u32(at+8*k), d.u32(at + 8*k + 4), tableSizes[kind], at + 8*k + 4, base}
		ok := at+8*k+8 <= len(d.bytes) && t.start+t.count*t.size <= len(d.bytes)
		if ok {
			d.things += t.count
			ok = d.things <= maxShare*len(d.bytes)
		}
		inside = append(inside, ok)
		d.links = append(d.links, link32{at + 8*k, base})
		if ok {
			d.tables = append(d.tables, t)
		}
		if ok && t.size == 1 {
			names = t.start
		}
	}
	for _, t := range d.tables[first:] {
		for k := range t.count {
			if at := t.start + k*t.size; t.kind == labelTable {
				d.words, d.lengths = append(d.words, at+4), append(d.lengths, at+8)
			}
			if at, ok := t.nameAt(k); ok && names >= 0 {
				d.links = append(d.links, link32{at, names})
			}
		}
	}
	return inside[0]
}

// splice returns the file without some ranges, with pad zero bytes inserted at an offset
// behind them, and with its offsets corrected.
func (d *dvlb) splice(gone []span, padAt, pad int) []byte {
	gone = united(gone)
	if n := len(gone); n > 0 && gone[n-1].to > padAt {
		padAt, pad = len(d.bytes), 0
	}
	moved := func(at int) int {
		to := at
		for _, s := range gone {
			to -= max(min(at, s.to)-s.from, 0)
		}
		if at >= padAt {
			to += pad
		}
		return to
	}
	var out []byte
	from := 0
	for _, s := range gone {
		out = append(out, d.bytes[from:s.from]...)
		from = s.to
	}
	if pad > 0 {
		out = append(out, d.bytes[from:padAt]...)
		out = append(out, make([]byte, pad)...)
		from = padAt
	}
	out = append(out, d.bytes[from:]...)
	lost := func(at int) bool {
		return slices.ContainsFunc(gone, func(s span) bool { return at >= s.from && at < s.to })
	}
	for _, l := range d.links {
		if target := l.base + d.u32(l.at); !lost(l.at) && target <= len(d.bytes) {
			put32(out, moved(l.at), moved(target)-moved(l.base))
		}
	}
	return out
}

// united returns spans in order, with overlapping ones joined.
func united(spans []span) (list []span) {
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	for _, s := range spans {
		if n := len(list); n > 0 && s.from <= list[n-1].to {
			list[n-1].to = max(list[n-1].to, s.to)
		} else {
			list = append(list, s)
		}
	}
	return list
}

// lower subtracts n from a field at an offset after splice.
func lower(out []byte, at, n int) {
	if at+4 <= len(out) {
		put32(out, at, int(binary.LittleEndian.Uint32(out[at:]))-n)
	}
}

func put32(b []byte, at, v int) {
	if at >= 0 && at+4 <= len(b) {
		binary.LittleEndian.PutUint32(b[at:], uint32(v))
	}
}

// dropEntries drops DVLEs: the offset, and the bytes up to the next DVLE.
func dropEntries(b []byte) (list []fileEdit) {
	d, ok := readDVLB(b)
	if !ok || len(d.entries) < 2 {
		return nil
	}
	for k, q := range d.entries {
		end := len(b)
		for _, other := range d.entries {
			if other > q {
				end = min(end, other)
			}
		}
		offset := span{entriesAt + 4*k, entriesAt + 4*k + 4}
		if q < offset.to || end <= q {
			continue
		}
		list = append(list, func() ([]byte, bool) {
			out := d.splice([]span{offset, {q, end}}, len(b), 0)
			lower(out, 4, 1)
			return out, true
		})
	}
	return list
}

// dropTableEntries drops runs of entries of every table except code and tables of bytes: alone,
// and with their names and their bits in the masks of the DVLE.
func dropTableEntries(b []byte) (list []fileEdit) {
	d, _ := readDVLB(b)
	for _, t := range d.tables {
		if t.kind == codeTable || t.size == 1 {
			continue
		}
		chunks(t.count, func(from, to int) {
			list = append(list,
				func() ([]byte, bool) { return d.dropWithTraces(t, from, to) },
				func() ([]byte, bool) { return d.drop(t, from, to), true })
		})
	}
	return list
}

// drop drops entries of a table and corrects its count.
func (d *dvlb) drop(t table, from, to int) []byte {
	out := d.splice([]span{{t.start + from*t.size, t.start + to*t.size}}, len(d.bytes), 0)
	lower(out, d.shifted(t, from, to), to-from)
	return out
}

// dropWithTraces drops entries of a table of a DVLE, the strings that only they name, and their
// bits in the masks. It assumes that tables follow the headers with their counts, whose fields
// therefore keep their offsets; in other files the candidate is merely a bad one.
func (d *dvlb) dropWithTraces(t table, from, to int) ([]byte, bool) {
	gone := []span{{t.start + from*t.size, t.start + to*t.size}}
	k := slices.IndexFunc(d.tables, func(s table) bool { return s.owner == t.owner && s.size == 1 })
	cleared := dvlb{bytes: bytes.Clone(d.bytes), links: d.links}
	clearMask(cleared.bytes, t, from, to)
	padAt, pad := len(d.bytes), 0
	if k >= 0 && t.start < d.tables[k].start {
		strings := d.tables[k]
		lost := d.ownStrings(t, strings, from, to)
		for _, s := range lost {
			pad += s.to - s.from
		}
		gone = append(gone, lost...)
		lower(cleared.bytes, strings.countAt, pad)
		padAt, pad = strings.start+strings.count, pad%4
	}
	lower(cleared.bytes, t.countAt, to-from)
	return cleared.splice(gone, padAt, pad), t.countAt < t.start
}

// ownStrings returns the strings that only the given entries name.
func (d *dvlb) ownStrings(t, strings table, from, to int) (own []span) {
	all := d.bytes[strings.start : strings.start+strings.count]
	named := func(u table, entry int) int {
		at, ok := u.nameAt(entry)
		if !ok {
			return -1
		}
		return d.u32(at)
	}
	for entry := from; entry < to; entry++ {
		name := named(t, entry)
		if name < 0 || name >= len(all) {
			continue
		}
		s := span{name, min(name+bytes.IndexByte(append(all[name:len(all):len(all)], 0), 0)+1, len(all))}
		shared := false
		for _, u := range d.tables {
			for other := 0; u.owner == t.owner && other < u.count; other++ {
				n := named(u, other)
				shared = shared || (u.start != t.start || other < from || other >= to) && n >= s.from && n < s.to
			}
		}
		if !shared {
			own = append(own, span{strings.start + s.from, strings.start + s.to})
		}
	}
	return united(own)
}

// Offsets of the masks in a DVLE header.
const (
	inputMaskAt  = 0x10
	outputMaskAt = 0x12
)

// clearMask clears the bits of registers that only dropped entries declare.
func clearMask(b []byte, t table, from, to int) {
	maskAt := t.owner + outputMaskAt
	registers := func(entry []byte) (first, last int) {
		r := int(binary.LittleEndian.Uint16(entry[2:]))
		return r, r
	}
	switch t.kind {
	case uniformTable:
		maskAt = t.owner + inputMaskAt
		registers = func(entry []byte) (first, last int) {
			return int(binary.LittleEndian.Uint16(entry[4:])), int(binary.LittleEndian.Uint16(entry[6:]))
		}
	case outputTable:
	default:
		return
	}
	var kept, dropped uint16
	for k := range t.count {
		first, last := registers(b[t.start+k*t.size:][:t.size])
		for r := first; r <= min(last, 15); r++ {
			if k >= from && k < to {
				dropped |= 1 << r
			} else {
				kept |= 1 << r
			}
		}
	}
	if maskAt+2 <= len(b) {
		binary.LittleEndian.PutUint16(b[maskAt:], binary.LittleEndian.Uint16(b[maskAt:])&^(dropped&^kept))
	}
}

// shifted returns the offset of the count of a table after a part of it is dropped.
func (d *dvlb) shifted(t table, from, to int) int {
	if t.countAt >= t.start+to*t.size {
		return t.countAt - (to-from)*t.size
	}
	return t.countAt
}

// dropWords drops runs of code words and corrects flow targets, entry points and labels.
func dropWords(b []byte) (list []fileEdit) {
	d, ok := readDVLB(b)
	if !ok {
		return nil
	}
	t := d.tables[0]
	job := &pica.Job{}
	for k := range t.count {
		job.Code = append(job.Code, uint32(d.u32(t.start+4*k)))
	}
	chunks(t.count, func(from, to int) {
		list = append(list, func() ([]byte, bool) {
			c, ok := without(job, span{from, to})()
			if !ok || len(c.Code) != len(job.Code)-(to-from) {
				return nil, false
			}
			moved := func(word int) int {
				if word > len(job.Code) {
					return word
				}
				return word - max(min(word, to)-from, 0)
			}
			linked := dvlb{bytes: bytes.Clone(b), tables: d.tables, links: d.links}
			for _, at := range d.lengths {
				if word, length := d.u32(at-4), d.u32(at); word+length <= len(job.Code) {
					put32(linked.bytes, at, moved(word+length)-moved(word))
				}
			}
			for _, at := range d.words {
				put32(linked.bytes, at, moved(d.u32(at)))
			}
			for k, w := range c.Code { // as they are before the cut
				at := k
				if k >= from {
					at += to - from
				}
				put32(linked.bytes, t.start+4*at, int(w))
			}
			return linked.drop(t, from, to), true
		})
	})
	return list
}

// dropStrings drops strings, or empties them; the data behind them stays aligned to 4.
func dropStrings(b []byte) (list []fileEdit) {
	d, _ := readDVLB(b)
	for _, t := range d.tables {
		if t.size != 1 {
			continue
		}
		add := func(from, to int) {
			if from >= to {
				return
			}
			list = append(list, func() ([]byte, bool) {
				gone := span{t.start + from, t.start + to}
				end := t.start + t.count
				out := d.splice([]span{gone}, end, (to-from)%4)
				lower(out, d.shifted(t, from, to), to-from)
				return out, true
			})
		}
		add(0, t.count)
		for from := 0; from < t.count; {
			length := bytes.IndexByte(b[t.start+from:t.start+t.count], 0)
			if length < 0 {
				length = t.count - from
			}
			next := min(from+length+1, t.count)
			add(from, next)
			add(from, from+length)
			add(from+1, from+length)
			from = next
		}
	}
	return list
}

// dropLinked drops words of four bytes anywhere and corrects offsets.
func dropLinked(b []byte) (list []fileEdit) {
	d, ok := readDVLB(b)
	if !ok {
		return nil
	}
	chunks(len(b)/4, func(from, to int) {
		list = append(list, func() ([]byte, bool) { return d.splice([]span{{4 * from, 4 * to}}, len(b), 0), true })
	})
	return list
}
