package bnsh

import (
	"fmt"
	"io"
	"iter"

	"github.com/picaproof/picaproof/formats/wire"
)

// StageCode is the code of one stage of a variation.
type StageCode struct {
	Variation int
	Slot      Slot
	Stage     Stage
	Program   *Program
	Code      *Code
	Layout    *CodeLayout // nil without a stored layout
}

// Offsets returns where the bytes of the code are in the file: one offset, or one for each text.
// Two stages with the same offsets share their code. It is nil without a stored layout.
func (c StageCode) Offsets() []uint32 {
	switch {
	case c.Layout == nil:
		return nil
	case c.Program.form() == textForm:
		return c.Layout.Texts
	}
	return []uint32{c.Layout.Code}
}

// Codes yields the code of every stage, by variation, slot and stage.
func (f *File) Codes() iter.Seq[StageCode] {
	return func(yield func(StageCode) bool) {
		var programs []ProgramLayout
		if f.fits(f.Layout) {
			programs = f.Layout.Programs
		}
		for i := range f.Variations {
			for slot := range Slot(NumSlots) {
				p := f.Variations[i].Program(slot)
				if p == nil {
					continue
				}
				var at PerStage[CodeLayout]
				if len(programs) > 0 {
					at, programs = programs[0].Stages, programs[1:]
				}
				for s, code := range p.Stages {
					if code != nil && !yield(StageCode{i, slot, Stage(s), p, code, at[s]}) {
						return
					}
				}
			}
		}
	}
}

// extractionOrder is which program of a variation is taken if none is named.
var extractionOrder = [...]Slot{BinarySlot, IntermediateSlot, SourceSlot}

// Stage returns the code of a stage of a variation, of the first of its binary,
// intermediate and source programs that has the stage. It fails when there is
// no such variation or stage. The result has no Layout.
func (f *File) Stage(variation int, stage Stage) (StageCode, error) {
	if variation < 0 || variation >= len(f.Variations) {
		return StageCode{}, fmt.Errorf("bnsh: no variation %d; there are %d", variation, len(f.Variations))
	}
	for _, slot := range extractionOrder {
		p := f.Variations[variation].Program(slot)
		if p != nil && stage < NumStages && p.Stages[stage] != nil {
			return StageCode{variation, slot, stage, p, p.Stages[stage], nil}, nil
		}
	}
	return StageCode{}, fmt.Errorf("bnsh: variation %d has no %v stage", variation, stage)
}

// Size returns how many bytes WriteTo writes. Texts that are one in the file
// count each time, so it may be far larger than the file.
func (c *Code) Size() int64 {
	if len(c.Texts) == 0 {
		return int64(len(c.Code))
	}
	n := int64(0)
	for _, text := range c.Texts {
		n += int64(len(text))
	}
	return n
}

// WriteTo writes the code as it stands in the file: packed if it is packed, the
// texts of a source array one after the other. It implements io.WriterTo.
func (c *Code) WriteTo(w io.Writer) (written int64, err error) {
	parts := c.Texts
	if len(parts) == 0 {
		parts = []wire.Hex{c.Code}
	}
	for _, part := range parts {
		n, err := w.Write(part)
		written += int64(n)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}
