package reader_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"slices"
	"time"

	"github.com/picaproof/picaproof/conform/reader"
)

// toy is a reader of SHBIN with a fault that it was told to have: a model of a small program in
// C. It returns what the harness sees of such a program, plain or built with sanitizers: crashes
// are named, endless loops hang at once, steps and allocated bytes are counted. Without a fault
// it accepts and refuses what it should.
type toy struct {
	fault     string
	sanitized bool
	writes    bool // writes accepted files back
}

// Shared reports that many files may be read at a time.
func (r toy) Shared() bool { return true }

// Reproduce returns nothing: there is no command.
func (r toy) Reproduce(string, []byte) string { return "" }

// Measure is Read.
func (r toy) Measure(ctx context.Context, format string, data []byte, limit time.Duration) (reader.Reply, error) {
	return r.Read(ctx, format, data, limit)
}

// Read lets the program read a file.
func (r toy) Read(_ context.Context, _ string, data []byte, _ time.Duration) (reply reader.Reply, err error) {
	p := &program{toy: r, data: slices.Clone(data)}
	defer func() {
		switch end := recover().(type) {
		case nil:
		case reader.Reply:
			reply = end
		default:
			panic(end)
		}
		reply.CPU, reply.Memory = step*time.Duration(p.steps), p.allocated
	}()
	p.main()
	return p.accepted(), nil
}

// step is the time of one step of a loop.
const step = 2 * time.Nanosecond

// program is one run of the toy. Addresses are offsets in the file.
type program struct {
	toy
	data      []byte
	steps     int64
	allocated int64
}

func (p *program) is(fault string) bool { return p.fault == fault }

func (p *program) refuse(why string) {
	if p.is("double-free") && why == "label" {
		p.crash("SIGABRT", "AddressSanitizer: double-free in refuse")
	}
	panic(reader.Reply{Outcome: reader.Refused, Message: "refused: " + why})
}

func (p *program) crash(plain, sanitized string) {
	if p.sanitized {
		plain = sanitized
	}
	panic(reader.Reply{Outcome: reader.Crashed, Fault: plain, Message: plain})
}

func hang() { panic(reader.Reply{Outcome: reader.Hung, Message: "an endless loop"}) }

// page is the number of bytes behind a file that a program reads without a fault, as far as it
// notices.
const page = 1 << 12

// at returns a byte that a function of the program reads. Not every read that a C program can
// do wrong is seen without sanitizers.
func (p *program) at(offset uint64, function string) uint64 {
	if p.is("freed") {
		p.crash("", "AddressSanitizer: heap-use-after-free, freed in release")
	}
	switch size := uint64(len(p.data)); {
	case offset < size:
		return uint64(p.data[offset])
	case p.sanitized:
		p.crash("", "AddressSanitizer: heap-buffer-overflow in "+function)
	case offset >= size+page || size == 0:
		p.crash("SIGSEGV", "")
	}
	return 0
}

func (p *program) u16(at uint32) uint32 {
	return uint32(p.at(uint64(at), "u16") | p.at(uint64(at)+1, "u16")<<8)
}

func (p *program) u32(at uint32) uint32 { return p.u16(at) | p.u16(at+2)<<16 }

func (p *program) inside(off, count, item uint32, extra uint64) bool {
	if p.is("wrap") {
		return uint64(off+count*item) <= uint64(len(p.data))
	}
	return uint64(off)+uint64(count)*uint64(item) <= uint64(len(p.data))+extra
}

// touch reads n bytes; the last shows whether all are there.
func (p *program) touch(off uint32, n uint64) {
	p.steps += int64(n)
	if n > 0 {
		p.at(uint64(off)+n-1, "touch")
	}
}

// lastNUL returns the offset of the last NUL in n bytes, or -1.
func (p *program) lastNUL(off, n uint32) int {
	rest := p.data[min(int(off), len(p.data)):]
	return bytes.LastIndexByte(rest[:min(int(n), len(rest))], 0)
}

// starts reports whether a structure begins with a magic.
func (p *program) starts(at uint32, magic string) bool {
	for i := range len(magic) {
		if p.at(uint64(at)+uint64(i), "memcmp") != uint64(magic[i]) {
			return false
		}
	}
	return true
}

// stackSize is the size of the stack; a call of deep takes frame bytes of it.
const stackSize, frame = 8 << 20, 560

func (p *program) checkName(at, table, n uint32, nul int, what string) {
	name := p.u32(at)
	if p.is("ignores-symbols") && what != "line name" || p.is("ignores-file_names") && what == "line name" {
		return
	}
	if p.is("name-nul") {
		if name >= n {
			p.refuse(what)
		}
		return
	}
	if name >= n || nul < 0 || name > uint32(nul) {
		p.refuse(what)
	}
	if length := bytes.IndexByte(p.data[table+name:], 0); p.is("name-recursion") && length*frame > stackSize {
		p.crash("SIGSEGV", "AddressSanitizer: stack-overflow in deep")
	}
}

