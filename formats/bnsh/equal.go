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

// comparison remembers which large blobs and lists of keys were found equal: a
// file may refer to one many times, and Parse makes equal lists one.
type comparison struct {
	knownBlobs pairs[byte]
	knownKeys  pairs[Text]
}

// pairs has the results for the pairs of slices that were compared so far.
type pairs[T any] map[[2]sliceID[T]]bool

// equal returns same(a, b), and calls same once for each pair. The slices have the same length, above 0.
func (p *pairs[T]) equal(a, b []T, same func(a, b []T) bool) bool {
	pair := [2]sliceID[T]{identify(a), identify(b)}
	equal, seen := (*p)[pair]
	if !seen {
		if *p == nil {
			*p = make(pairs[T])
		}
		equal = same(a, b)
		(*p)[pair] = equal
	}
	return equal
}

// large is the size from which the comparison of a blob is worth remembering.
const large = 128

func (c *comparison) blobs(a, b wire.Hex) bool {
	if len(a) != len(b) || len(a) < large {
		return bytes.Equal(a, b)
	}
	return c.knownBlobs.equal(a, b, bytes.Equal)
}

func (c *comparison) keys(a, b []Text) bool {
	if len(a) != len(b) || len(a) < frequent {
		return slices.Equal(a, b)
	}
	return c.knownKeys.equal(a, b, slices.Equal)
}

func (c *comparison) variations(a, b Variation) bool {
	return both(a.Source, b.Source, c.programs) &&
		both(a.Intermediate, b.Intermediate, c.programs) &&
		both(a.Binary, b.Binary, c.programs)
}

func (c *comparison) programs(a, b *Program) bool {
	return a.sameScalars(b) &&
		bothStages(&a.Stages, &b.Stages, c.codes) &&
		both(a.Reflection, b.Reflection, func(a, b *PerStage[StageReflection]) bool {
			return bothStages(a, b, c.reflections)
		})
}

func (c *comparison) codes(a, b *Code) bool {
	return a.sameScalars(b) &&
		c.blobs(a.Control, b.Control) &&
		c.blobs(a.Code, b.Code) &&
		slices.EqualFunc(a.Texts, b.Texts, c.blobs)
}

func (c *comparison) reflections(a, b *StageReflection) bool {
	for k := range a.Tables {
		if a.Tables[k].First != b.Tables[k].First || !c.keys(a.Tables[k].Keys, b.Tables[k].Keys) {
			return false
		}
	}
	return a.WorkGroup == b.WorkGroup && a.Extended == b.Extended && slices.Equal(a.Slots, b.Slots)
}
