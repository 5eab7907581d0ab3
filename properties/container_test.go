package properties_test

import (
	"errors"
	"testing"

	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/properties/arb"
)

// TestProgramsRunAlikeInEveryContainer: a job whose program, entry point and constants come
// out of a file has the same outcome as before, in every container that can hold the program.
func TestProgramsRunAlikeInEveryContainer(t *testing.T) {
	held, runs := map[string]int{}, 0
	ofEngines(t, func(t *testing.T, engine pica.Engine) {
		holds(t, 200, jobs, func(j arb.Job) error {
			runs++
			want, err := outcome(engine, j.Job)
			if err != nil {
				return err
			}
			file, rest := contained(j.Job)
			if _, err := file.AppendBinary(nil); errors.Is(err, diag.ErrInvalid) {
				return nil // random words break rules of files
			}
			for _, target := range convert.Targets {
				shader, err := through(target, file)
				var refused *convert.RefusedError
				if errors.As(err, &refused) {
					continue
				}
				if err != nil {
					return failure(j.Job, "%s: %v", target.Name, err)
				}
				got, err := outcome(engine, loaded(rest, shader))
				if err != nil {
					return err
				}
				if err := same(j.Job, want, got); err != nil {
					return failure(j.Job, "out of %s: %v", target.Name, err)
				}
				held[target.Name]++
			}
			return nil
		})
	})
	for _, target := range convert.Targets {
		if held[target.Name] < runs/20 {
			t.Errorf("%s held %d of %d programs", target.Name, held[target.Name], runs)
		}
	}
	t.Log(held)
}

// contained returns a file with the program of a job and its constants, and the
// job without them. Uploads in float32 have no place in a file.
func contained(job *pica.Job) (*shbin.File, *pica.Job) {
	e := shbin.DVLE{Type: shbin.Type(job.Stage), Entry: uint32(job.Entry), End: uint32(len(job.Code)), OutputMask: 1}
	e.Outputs = []shbin.Output{{Semantic: shbin.Position, Register: 0, Mask: 15}}
	f := &shbin.File{DVLP: shbin.DVLP{Code: job.Code}}
	for _, d := range job.Descriptors {
		f.DVLP.Descriptors = append(f.DVLP.Descriptors, shbin.Descriptor{Word: d})
	}
	rest := with(job, func(j *pica.Job) {
		j.Program, j.Entry, j.Floats, j.Ints, j.Bools = pica.Program{}, 0, nil, [pica.NumInts][4]uint8{}, 0
	})
	for _, u := range visible(singles(job.Floats)) {
		if u.Format == pica.Float24 && u.Register < pica.NumFloats {
			v := u.Values[0]
			e.Constants = append(e.Constants, shbin.FloatConstant(uint8(u.Register), v[0], v[1], v[2], v[3]))
		} else {
			rest.Floats = append(rest.Floats, u)
		}
	}
	for k, v := range job.Ints {
		e.Constants = append(e.Constants, shbin.IntConstant(uint8(k), v[0], v[1], v[2], v[3]))
	}
	for k := range pica.NumBools {
		e.Constants = append(e.Constants, shbin.BoolConstant(uint8(k), job.Bools>>k&1 != 0))
	}
	f.DVLEs = []shbin.DVLE{e}
	return f, rest
}

// through writes a file as another format and returns the shader that is read
// from its bytes.
func through(target convert.Target, file *shbin.File) (s pica.Shader, err error) {
	model, _, err := target.Convert(file, convert.Options{})
	if err != nil {
		return s, err
	}
	b, err := model.AppendBinary(nil)
	if err != nil {
		return s, err
	}
	format, ok := registry.Detect("a.csdr", b)
	if !ok {
		return s, errors.New("no format has these bytes")
	}
	doc, err := format.Parse(b)
	if err != nil {
		return s, err
	}
	return doc.(registry.Shaders).Shaders()[0], nil
}

// loaded returns a job with the program and the constants of a shader.
func loaded(job *pica.Job, s pica.Shader) *pica.Job {
	return with(job, func(j *pica.Job) {
		j.Program, j.Entry = s.Program, s.Entry
		j.Floats = append(s.Floats[:len(s.Floats):len(s.Floats)], job.Floats...)
		for k, v := range s.Ints {
			j.Ints[k] = v
		}
		for k, set := range s.Bools {
			if set {
				j.Bools |= 1 << k
			}
		}
	})
}
