// Package gen serves this module: it makes jobs from a stream of choices. The same stream gives the
// same job on every platform, whoever supplies it: a seed, the input of a native fuzz target, or a
// property's random source.
package gen

//go:generate go test -run ^TestSameSeedSameBytes$ -update .

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	gofuzz "github.com/google/gofuzz"
)

// Source is a stream of choices. rand.Source of math/rand/v2 is one.
type Source interface{ Uint64() uint64 }

// Seed returns the stream of job number n of a campaign with the given seed, so
// that any job of a campaign can be made again alone.
func Seed(seed, n uint64) Source { return rand.NewPCG(seed, n) }

// Choices carves small decisions out of the 64-bit words of a source, so that
// little of a fuzz input is wasted.
type Choices struct {
	src  Source
	word uint64
	left int            // bits of word not yet used
	miss *Miss          // set while a near miss is drawn
	any  *gofuzz.Fuzzer // draws scalars, once some are
}

// From returns the choices that a source makes.
func From(src Source) *Choices { return &Choices{src: src} }

// Bits returns n bits, at most 64.
func (c *Choices) Bits(n int) uint64 {
	if c.left < n {
		c.word, c.left = c.src.Uint64(), 64
	}
	v := c.word & (1<<n - 1)
	c.word >>= n
	c.left -= n
	return v
}

// Below returns a number from 0 to n-1, for n from 1 to 2^31; with eight bits
// more than n needs the bias is below one in 256.
func (c *Choices) Below(n int) int {
	k := bits.Len(uint(n-1)) + 8
	high, low := bits.Mul64(c.Bits(k), uint64(n))
	return int(high<<(64-k) | low>>k)
}

// Chance is true n times out of 16.
func (c *Choices) Chance(n int) bool { return int(c.Bits(4)) < n }

// Data draws n bytes.
func (c *Choices) Data(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(c.Bits(8))
	}
	return b
}

// Pick returns one element of a non-empty list.
func Pick[T any](c *Choices, list []T) T { return list[c.Below(len(list))] }

// Shuffled returns the list in any order; with choices of zero as it is.
func Shuffled[T any](c *Choices, list []T) []T {
	list = slices.Clone(list)
	for i := range list {
		j := i + c.Below(len(list)-i)
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// Order returns the numbers below n in any order; with choices of zero they ascend.
func Order(c *Choices, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return Shuffled(c, list)
}
