package sharcfb

import (
	"math"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// symbols reads symbol list k of the program that l is at: SHARC050 to SHARC052,
// SHARC054, SHARC055, SHARC057. variations is 0 when it is not known. There are
// no symbols when one of them is broken.
func (l *list) symbols(k int, off uint64, variations uint32) (symbols []Symbol, end uint64, ok bool) {
	s, ok := l.openList(&symbolLists[k], &l.reader.program, off, l.to)
	if !ok {
		return nil, 0, false
	}
	if s.count > 0 {
		symbols = make([]Symbol, s.count)
	}
	complete := true
	for s.next() {
		complete = s.symbol(&symbols[s.index], k != blockList, variations) && complete
	}
	if !complete || !s.complete() {
		return nil, s.end, true
	}
	return symbols, s.end, true
}

// symbol reads one symbol, whose default value is made of words or plain bytes.
// It returns false when the parts do not fill the record or the name is broken.
func (s *list) symbol(symbol *Symbol, words bool, variations uint32) bool {
	s.headers.symbol[0].Symbol = symbol
	header := read(s.View, symbolRecord, s.from, &s.headers.symbol)
	name, id := uint64(header.name), uint64(header.id)
	size, enables := uint64(header.defaults), uint64(header.variations)
	if used := symbolHeaderSize + name + id + size + enables; used != s.to-s.from {
		s.Report("SHARC050", s.at(""), diag.Bytes(used),
			diag.Bytes(s.to-s.from))
		return false
	}
	off := s.from + symbolHeaderSize
	symbol.Name = s.string("SHARC057", "name", off, name)
	off += name
	symbol.ID = s.string("SHARC057", "id", off, id)
	off += id
	if variations > 0 && enables != uint64(variations) {
		s.Report("SHARC051", s.at("variation_count"), diag.Dec(uint64(variations)), diag.Dec(enables))
	}
	if words && size%4 != 0 {
		s.Report("SHARC054", s.at("default_size"), diag.Text("a multiple of 4"), diag.Dec(size))
	}
	symbol.Default = s.Bytes(off, size)
	off += size
	symbol.Enable = s.Bytes(off, enables)
	for i, v := range symbol.Enable {
		if v > 1 {
			s.Report("SHARC052", s.placeAt("enable", off+uint64(i), 1), diag.Text("0 or 1"), diag.Dec(uint64(v)))
			break
		}
	}
	if id == 1 && !s.Strict() {
		s.Report("SHARC055", s.placeAt("id", off-size-id, id), diag.Text("a name"), diag.Text(`""`))
	}
	return uint64(len(symbol.Name))+1 == name
}

// symbolValues checks the symbols of a program against each other: SHARC053,
// SHARC056. places are the offsets of the lists.
func (l *list) symbolValues(lists [numSymbolLists]*[]Symbol, places [numSymbolLists]uint64) {
	room := int64(math.MinInt32)
	for _, b := range *lists[blockList] {
		room = max(room, int64(b.Offset))
	}
	bounded := len(*lists[blockList]) > 0
	for k, symbols := range lists {
		at := places[k] + listHeaderSize
		for i := range *symbols {
			if field, expected := (*symbols)[i].odd(k, room, bounded); field != "" {
				place := symbolRecord.At(at, diag.Path{Prefix: l.reader.program.prefix(), Table: symbolLists[k].name,
					Index: i, Field: field})
				found := diag.Value{Show: wire.ShowSigned, N: uint64(l.U32(place.Off))}
				l.Report("SHARC053", place, expected, found)
			}
			at += uint64(l.U32(at))
		}
	}
	for k, symbols := range lists {
		l.uniqueSymbols(k, *symbols, places[k])
	}
}

// odd returns the field that is not as in known files, "" if none. room is the
// size of the largest block.
func (s *Symbol) odd(k int, room int64, bounded bool) (field string, expected diag.Value) {
	size := int64(len(s.Default))
	switch k {
	case samplerList, attributeList:
		if s.Offset != -1 {
			return "offset", diag.Text("-1")
		}
		if size != 0 {
			return "default_size", diag.Dec(0)
		}
	case blockList:
		if int64(s.Offset) != size {
			return "offset", diag.Dec(uint64(size))
		}
	case uniformList:
		if s.Offset < 0 || bounded && int64(s.Offset)+size > room {
			return "offset", diag.Text("inside the largest block")
		}
	}
	return "", diag.Value{}
}

// uniqueSymbols checks that the names of a list differ: SHARC056.
func (l *list) uniqueSymbols(k int, symbols []Symbol, off uint64) {
	at, next := off+listHeaderSize, 0
	for i := range diag.Repeats(len(symbols), func(i int) wire.Text { return symbols[i].Name }) {
		for ; next < i; next++ {
			at += uint64(l.U32(at))
		}
		name := symbols[i].Name
		place := diag.Place{Off: at + symbolHeaderSize, Len: uint64(len(name)) + 1, Path: diag.Path{
			Prefix: l.reader.program.prefix(), Table: symbolLists[k].name, Index: i, Field: "name"}}
		l.Report("SHARC056", place, diag.Text("a name of its own"), diag.Quoted([]byte(name)))
	}
}