func (p *program) constants(at, count uint32) {
	limit := [3]uint64{16, 4, 96}
	for i := range count {
		c := at + 20*i
		kind, register := p.at(uint64(c), "constants"), p.at(uint64(c)+2, "constants")
		if kind > 2 {
			p.refuse("constant type")
		}
		if register > limit[kind] || register == limit[kind] && !p.is("register-off-by-one") {
			p.refuse("constant register")
		}
	}
}

func (p *program) labels(at, count, words, symbols, size uint32, nul int) {
	for i := range count {
		l := at + 16*i
		word, length := p.u32(l+4), p.u32(l+8)
		if p.is("label-flags") && p.u16(l+2) != 1 {
			p.refuse("label flags")
		}
		if word > words {
			p.refuse("label")
		}
		end := uint64(word) + uint64(length)
		if p.is("label-wrap") {
			end = uint64(word + length)
		}
		if length != 0xFFFFFFFF && end > uint64(words) {
			p.refuse("label end")
		}
		p.checkName(l+12, symbols, size, nul, "label name")
	}
}

func (p *program) outputs(at, count uint32) {
	for i := range count {
		semantic, register := p.u16(at+8*i), p.u16(at+8*i+2)
		switch {
		case p.is("semantic-abort") && (semantic == 7 || semantic > 9):
			p.crash("SIGABRT", "SIGABRT")
		case p.is("wild-write"): // to an array of 16 bytes on the stack
			if register >= page/16 || p.sanitized && register > 0 {
				p.crash("SIGSEGV", "AddressSanitizer: stack-buffer-overflow in outputs")
			}
		case p.is("shift"):
			if register > 31 && p.sanitized {
				p.crash("", "UndefinedBehaviorSanitizer: shift exponent N is too large in outputs")
			}
		case register > 15:
			p.refuse("output register")
		}
	}
}

// classOf returns the class of a register of the uniform table, -1 for none.
func classOf(register uint32) int {
	switch {
	case register < 0x10:
		return 0
	case register < 0x70:
		return 1
	case register < 0x74:
		return 2
	case 0x78 <= register && register < 0x88:
		return 3
	}
	return -1
}

func (p *program) uniforms(at, count, symbols, size uint32, nul int) {
	for i := range count {
		u := at + 8*i
		first, last := p.u16(u+4), p.u16(u+6)
		p.checkName(u, symbols, size, nul, "uniform name")
		if p.is("endless-range") { // a counter of one byte
			if last >= 0xFF && first&0xFF <= last {
				hang()
			}
			continue
		}
		if classOf(first) < 0 || classOf(last) < 0 {
			p.refuse("register")
		}
		if first > last || classOf(first) != classOf(last) {
			p.refuse("register range")
		}
	}
	if p.is("quadratic") {
		p.steps += int64(count) * int64(count) / 2
	}
}

// The tables of a DVLE, and the sizes of their items.
var (
	tableNames = [5]string{"constants", "labels", "outputs", "uniforms", "symbols"}
	itemSizes  = [5]uint32{20, 16, 8, 8, 1}
)

func (p *program) entry(at, words uint32) {
	var off, count [5]uint32
	if !p.starts(at, "DVLE") {
		p.refuse("DVLE magic")
	}
	if entry := p.u32(at + 8); entry > words || entry == words && !p.is("entry-off-by-one") {
		p.refuse("entry")
	}
	if p.u32(at+12) > words {
		p.refuse("end")
	}
	if p.is("hangs-at-version") && p.u16(at+4) == 0x2000 {
		hang()
	}
	size := uint64(len(p.data))
	for i, item := range itemSizes {
		off[i], count[i] = p.u32(at+0x18+8*uint32(i)), p.u32(at+0x1C+8*uint32(i))
		if p.is("ignores-" + tableNames[i]) {
			count[i] = 0
		}
		length := uint64(count[i]) * uint64(item)
		switch {
		case p.is("allocates") && i == 0:
			p.allocated += int64(min(length, 200_000_000))
		case p.is("stack") && i == 2 && length+1 > stackSize:
			p.crash("SIGSEGV", "AddressSanitizer: stack-overflow in entry")
		case p.is("hangs-at-64") && i == 3 && count[i] == 64:
			hang()
		}
		if count[i] == 0 {
			continue
		}
		end, beyond := uint64(at)+uint64(off[i])+length, uint64(0)
		if p.is("table-off-by-one") {
			beyond = 4
		}
		if p.is("wrap") {
			end = uint64(at + off[i] + count[i]*item)
		}
		if end > size+beyond || off[i] < 0x40 && !p.is("wrap") {
			p.refuse("table")
		}
		off[i] += at
		if p.is("wrap") && uint64(off[i])+length > size {
			panic(p.accepted()) // the rest reads what happens to be in memory
		}
		p.touch(off[i], length)
	}
	nul := -1
	if count[4] > 0 {
		nul = p.lastNUL(off[4], count[4])
	}
	p.constants(off[0], count[0])
	p.labels(off[1], count[1], words, off[4], count[4], nul)
	p.outputs(off[2], count[2])
	p.uniforms(off[3], count[3], off[4], count[4], nul)
}

