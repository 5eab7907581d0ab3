package fingerprint

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/picaproof/picaproof/fuzz/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

//go:embed zjobs.jsonl
var stored []byte

// Data returns the stored jobs as lines of [Stored].
func Data() []byte { return stored }

// Stored is a job of the fingerprint as data.
type Stored struct {
	// Separates names what the job was found for: "hw: round rz, rne".
	Separates string          `json:"separates"`
	Job       json.RawMessage `json:"job"`
}

// Jobs returns the jobs of the fingerprint. They are shared and must not be changed.
var Jobs = sync.OnceValues(func() (jobs []*pica.Job, err error) {
	lines := bufio.NewScanner(bytes.NewReader(stored))
	lines.Buffer(nil, len(stored)+1)
	for n := 1; lines.Scan(); n++ {
		var s Stored
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("zjobs.jsonl:%d: %w", n, err)
		}
		job, err := pica.ParseJob(s.Job, func(string) (pica.Profile, error) { return pica.Profile{}, nil })
		if err != nil {
			return nil, fmt.Errorf("zjobs.jsonl:%d: %w", n, err)
		}
		jobs = append(jobs, view.Portable(job))
	}
	return jobs, lines.Err()
})

// confirmations is the number of programs with which it is confirmed that a core does
// not execute an opcode, searched the number of generated ones of each mode among which
// they are found, and brief their step budget: they are predicted under many profiles.
const (
	confirmations = 8
	searched      = 600
	brief         = 200
)

// Confirming returns programs that would be answered otherwise if the profile executed
// an opcode that it does not execute, some for each such opcode. The few programs of
// [Jobs] cannot tell an opcode that is skipped from one that is executed wrongly.
func Confirming(p *pica.Profile) (jobs []*pica.Job) {
	predict := NewPredictor()
	var skips, runs view.View
	for d := range Dimensions {
		dim := &Dimensions[d]
		q, ok := dim.With(*p, int(pica.SupportRun))
		if dim.opcodes == nil || !ok || dim.opcodes[0].Reserved() || dim.Get(p) == int(pica.SupportRun) {
			continue
		}
		found := 0
		for job := range Generated(1, searched) {
			if !dim.concerns(job) {
				continue
			}
			job.Budget = brief
			predict.View(job, p, &skips)
			predict.View(job, &q, &runs)
			if !Distinct(&skips, &runs) {
				continue
			}
			jobs = append(jobs, reduce.Clone(job))
			if found++; found == confirmations {
				break
			}
		}
	}
	return jobs
}
