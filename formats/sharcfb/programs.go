package sharcfb

import (
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// readPrograms reads the program list at off: SHARC030, SHARC031, SHARC037 and
// the rules of macros and symbols. It returns the end of the list.
func (r *reader) readPrograms(off uint64) (end uint64, ok bool) {
	l, ok := r.openList(&programList, nil, off, r.Size())
	if !ok {
		return 0, false
	}
	r.names, r.namesAt = string(r.Bytes(off, l.end-off)), off
	if l.count > 0 {
		r.file.Programs = make([]Program, l.count)
		r.programs = make([]programPlace, l.count)
	}
	for l.next() {
		r.program = owner{table: programList.name, index: l.index}
		r.programs[l.index].off = uint32(l.from)
		l.program(&r.file.Programs[l.index], &r.programs[l.index])
	}
	r.allPrograms = l.complete()
	r.file.Programs, r.programs = r.file.Programs[:l.index], r.programs[:l.index]
	return l.end, true
}

// text returns the n bytes at off of the program list as a name.
func (r *reader) text(off, n uint64) wire.Text {
	off -= r.namesAt
	return wire.Text(r.names[off : off+n])
}

// string reads a length-prefixed string that is inside its record and reports
// the rule when it is empty or not terminated.
func (l *list) string(rule, name string, off, n uint64) wire.Text {
	if n == 0 {
		l.Report(rule, l.at(name+"_length"), diag.AtLeast(1), diag.Dec(0))
		return ""
	}
	if !l.terminated(rule, l.Bytes(off, n), func() diag.Place { return l.placeAt(name, off, n) }) {
		return ""
	}
	return l.text(off, n-1)
}

// program reads a program record.
func (l *list) program(p *Program, place *programPlace) {
	l.headers.program[0].Program = p
	n := uint64(read(l.View, programRecord, l.from, &l.headers.program).name)
	off := l.from + programHeaderSize
	if n > l.to-off {
		l.Report("SHARC030", l.at("name_length"), diag.AtMost(l.to-off), diag.Dec(n))
		return
	}
	p.Name = l.string("SHARC030", "name", off, n)
	place.named = uint64(len(p.Name))+1 == n
	place.typed = p.Kind == VertexPixel || p.Kind == VertexPixelGeometry
	if !place.typed {
		l.Report("SHARC031", l.at("kind"), diag.Text("3 or 7"), diag.Dec(uint64(p.Kind)))
	}
	off += n
	ok := false
	if p.Macros, place.variations, off, ok = l.macros(off); !ok || l.Done() {
		return
	}
	if p.Defaults, off, ok = l.defaults(off, p.Macros, place.variations > 0); !ok || l.Done() {
		return
	}
	lists := p.Symbols.lists()
	places := [numSymbolLists]uint64{}
	for k := range lists {
		places[k] = off
		if *lists[k], off, ok = l.symbols(k, off, place.variations); !ok || l.Done() {
			return
		}
	}
	if rest := l.to - off; rest > 0 {
		l.Report("SHARC037", l.placeAt("tail", off, rest), diag.Text("the end of the record"),
			diag.Count(rest, "more byte"))
	}
	if !l.Strict() {
		l.symbolValues(lists, places)
	}
}
