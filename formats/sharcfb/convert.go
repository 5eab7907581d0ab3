package sharcfb

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

// Convert returns the archive in the given byte order, at the same layout.
// Default values of symbols other than blocks are turned; code, loop variables
// and unused bytes stay as they are, as the console's loader leaves them. The
// two files share what is alike. Convert is its own inverse.
//
// The error wraps diag.ErrInvalid when a shader's tables are not where the
// loader expects them in a little-endian archive (GX2033), or when a default
// value is not made of words (SHARC054).
func (f *File) Convert(to Endian) (*File, error) {
	if to == f.Endian {
		return f, nil
	}
	if to == Little {
		for i := range f.Binaries {
			if !f.Binaries[i].TablesFollow() {
				return nil, fmt.Errorf("sharcfb: tables of binaries[%d] do not follow the structure (GX2033): %w", i,
					diag.ErrInvalid)
			}
		}
	}
	c := *f
	c.Endian = to
	c.Programs = slices.Clone(f.Programs)
	for i := range c.Programs {
		for k, list := range c.Programs[i].Symbols.lists() {
			if k == blockList {
				continue
			}
			*list = slices.Clone(*list)
			for j := range *list {
				s := &(*list)[j]
				if len(s.Default)%4 != 0 {
					return nil, fmt.Errorf("sharcfb: programs[%d].%s[%d]: default value of %d bytes (SHARC054): %w", i,
						symbolLists[k].name, j, len(s.Default), diag.ErrInvalid)
				}
				s.Default = swapWords(s.Default)
			}
		}
	}
	return &c, nil
}

// swapWords returns words in the other byte order.
func swapWords(b wire.Hex) wire.Hex {
	if len(b) == 0 {
		return b
	}
	swapped := make(wire.Hex, len(b))
	for i := 0; i < len(b); i += 4 {
		binary.LittleEndian.PutUint32(swapped[i:], binary.BigEndian.Uint32(b[i:]))
	}
	return swapped
}
