package reduce

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/wire"
)

// linked is a file with the integers that have to be corrected when bytes are taken out.
type linked struct {
	b       []byte
	links   []wire.Link
	holders []holder // by the start of their bytes
	names   []span   // tables of names
}

// holder is a link, by its index, and the bytes that it needs.
type holder struct {
	span
	link int
}

// link finds the links of a file of any format; it has none if the format is not known by its
// first bytes.
func link(b []byte) *linked {
	l := &linked{b: b}
	if f, ok := registry.Detect("", b); ok && f.Links != nil {
		l.links = f.Links(b)
	}
	slices.SortStableFunc(l.links, func(x, y wire.Link) int { return cmp.Compare(x.At, y.At) })
	for k, x := range l.links {
		if s, ok := l.needed(x); ok {
			l.holders = append(l.holders, holder{s, k})
		}
		if x.Kind == wire.Count && x.Text {
			l.names = append(l.names, l.counted(x))
		}
	}
	slices.SortFunc(l.names, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	l.names = slices.Compact(l.names)
	slices.SortStableFunc(l.holders, func(x, y holder) int { return cmp.Compare(x.from, y.from) })
	return l
}

// needed returns the bytes that a link needs.
func (l *linked) needed(x wire.Link) (s span, ok bool) {
	from := int(x.Base)
	if x.Kind == wire.Offset {
		from = l.target(x)
	}
	ok = x.Len > 0 && from < len(l.b) && (x.Kind == wire.Offset || x.Kind == wire.Owner)
	return span{from, min(from+int(x.Len), len(l.b))}, ok
}

// number returns the integer of a link.
func number(b []byte, x wire.Link) int {
	return int(wire.View{B: b, Big: x.Big}.Uint(x.At, x.Size) & x.Mask >> bits.TrailingZeros64(x.Mask))
}

// target returns the offset to which an integer leads, past the end if it leads out of the file.
func (l *linked) target(x wire.Link) int {
	n, base := number(l.b, x), int(x.Base)
	if x.Base == x.At {
		n = int(int32(n))
	}
	if at := base + n*int(x.Unit); n <= len(l.b) && at >= 0 && (n >= 0 || x.Base == x.At) {
		return at
	}
	return len(l.b) + 1
}

// counted returns the bytes that an integer counts; none if they leave the file.
func (l *linked) counted(x wire.Link) span {
	s := span{int(x.Base), int(x.Base)}
	if n := number(l.b, x); n >= 0 && n <= (len(l.b)-s.from)/int(x.Unit) {
		s.to += n * int(x.Unit)
	}
	return s
}

// lists returns the lists of entries that can go alone: parts with numbers, entries that are counted
// one by one or have a bit each, and units that are counted together, of a range only once. Short
// lists come first. Bytes are taken as words if there are many.
func (l *linked) lists() (lists [][]span) {
	type list struct {
		kind  wire.LinkKind
		count uint64 // what counts the entries
		all   span   // what is counted
	}
	at, room := map[list]int{}, maxEntries*len(l.b)
	add := func(of list, s span) {
		if room--; room < 0 || s.from == s.to || s.to > len(l.b) {
			return
		}
		k, known := at[of]
		if !known {
			k, lists = len(lists), append(lists, nil)
			at[of] = k
		}
		lists[k] = append(lists[k], s)
	}
	for _, x := range l.links {
		switch part := (span{int(x.Base), int(x.Base + x.Len)}); x.Kind {
		case wire.Number:
			add(list{kind: x.Kind}, part)
		case wire.Entry:
			add(list{kind: x.Kind, count: x.At}, part)
		case wire.Bit:
			add(list{kind: x.Kind, count: x.Base}, span{int(x.At), int(x.At + x.Len)})
		case wire.Count:
			all, unit := l.counted(x), int(x.Unit)
			if unit == 1 && all.to-all.from > maxSingle {
				unit = 4
			}
			of := list{wire.Count, uint64(unit), all}
			if _, known := at[of]; known || x.Text {
				continue
			}
			for from := all.from; from < all.to; from += unit {
				add(of, span{from, min(from+unit, all.to)})
			}
		}
	}
	slices.SortStableFunc(lists, func(a, b []span) int { return cmp.Compare(len(a), len(b)) })
	return lists
}

// maxEntries bounds the entries of all lists: so many for each byte of the file. Labels may count the
// same code a thousand times.
const maxEntries = 2

// maxSingle is the length of the longest range of bytes that are dropped one by one, not as words.
const maxSingle = 64

// dropEntries drops runs of entries of all lists: with the bytes that only they need, and alone.
func dropEntries(b []byte) (list []fileEdit) {
	l := link(b)
	for _, entries := range l.lists() {
		chunks(len(entries), func(from, to int) {
			gone := span{entries[from].from, entries[to-1].to}
			list = append(list, l.edit(gone, true, true), l.edit(gone, true, false))
		})
	}
	return list
}

// dropStrings drops strings, or empties them.
func dropStrings(b []byte) (list []fileEdit) {
	l := link(b)
	add := func(from, to int) {
		if from < to {
			list = append(list, l.edit(span{from, to}, true, false))
		}
	}
	for _, s := range l.names {
		add(s.from, s.to)
		for from := s.from; from < s.to; {
			length := bytes.IndexByte(b[from:s.to], 0)
			if length < 0 {
				length = s.to - from
			}
			next := min(from+length+1, s.to)
			add(from, next)
			add(from, from+length)
			add(from+1, from+length)
			from = next
		}
	}
	return list
}

// dropLinked drops words of four bytes anywhere, and corrects offsets in bytes only.
func dropLinked(b []byte) (list []fileEdit) {
	l := link(b)
	if len(l.links) == 0 {
		return nil
	}
	chunks(len(b)/4, func(from, to int) { list = append(list, l.edit(span{4 * from, 4 * to}, false, false)) })
	return list
}

// edit returns the edit that takes bytes out of the file and corrects offsets in bytes. If counted
// is set, all integers follow. If wasted is set, bytes that no other link needs go too, bits that nothing
// else sets are cleared, and parts are numbered again.
func (l *linked) edit(gone span, counted, wasted bool) fileEdit {
	return func() ([]byte, bool) {
		c := cutting{linked: l, out: bytes.Clone(l.b), gone: []span{gone}, nulls: map[int]bool{}}
		if wasted {
			c.takeWaste()
		}
		if counted {
			c.takePatches()
			c.align()
		}
		c.mend(counted, wasted)
		return c.result(), true
	}
}

// cutting takes bytes out of a file.
type cutting struct {
	*linked
	out   []byte       // the file with corrected integers, before any bytes are taken
	gone  []span       // apart
	pads  []pad        // in order
	nulls map[int]bool // offsets of the pointers that become 0
}

// pad is zeros that are put in at an offset.
type pad struct{ at, n int }

// take marks bytes.
func (c *cutting) take(s span) {
	at := 0
	for _, o := range c.gone {
		if o.to < s.from || o.from > s.to { // apart
			c.gone[at] = o
			at++
		} else {
			s = span{min(s.from, o.from), max(s.to, o.to)}
		}
	}
	c.gone = append(c.gone[:at], s)
}

// lost counts the bytes in a range that are taken.
func (c *cutting) lost(from, to int) (n int) {
	for _, s := range c.gone {
		n += max(min(to, s.to)-max(from, s.from), 0)
	}
	return n
}

// isGone reports whether a byte is taken.
func (c *cutting) isGone(at int) bool { return c.lost(at, at+1) > 0 }

// moved returns the new offset of a byte; of a byte that is taken, the new offset of the byte after
// the gap.
func (c *cutting) moved(at int) int {
	to := at - c.lost(0, at)
	for _, p := range c.pads {
		if at >= p.at {
			to += p.n
		}
	}
	return to
}

// within returns the links at the bytes of a range.
func (c *cutting) within(s span) []wire.Link {
	at := func(x wire.Link, at int) int { return cmp.Compare(int(x.At), at) }
	from, _ := slices.BinarySearchFunc(c.links, s.from, at)
	to, _ := slices.BinarySearchFunc(c.links, s.to, at)
	return c.links[from:to]
}

// takeWaste marks the bytes that only marked links need, until there are no more.
func (c *cutting) takeWaste() {
	for queue := slices.Clone(c.gone); len(queue) > 0; queue = queue[1:] {
		for _, x := range c.within(queue[0]) {
			s, ok := c.needed(x)
			if ok && c.lost(s.from, s.to) < s.to-s.from && c.isWaste(s) {
				c.take(s)
				queue = append(queue, s)
			}
		}
	}
}

// isWaste reports whether no link that stays needs a byte of a range.
func (c *cutting) isWaste(s span) bool {
	at, _ := slices.BinarySearchFunc(c.holders, s.to, func(h holder, to int) int { return cmp.Compare(h.from, to) })
	for _, h := range c.holders[:at] {
		x := c.links[h.link]
		if h.to > s.from && !x.Text && !c.isGone(int(x.At)) {
			return false
		}
	}
	return true
}

// takePatches finds the pointers that become 0, and takes the patches whose targets are gone.
func (c *cutting) takePatches() {
	for _, x := range c.links {
		if s, ok := c.needed(x); ok && x.Null && x.Kind == wire.Offset && c.lost(s.from, s.to) == s.to-s.from {
			c.nulls[int(x.At)] = true
		}
	}
	var patches []span
	for _, x := range c.links {
		if x.Kind != wire.Patch {
			continue
		}
		switch target := c.target(x); {
		case c.nulls[target] && !c.isGone(target) && x.Null:
			c.nulls[int(x.At)] = true
		case c.nulls[target], c.isGone(target):
			patches = append(patches, span{int(x.At), int(x.At) + x.Size})
		}
	}
	for _, s := range patches {
		c.take(s)
	}
}

// align pads names to four bytes if they were before: the padding behind a table of names follows
// its length.
func (c *cutting) align() {
	const word = 4
	for _, s := range c.names {
		end, to := s.to, (s.to+word-1)&^(word-1)
		if c.lost(s.from, end)%word == 0 || to > len(c.b) || !wire.Zero(c.b[end:to]) {
			continue
		}
		if to > end {
			c.take(span{end, to})
		}
		padded := slices.ContainsFunc(c.pads, func(p pad) bool { return p.at == to })
		if n := -c.moved(end) & (word - 1); n > 0 && !padded {
			c.pads = append(c.pads, pad{to, n})
		}
	}
}

// mend corrects the integers.
func (c *cutting) mend(counted, wasted bool) {
	position, taken := 0, 0
	for _, x := range c.links {
		at := int(x.At)
		if x.Kind == wire.Number {
			position++
		}
		if c.isGone(at) {
			switch {
			case x.Kind == wire.Number:
				taken++
			case x.Kind == wire.Bit && wasted:
				c.clearBit(x)
			}
			continue
		}
		switch x.Kind {
		case wire.Offset, wire.Patch:
			if target := c.target(x); c.nulls[at] {
				put(c.out, at, x.Size, x.Big, 0)
			} else if target <= len(c.b) && (counted || x.Unit == 1) {
				c.set(x, (c.moved(target)-c.moved(int(x.Base)))/int(x.Unit))
			}
		case wire.Count:
			if s := c.counted(x); counted && s.to > s.from {
				n := c.lost(s.from, s.to)
				for _, p := range c.pads {
					if p.at > s.from && (p.at < s.to || p.at == s.to && !x.Text) {
						n -= p.n
					}
				}
				c.lower(x, n/int(x.Unit))
			}
		case wire.Entry:
			if counted && c.lost(int(x.Base), int(x.Base+x.Len)) == int(x.Len) {
				c.lower(x, 1)
			}
		case wire.Number:
			if wasted && number(c.b, x) == position-1 {
				c.set(x, position-1-taken)
			}
		case wire.Code:
			if counted {
				c.relink(x)
			}
		}
	}
}

// lower subtracts from a number, perhaps not for the first time.
func (c *cutting) lower(x wire.Link, n int) {
	c.set(x, number(c.out, x)-n)
}

// set writes the number of a link, and keeps the other bits.
func (c *cutting) set(x wire.Link, n int) {
	others := wire.View{B: c.out, Big: x.Big}.Uint(x.At, x.Size) &^ x.Mask
	all := others | uint64(n)<<bits.TrailingZeros64(x.Mask)&x.Mask
	put(c.out, int(x.At), x.Size, x.Big, all)
}

// put writes an integer of some bytes.
func put(b []byte, at, size int, big bool, n uint64) {
	for k := range size {
		i := k
		if big {
			i = size - 1 - k
		}
		b[at+i] = byte(n >> (8 * k))
	}
}

// clearBit clears a bit that only taken links set.
func (c *cutting) clearBit(x wire.Link) {
	same := func(y wire.Link) bool {
		return y.Kind == wire.Bit && y.Base == x.Base && y.Unit == x.Unit && !c.isGone(int(y.At))
	}
	if at := c.out[min(int(x.Base), len(c.out)):]; len(at) >= 2 && !slices.ContainsFunc(c.links, same) {
		binary.LittleEndian.PutUint16(at, binary.LittleEndian.Uint16(at)&^(1<<x.Unit))
	}
}

// relink corrects the targets of instructions.
func (c *cutting) relink(x wire.Link) {
	const word = 4
	from, to := int(x.Base), int(x.Base+x.Len)
	if c.lost(from, to) == 0 {
		return
	}
	start := c.moved(from)
	for at := from; at+word <= to; at += word {
		w, ok := Link(binary.LittleEndian.Uint32(c.b[at:]), func(n int) int {
			if n > (to-from)/word {
				return n
			}
			return (c.moved(from+word*n) - start) / word
		})
		if ok {
			binary.LittleEndian.PutUint32(c.out[at:], w)
		}
	}
}

// result returns the file without the taken bytes and with the padding.
func (c *cutting) result() []byte {
	cuts := []int{0, len(c.out)}
	for _, s := range c.gone {
		cuts = append(cuts, s.from, s.to)
	}
	for _, p := range c.pads {
		cuts = append(cuts, p.at)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	var out []byte
	for k, at := range cuts {
		for _, p := range c.pads {
			if p.at == at {
				out = append(out, make([]byte, p.n)...)
			}
		}
		if k+1 < len(cuts) && !c.isGone(at) {
			out = append(out, c.out[at:cuts[k+1]]...)
		}
	}
	return out
}
