package find

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
)

// hexdumpText is the encoding of a hexdump with an address at the start of each line.
const hexdumpText = "hexdump"

// usual and widest are the usual and the largest number of bytes in a line of a hexdump.
const (
	usual  = 16
	widest = 256
)

// dumpLine is a line of a hexdump.
type dumpLine struct {
	address string // digits
	begin   int    // the offset of the address
	bytes   []byte // also the column of characters, where that looks like digits
	group   int    // bytes that stand together, 0 if the groups differ
}

// bases are the bases of addresses. Only the right one makes the address rise by no more than a line holds, but a
// smaller one may seem to do so, too.
var bases = [...]int{16, 10, 8}

// hexdumps searches each run of lines whose addresses count the bytes in them. A line with nothing but an asterisk
// stands for repetitions of the line above.
func (t *encodedText) hexdumps() {
	t.counted, t.line = 0, 1
	run := hexdump{encodedText: t, width: usual}
	for at := 0; at < len(t.b) && t.Stopped == 0; {
		end := at + bytes.IndexByte(t.b[at:], '\n')
		if end < at {
			end = len(t.b)
		}
		switch text := t.b[at:end]; {
		case string(bytes.TrimLeft(bytes.TrimSpace(text), "> ")) == "*":
			run.repeated = true
		default:
			run.add(readDumpLine(text, at))
		}
		at = end + 1
	}
	if t.Stopped == 0 {
		run.end(len(t.b))
	}
}

// readDumpLine reads a line: quote signs, an address, and groups of digits with blanks between them. A column of
// characters begins with a bar, or where a wide gap is.
func readDumpLine(text []byte, begin int) (l dumpLine) {
	at := 0
	skip := func(set string) int {
		from := at
		for at < len(text) && strings.IndexByte(set, text[at]) >= 0 {
			at++
		}
		return at - from
	}
	digits := func() []byte {
		if bytes.HasPrefix(text[at:], []byte("0x")) {
			at += 2
		}
		from := at
		for at < len(text) && hexDigit(text[at]) < 16 {
			at++
		}
		return text[from:at]
	}
	skip("> \t")
	l.begin = begin + at
	address := digits()
	if len(address) < 4 || skip(": |\t") == 0 {
		return l
	}
	l.address = string(address)
	for first := true; len(l.bytes) < widest; first = false {
		word := digits()
		if len(word) == 0 || len(word)%2 != 0 {
			break
		}
		switch n := len(word) / 2; {
		case first:
			l.group = n
		case n != l.group:
			l.group = 0
		}
		for i := 0; i < len(word); i += 2 {
			l.bytes = append(l.bytes, byte(hexDigit(word[i])<<4|hexDigit(word[i+1])))
		}
		if gap := skip(" -\t"); gap == 0 || gap > 2 {
			break
		}
	}
	return l
}

// hexdump is the run of lines that is being read.
type hexdump struct {
	*encodedText
	bytes    []byte
	begin    int
	base     int // of the addresses; 0 before the second line
	group    int // of the first line
	width    int // bytes of the line above the last; at first the usual number
	last     dumpLine
	repeated bool // an asterisk stands behind the last line
}

// add adds a line, or ends the run if the line does not continue it.
func (d *hexdump) add(l dumpLine) {
	if n := d.distance(l); n > 0 {
		d.take(n)
	} else {
		d.end(l.begin)
	}
	if d.base == 0 {
		d.begin, d.group = l.begin, l.group
	}
	d.last, d.repeated = l, false
}

// distance returns the number of bytes from the last line to the next, 0 if that does not continue the run.
func (d *hexdump) distance(next dumpLine) int {
	for _, base := range bases {
		from, err := strconv.ParseUint(d.last.address, base, 63)
		to, errNext := strconv.ParseUint(next.address, base, 63)
		if d.base != 0 && d.base != base || err != nil || errNext != nil || to <= from {
			continue
		}
		n := to - from
		most := uint64(len(d.last.bytes))
		if d.repeated && most > 0 {
			most = math.MaxInt32
		}
		if n > most || d.repeated && !d.spend(n) {
			continue
		}
		d.base = base
		return int(n)
	}
	return 0
}

// take adds n bytes of the last line and its repetitions.
func (d *hexdump) take(n int) {
	line := d.last.bytes
	if d.repeated {
		line = line[:min(d.width, len(line))]
	} else {
		d.width = n
	}
	for ; n > len(line); n -= len(line) {
		d.bytes = append(d.bytes, line...)
	}
	d.bytes = append(d.bytes, line[:n]...)
}

// end searches the bytes of the run as they stand and, if they hold no file, with groups that are little-endian
// numbers. The run ends in front of an offset.
func (d *hexdump) end(at int) {
	if d.base != 0 {
		d.bytes = append(d.bytes, d.last.bytes...)
		before := len(d.Files)
		d.searchBytes(d.bytes, d.begin, 1, hexdumpText)
		if len(d.Files) == before && d.group > 1 && d.Stopped == 0 {
			for group := range slices.Chunk(d.bytes, d.group) {
				slices.Reverse(group)
			}
			d.searchBytes(d.bytes, d.begin, d.group, hexdumpText)
		}
		if len(d.Files) > before {
			d.dumps = append(d.dumps, span{d.begin, at})
		}
	}
	*d = hexdump{encodedText: d.encodedText, bytes: d.bytes[:0], width: usual}
}
