package fingerprint

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/fuzz/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/profile"
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
// not execute an opcode, or follow the console, searched and searchedOfKnob the numbers of
// generated ones of each mode among which they are found, and brief their step budget:
// they are predicted under many profiles.
const (
	confirmations  = 8
	searched       = 600
	searchedOfKnob = 150
	brief          = 200
)

// Confirming returns programs that would be answered otherwise if the profile executed
// an opcode that it does not execute, or answered a question as the console or the nearest
// named set does, where few answers speak against that; some for each. The few programs of
// [Jobs] cannot tell an opcode that is skipped from one that is executed wrongly, nor a
// rule from a fault of the one instruction that shows it.
func Confirming(p *pica.Profile, answers []Answer) (jobs []*pica.Job) {
	both := NewSeparator()
	console := profile.HW()
	name, _, _ := strings.Cut(profile.String(*p), ",")
	nearest, _ := profile.ByName(name)
	for d := range Dimensions {
		dim := &Dimensions[d]
		switch {
		case dim.opcodes != nil && !dim.opcodes[0].Reserved():
			jobs = append(jobs, both.separating(dim, p, int(pica.SupportRun), searched)...)
		case dim.IsKnob():
			for k, value := range []int{dim.Get(&console), dim.Get(&nearest)} {
				if (k == 0 || value != dim.Get(&console)) && !dim.supported(p, value, answers, both) {
					jobs = append(jobs, both.separating(dim, p, value, searchedOfKnob)...)
				}
			}
		}
	}
	return jobs
}

// separating returns some generated programs that tell the profile from the one with
// another value. Those for a knob end under both.
func (s *Separator) separating(dim *Dimension, under *pica.Profile, value, most int) (jobs []*pica.Job) {
	q, ok := dim.With(*under, value)
	if !ok || value == dim.Get(under) {
		return nil
	}
	var here, there view.View
	for job := range Generated(1, most) {
		if !dim.concerns(job) {
			continue
		}
		job.Budget = brief
		s.a.View(job, under, &here)
		s.b.View(job, &q, &there)
		if !Distinct(&here, &there) || dim.IsKnob() && (Vague(job, &here) || here.End != view.Ended || there.End != view.Ended) {
			continue
		}
		if jobs = append(jobs, reduce.Clone(job)); len(jobs) == confirmations {
			break
		}
	}
	return jobs
}

// enough is the number of answers that settle a question.
const enough = 3

// supported reports whether so many answers are as the profile predicts and not as it would
// with another value, and none is the other way round.
func (d *Dimension) supported(p *pica.Profile, value int, answers []Answer, both *Separator) bool {
	q, ok := d.With(*p, value)
	if !ok || value == d.Get(p) {
		return true
	}
	var here, there view.View
	n := 0
	for i := range answers {
		a := &answers[i]
		if a.Got.End != view.Ended {
			continue
		}
		both.a.View(a.Job, p, &here)
		both.b.View(a.Job, &q, &there)
		now, then := view.Compare(&here, a.Got, nil), view.Compare(&there, a.Got, nil)
		switch {
		case now == view.Differs && then <= view.Near:
			return false
		case now <= view.Near && then == view.Differs:
			n++
		}
	}
	return n >= enough
}
