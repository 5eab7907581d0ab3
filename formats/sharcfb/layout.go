package sharcfb

import (
	"fmt"

	"github.com/picaproof/picaproof/formats/diag"
)

// Regions returns the owner of every byte of what AppendBinary writes, from the
// first byte to the last. It is nil for a file that AppendBinary refuses.
func (f *File) Regions() []diag.Region {
	b, r, err := f.verified(nil)
	if err != nil {
		return nil
	}
	m := regionMap{reader: r, bytes: b}
	m.fields(headerFields, "header.")
	m.text("name", len(f.Name)+1)
	m.listHeader(binaryList.name + ".")
	for i := range r.file.Binaries {
		m.binary(i)
	}
	m.listHeader(programList.name + ".")
	for i := range r.file.Programs {
		m.program(&r.file.Programs[i], fmt.Sprintf("%s[%d].", programList.name, i))
	}
	return m.regions
}

// regionMap is the list being made; end is where it ends.
type regionMap struct {
	*reader
	bytes   []byte
	regions []diag.Region
	end     int
}

func (m *regionMap) fields(fields diag.Struct, prefix string) {
	m.regions = fields.AppendRegions(m.regions, m.bytes, m.end, m.Order, prefix)
	m.end += int(fields.Size())
}

// add adds n bytes.
func (m *regionMap) add(kind diag.RegionKind, path string, n int, value string) {
	if n == 0 {
		return
	}
	m.regions = append(m.regions, diag.Region{Off: m.end, Len: n, Kind: kind, Path: path, Value: value})
	m.end += n
}

// text adds a string of n bytes, NUL included.
func (m *regionMap) text(path string, n int) {
	m.add(diag.FieldRegion, path, n, diag.Quote(m.bytes[m.end:m.end+n-1]))
}

func (m *regionMap) listHeader(prefix string) { m.fields(listFields, prefix) }

func (m *regionMap) binary(i int) {
	record, b := &m.binaries[i], &m.file.Binaries[i]
	prefix := fmt.Sprintf("%s[%d].", binaryList.name, i)
	var slack Slack
	if b.Slack != nil {
		slack = *b.Slack
	}
	m.fields(binaryFields, prefix)
	m.add(diag.GapRegion, prefix+"slack.gap", len(slack.Gap), "")
	m.regions = b.Shader.AppendRegions(m.regions, m.bytes, m.Order, record.data(), prefix)
	m.end = int(record.data() + uint64(record.dataSize))
	m.add(diag.GapRegion, prefix+"slack.tail", len(slack.Tail), "")
}

func (m *regionMap) program(p *Program, prefix string) {
	m.fields(programFields, prefix)
	m.text(prefix+"name", len(p.Name)+1)
	for k, macros := range [...][]Macro{p.Macros, p.Defaults} {
		kind := [...]*listKind{&macroList, &defaultList}[k]
		m.listHeader(prefix + kind.name + ".")
		for i := range macros {
			m.macro(&macros[i], fmt.Sprintf("%s%s[%d].", prefix, kind.name, i))
		}
	}
	for k, symbols := range p.Symbols.lists() {
		kind := &symbolLists[k]
		m.listHeader(prefix + kind.name + ".")
		for i := range *symbols {
			m.symbol(&(*symbols)[i], fmt.Sprintf("%s%s[%d].", prefix, kind.name, i))
		}
	}
}

func (m *regionMap) macro(macro *Macro, prefix string) {
	m.fields(macroFields, prefix)
	m.text(prefix+"name", len(macro.Name)+1)
	for i, v := range macro.Values {
		m.text(fmt.Sprintf("%svalues[%d]", prefix, i), len(v)+1)
	}
	m.text(prefix+"id", len(macro.ID)+1)
}

func (m *regionMap) symbol(s *Symbol, prefix string) {
	m.fields(symbolFields, prefix)
	m.text(prefix+"name", len(s.Name)+1)
	m.text(prefix+"id", len(s.ID)+1)
	m.add(diag.OpaqueRegion, prefix+"default", len(s.Default), "")
	m.add(diag.FieldRegion, prefix+"enable", len(s.Enable), "")
}
