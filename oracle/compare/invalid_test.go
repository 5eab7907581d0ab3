package compare_test

import (
	"errors"
	"testing"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// TestEnginesRefuseTheSameJobs: the contract, not the engine, says which jobs are invalid.
func TestEnginesRefuseTheSameJobs(t *testing.T) {
	for name, spoil := range map[string]func(j *pica.Job){
		"code":           func(j *pica.Job) { j.Code = make([]uint32, pica.MaxCode+1) },
		"descriptors":    func(j *pica.Job) { j.Descriptors = make([]uint32, pica.MaxDescriptors+1) },
		"entry":          func(j *pica.Job) { j.Entry = pica.MaxCode },
		"negative entry": func(j *pica.Job) { j.Entry = -1 },
		"stage":          func(j *pica.Job) { j.Stage = 2 },
		"budget":         func(j *pica.Job) { j.Budget = -1 },
		"input form":     func(j *pica.Job) { j.InputFormat = 2 },
		"upload":         func(j *pica.Job) { j.Floats = []pica.Upload{{Register: -1}} },
		"upload form":    func(j *pica.Job) { j.Floats = []pica.Upload{{Format: 2}} },
		"inputs":         func(j *pica.Job) { j.Vertices = [][]pica.Vec4{make([]pica.Vec4, 17)} },
	} {
		for _, engine := range []pica.Engine{impl.New(), vm.New()} {
			job := &pica.Job{Program: pica.Program{Code: []uint32{0x88000000}}, Vertices: [][]pica.Vec4{nil}}
			var out pica.Outcome
			if err := engine.Run(job, &out); err != nil {
				t.Fatalf("%s: sound job: %v", engine.Name(), err)
			}
			spoil(job)
			if err := engine.Run(job, &out); !errors.Is(err, pica.ErrInvalidJob) {
				t.Errorf("%s: %s: got %v, want an invalid job", engine.Name(), name, err)
			}
		}
	}
}
