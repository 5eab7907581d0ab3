// Package gen makes jobs from a stream of choices. The same stream gives the
// same job on every platform, whoever supplies it: a seed, the input of a
// native fuzz target, or a property's random source.
package gen

import (
	"math/bits"
	"math/rand/v2"
)

// Source is a stream of choices. rand.Source of math/rand/v2 is one.
type Source interface{ Uint64() uint64 }

// Seed returns the stream of job number n of a campaign with the given seed, so
// that any job of a campaign can be made again alone.
func Seed(seed, n uint64) Source { return rand.NewPCG(seed, n) }

// choices carves small decisions out of the 64-bit words of a source, so that
// little of a fuzz input is wasted.
type choices struct {
	src  Source
	word uint64
	left int // bits of word not yet used
}

func (c *choices) bits(n int) uint64 {
	if c.left < n {
		c.word, c.left = c.src.Uint64(), 64
	}
	v := c.word & (1<<n - 1)
	c.word >>= n
	c.left -= n
	return v
}

// below returns a number from 0 to n-1; with eight bits more than n needs the
// bias is below one in 256.
func (c *choices) below(n int) int {
	k := bits.Len(uint(n-1)) + 8
	return int(c.bits(k) * uint64(n) >> k)
}

// chance is true n times out of 16.
func (c *choices) chance(n int) bool { return int(c.bits(4)) < n }

// pick returns one element of a non-empty list.
func pick[T any](c *choices, list []T) T { return list[c.below(len(list))] }
