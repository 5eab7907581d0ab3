package conform

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// upload is a kind of upload of values to a shader unit.
type upload struct {
	where  string // "uniform", "input"
	format pica.NumberFormat
}

// name names the kind of an uploaded value: "uniform float32 -0".
func (u upload) name(x uint32) string {
	class := u.format.Class(x)
	kind := class.String()
	normal := class == pica.ClassPosNormal || class == pica.ClassNegNormal
	if u.format == pica.Float32 && normal && x&(1<<7-1) != 0 {
		kind += " of more than 16 bits"
	}
	return u.where + " " + u.format.String() + " " + kind
}

// vectors yields the vectors that a job uploads, to be read or changed.
func vectors(job *pica.Job) iter.Seq2[upload, *pica.Vec4] {
	return func(yield func(upload, *pica.Vec4) bool) {
		for _, u := range job.Floats {
			for i := range u.Values {
				if !yield(upload{"uniform", u.Format}, &u.Values[i]) {
					return
				}
			}
		}
		for _, row := range job.Vertices {
			for i := range row {
				if !yield(upload{"input", job.InputFormat}, &row[i]) {
					return
				}
			}
		}
	}
}

// nameOfUpload names the kinds of values that a job uploads, +0 if there is no other: "upload of input float32 -0".
func nameOfUpload(job *pica.Job) string {
	var names, zeros []string
	for u, v := range vectors(job) {
		for _, x := range v {
			if x != 0 {
				names = append(names, u.name(x))
			} else {
				zeros = append(zeros, u.name(x))
			}
		}
	}
	if len(names) == 0 {
		names = zeros
	}
	slices.Sort(names)
	return "upload of " + strings.Join(slices.Compact(names), ", ")
}

// wrongAnywhere reports whether the values that a job uploads are wrong in whatever registers its moves write them to:
// in other outputs, and in temporaries, if the core shows them. If not, the fault is not in the upload.
func (s *session) wrongAnywhere(ctx context.Context, job *pica.Job) bool {
	dest := pica.MOV.Layout().Dest
	for _, first := range []uint32{pica.DestOutput + 2, pica.DestTemporary} {
		moved := reduce.Clone(job)
		for i, word := range moved.Code {
			if pica.OpcodeOf(word) == pica.MOV {
				moved.Code[i] = dest.Put(word, first+dest.Get(word))
			}
		}
		j := s.newJudge(ctx)
		if j.ask(moved, false) == Equal && (first != pica.DestTemporary || j.answer.Unreported&pica.RegTemporaries == 0) {
			return false
		}
	}
	return true
}
