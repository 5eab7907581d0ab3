package bnsh

import (
	"bytes"
	"slices"

	"github.com/picaproof/picaproof/formats/wire"
)

// Equal reports whether two files have the same content, wherever the bytes
// stand. A nil slice equals an empty one.
func (f *File) Equal(g *File) bool {
	var c comparison
	return f.Header == g.Header &&
		both(f.PoolProperty, g.PoolProperty, func(a, b *uint32) bool { return *a == *b }) &&
		slices.EqualFunc(f.Variations, g.Variations, c.variations)
}

// both reports whether neither is there or both are and are the same.
func both[T any](a, b *T, same func(a, b *T) bool) bool {
	return (a == nil) == (b == nil) && (a == nil || same(a, b))
}

// bothStages is both for each stage.
func bothStages[T any](a, b *PerStage[T], same func(a, b *T) bool) bool {
	for s := range a {
		if !both(a[s], b[s], same) {
			return false
		}
	}
	return true
}

// comparison remembers which blobs were found equal: a file may refer to a
// large one many times.
type comparison struct{ known map[blobPair]bool }

type blobPair struct{ a, b blobID }

// large is the size from which a comparison is worth remembering.
const large = 128

func (c *comparison) blobs(a, b wire.Hex) bool {
	if len(a) != len(b) || len(a) < large {
		return bytes.Equal(a, b)
	}
	pair := blobPair{identify(a), identify(b)}
	equal, seen := c.known[pair]
	if !seen {
		if c.known == nil {
			c.known = make(map[blobPair]bool)
		}
		equal = bytes.Equal(a, b)
		c.known[pair] = equal
	}
	return equal
}

func (c *comparison) variations(a, b Variation) bool {
	return both(a.Source, b.Source, c.programs) &&
		both(a.Intermediate, b.Intermediate, c.programs) &&
		both(a.Binary, b.Binary, c.programs)
}

func (c *comparison) programs(a, b *Program) bool {
	return a.Flags == b.Flags &&
		a.CodeType == b.CodeType &&
		a.SourceFormat == b.SourceFormat &&
		a.BinaryFormat == b.BinaryFormat &&
		a.ObjectSize == b.ObjectSize &&
		bothStages(&a.Stages, &b.Stages, c.codes) &&
		both(a.Reflection, b.Reflection, func(a, b *PerStage[StageReflection]) bool {
			return bothStages(a, b, (*StageReflection).equal)
		})
}

func (c *comparison) codes(a, b *Code) bool {
	return a.ScratchRecommended == b.ScratchRecommended &&
		a.ScratchPerWarp == b.ScratchPerWarp &&
		a.UnpackedSize == b.UnpackedSize &&
		c.blobs(a.Control, b.Control) &&
		c.blobs(a.Code, b.Code) &&
		slices.EqualFunc(a.Texts, b.Texts, c.blobs)
}

func (s *StageReflection) equal(t *StageReflection) bool {
	for k := range s.Tables {
		if s.Tables[k].First != t.Tables[k].First || !slices.Equal(s.Tables[k].Keys, t.Tables[k].Keys) {
			return false
		}
	}
	return s.WorkGroup == t.WorkGroup && s.Extended == t.Extended && slices.Equal(s.Slots, t.Slots)
}
