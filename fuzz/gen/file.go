package gen

import (
	"encoding"
	"fmt"
)

// Format makes files of one container.
type Format struct {
	Name string // as in formats/registry
	// File draws a valid file, one about which Check has nothing to say.
	File func(c *Choices) []byte
	// Odd draws a file that is accepted; Check may warn about it.
	Odd func(c *Choices) []byte
	// Twins draws content once and writes it twice: in a layout of which nothing is an
	// error, and as the canonical form of that file has to be.
	Twins func(c *Choices) (file, canonical []byte)
	// Faults has at least one entry for every rule of the format.
	Faults []Fault
}

// Written makes files of models. It passes over models that the writer refuses;
// a generator of models has few of them.
func Written[M encoding.BinaryAppender](model func(c *Choices) M) func(c *Choices) []byte {
	const tries = 16
	return func(c *Choices) []byte {
		for range tries {
			if b, err := model(c).AppendBinary(nil); err == nil {
				return b
			}
		}
		return nil
	}
}

// Unchecked returns the bytes of a model whatever rules they break. The model is
// one that a generator made: it panics when it cannot be written at all.
func Unchecked(m interface {
	AppendUnchecked(b []byte) ([]byte, error)
}) []byte {
	b, err := m.AppendUnchecked(nil)
	if err != nil {
		panic(fmt.Sprintf("gen: %v", err))
	}
	return b
}
