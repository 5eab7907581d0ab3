package registry

import (
	"encoding/binary"
	"iter"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
)

// Variation is one of the forms of a program in an archive, or a group of shaders of a GSH that
// are used together.
type Variation struct {
	Program  wire.Text         `json:"program"`
	Index    int               `json:"index"`
	Settings []sharcfb.Setting `json:"settings,omitempty"` // macro values that select it, in a SHARCFB
	Shaders  []StageCode       `json:"shaders"`
	// SameAs is the first variation of a BNSH with the same stages and the same code in each; nil for
	// that variation itself.
	SameAs *int `json:"same_as,omitempty"`
}

// StageCode is the code of one stage of a variation.
type StageCode struct {
	Stage  string `json:"stage"`
	Binary *int   `json:"binary,omitempty"` // index in a SHARCFB or GSH
	Type   string `json:"type,omitempty"`   // code type in a BNSH
	Bytes  int64  `json:"bytes"`
	// Offset is where the code is in a BNSH. It is nil for the texts of a source array.
	Offset *uint32 `json:"offset,omitempty"`
}

// Variations yields the variations of a document; ok is false for a format that
// has none.
func Variations(doc Document) (list iter.Seq[Variation], ok bool) {
	switch f := doc.Model().(type) {
	case *sharcfb.File:
		return sharcfbVariations(f, func(sharcfb.Variation) bool { return true }), true
	case *bnsh.File:
		return bnshVariations(f), true
	case *gsh.File:
		return gshGroups(f), true
	}
	return nil, false
}

// VariationOf yields the variation of a program with the given index, if it exists.
func VariationOf(f *sharcfb.File, program, index int) iter.Seq[Variation] {
	list := sharcfbVariations(f, func(v sharcfb.Variation) bool { return v.Program == program && v.Index == index })
	return func(yield func(Variation) bool) {
		for v := range list { // an archive can have more variations than bytes
			yield(v)
			return
		}
	}
}

// sharcfbStages names the stages of a variation in the order of its binaries.
var sharcfbStages = [...]string{"vertex", "pixel", "geometry"}

func sharcfbVariations(f *sharcfb.File, wanted func(v sharcfb.Variation) bool) iter.Seq[Variation] {
	return func(yield func(Variation) bool) {
		for v := range f.Variations() {
			if !wanted(v) {
				continue
			}
			r := Variation{Program: f.Programs[v.Program].Name, Index: v.Index, Settings: v.Settings,
				Shaders: []StageCode{}}
			for stage, index := range v.Binaries {
				s := StageCode{Stage: sharcfbStages[stage], Binary: &index}
				if index < len(f.Binaries) {
					s.Bytes = int64(len(f.Binaries[index].Code))
				}
				r.Shaders = append(r.Shaders, s)
			}
			if !yield(r) {
				return
			}
		}
	}
}

func bnshVariations(f *bnsh.File) iter.Seq[Variation] {
	return func(yield func(Variation) bool) {
		next := Variation{Shaders: []StageCode{}}
		first, code := make(map[string]int), []byte(nil) // the first variation by the code of all its stages
		// upTo yields the variations before the given one; they may have no code.
		upTo := func(variation int) bool {
			for ; next.Index < variation; next = (Variation{Index: next.Index + 1, Shaders: []StageCode{}}) {
				if len(code) > 0 {
					if same, seen := first[string(code)]; seen {
						next.SameAs = &same
					} else {
						first[string(code)] = next.Index
					}
				}
				code = code[:0]
				if !yield(next) {
					return false
				}
			}
			return true
		}
		for c := range f.Codes() {
			if !upTo(c.Variation) {
				return
			}
			s := StageCode{Stage: c.Stage.String(), Type: c.Program.CodeType.String(), Bytes: c.Code.Size()}
			if offsets := c.Offsets(); offsets != nil {
				code = append(code, byte(c.Slot), byte(c.Stage))
				code = binary.LittleEndian.AppendUint32(code, uint32(len(offsets)))
				for _, off := range offsets {
					code = binary.LittleEndian.AppendUint32(code, off)
				}
				if len(c.Code.Texts) == 0 {
					s.Offset = &offsets[0]
				}
			}
			next.Shaders = append(next.Shaders, s)
		}
		upTo(len(f.Variations))
	}
}

// gshGroups yields the shaders of a GSH that are used together.
func gshGroups(f *gsh.File) iter.Seq[Variation] {
	return func(yield func(Variation) bool) {
		for k, group := range f.Groups() {
			v := Variation{Index: k, Shaders: []StageCode{}}
			for _, i := range group {
				if i == gsh.NoShader {
					continue
				}
				s := &f.Shaders[i]
				v.Shaders = append(v.Shaders, StageCode{Stage: s.Type.String(), Binary: &i, Bytes: int64(len(s.Code))})
				if len(s.CopyCode) > 0 {
					v.Shaders = append(v.Shaders, StageCode{Stage: gsh.CopyStage, Binary: &i,
						Bytes: int64(len(s.CopyCode))})
				}
			}
			if !yield(v) {
				return
			}
		}
	}
}