func (p *program) program(at, entries uint32) {
	size := uint64(len(p.data))
	if !p.is("dvlp-magic") && !p.starts(at, "DVLP") {
		p.refuse("DVLP magic")
	}
	first := uint32(0xFFFFFFFF)
	for i := range entries {
		first = min(first, p.u32(8+4*i)-at)
	}
	code, words, descriptors, count := p.u32(at+8), p.u32(at+12), p.u32(at+16), p.u32(at+20)
	if p.is("ignores-code") {
		code = 40
	}
	if p.is("ignores-descriptors") {
		count = 0
	}
	if first = min(first, code); count > 0 {
		first = min(first, descriptors)
	}
	beyond := uint64(0)
	if p.is("code-off-by-one") {
		beyond = 4
	}
	switch {
	case first < 28:
		p.refuse("short header")
	case words > 4096 && !p.is("ignores-code"):
		p.refuse("code count")
	case count > 128, p.is("refuses-128") && count == 128:
		p.refuse("descriptor count")
	case p.is("ignores-code"):
		words = 1 << 31 // any entry will do
	case !p.inside(at+code, words, 4, beyond), uint64(at)+uint64(code) > size:
		p.refuse("code")
	default:
		p.touch(at+code, 4*uint64(words))
	}
	if count > 0 {
		if uint64(at)+uint64(descriptors) > size || !p.inside(at+descriptors, count, 8, 0) {
			p.refuse("descriptors")
		}
		p.touch(at+descriptors, 8*uint64(count))
	}
	if first >= 40 {
		p.lines(at)
	}
	for i := range entries {
		p.entry(p.u32(8+4*i), words)
	}
}

// lines reads the line table and the table of file names.
func (p *program) lines(at uint32) {
	size := uint64(len(p.data))
	lines, n, names, length := p.u32(at+24), p.u32(at+28), p.u32(at+32), p.u32(at+36)
	nul := -1
	if p.is("ignores-file_names") {
		length = 0
	}
	if length > 0 {
		if uint64(at)+uint64(names)+uint64(length) > size {
			p.refuse("file names")
		}
		nul = p.lastNUL(at+names, length)
	}
	if n == 0 || p.is("ignores-lines") {
		return
	}
	if lines%4 != 0 || uint64(at)+uint64(lines)+8*uint64(n) > size {
		p.refuse("lines")
	}
	for i := range n {
		p.checkName(at+lines+8*i, at+names, length, nul, "line name")
	}
}

// walk walks over the entries in the order of their offsets, and never ends if one is hidden
// behind another.
func (p *program) walk(entries uint32) {
	end := uint32(0)
	for seen := uint32(0); seen < entries; seen++ {
		i := uint32(0)
		for i < entries && p.u32(8+4*i) < end {
			i++
		}
		if i == entries {
			hang()
		}
		end = p.u32(8+4*i) + 64
	}
}

// load changes the file as programs do that take it for a text.
func (p *program) load() {
	nul := bytes.IndexByte(p.data, 0)
	switch {
	case nul < 0:
	case p.is("ends-at-nul"):
		p.data = p.data[:nul]
	case p.is("clears-from-nul"):
		clear(p.data[nul:])
	}
}

func (p *program) main() {
	p.load()
	if p.is("empty") {
		p.at(0, "main")
	}
	size := uint64(len(p.data))
	if size < 8 {
		p.refuse("short file")
	}
	if !p.is("magic") && !p.starts(0, "DVLB") {
		p.refuse("magic")
	}
	entries := p.u32(4)
	head := 8 + 4*uint64(entries)
	switch {
	case entries == 0:
		p.refuse("no entries")
	case p.is("entries-unchecked") && head > size: // reads them all
		p.at(head-4, "u16")
		p.at(8+4*(size/4), "u16")
	case head > size:
		p.refuse("entry offsets")
	}
	for i := range entries {
		at := p.u32(8 + 4*i)
		if p.is("entry-wrap") && at%4 == 0 && uint64(at+64) <= size {
			continue
		}
		if uint64(at) < head || uint64(at)+64 > size {
			p.refuse("entry offset")
		}
	}
	if head+28 > size {
		p.refuse("short file")
	}
	if p.is("endless-walk") {
		p.walk(entries)
	}
	p.program(uint32(head), entries)
}

// accepted is the reply to an accepted file.
func (p *program) accepted() reader.Reply {
	r := reader.Reply{Outcome: reader.Accepted}
	if p.is("leak") && p.sanitized {
		p.crash("", "LeakSanitizer: leak in load")
	}
	if !p.writes {
		return r
	}
	switch out := slices.Clone(p.data); {
	case p.is("writes-nothing"):
		r.NotRewritten = "no output file"
	case p.is("writes-directory"):
		r.NotRewritten = "an output that is no regular file (d---------)"
	case p.is("writes-broken") && len(out) > 64:
		r.Rewritten = out[:len(out)-16]
	case p.is("loses-entry"): // another entry word
		at := binary.LittleEndian.Uint32(out[8:])
		if binary.LittleEndian.Uint32(out[12:]) > 0 && binary.LittleEndian.Uint32(out[at+12:]) > 1 {
			out[at+8] ^= 1
		}
		r.Rewritten = out
	default:
		r.Rewritten = out
	}
	return r
}
