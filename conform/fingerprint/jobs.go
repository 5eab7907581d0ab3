package fingerprint

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

//go:embed zjobs.jsonl.gz
var stored []byte

// Data returns the stored jobs as lines of [Stored].
var Data = sync.OnceValues(func() ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(stored))
	if err != nil {
		return nil, fmt.Errorf("zjobs.jsonl.gz: %w", err)
	}
	return io.ReadAll(r)
})

// Stored is a job of the fingerprint as data.
type Stored struct {
	// Separates names the profile and the values that the job separates: "hw: round rz, rne".
	Separates string          `json:"separates"`
	Job       json.RawMessage `json:"job"`
}

// Jobs returns the jobs of the fingerprint: the stored ones, and programs that ask for the support of each
// opcode. They are shared and must not be changed.
var Jobs = sync.OnceValues(func() (jobs []*pica.Job, err error) {
	data, err := Data()
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, len(data)+1)
	for n := 1; lines.Scan(); n++ {
		var s Stored
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("zjobs.jsonl.gz:%d: %w", n, err)
		}
		job, err := pica.ParseJob(s.Job, func(string) (pica.Profile, error) { return pica.Profile{}, nil })
		if err != nil {
			return nil, fmt.Errorf("zjobs.jsonl.gz:%d: %w", n, err)
		}
		jobs = append(jobs, view.Portable(job))
	}
	for _, p := range probes() {
		jobs = append(jobs, p.job)
	}
	return jobs, lines.Err()
})

// confirmations is the number of programs that confirm an opcode that a core does not execute,
// or a knob with another value. The programs are found among searched generated programs of each
// mode for an opcode, among searchedOfKnob for a knob. brief is their step budget, because each
// is predicted under many profiles.
const (
	confirmations  = 8
	searched       = 600
	searchedOfKnob = 150
	brief          = 200
)

// Confirming returns programs for two kinds of doubts: an opcode that the profile does not
// execute, and a knob that differs from the console and from the nearest named set while few
// answers show that. A core that lacks opcodes fails many programs of [Jobs], so that for it every
// other value of a knob is in doubt; it is asked for programs without these opcodes. The answers
// would change with the other value. There are some programs for each doubt: the few programs of
// [Jobs] cannot distinguish a skipped opcode from a wrongly executed one, or a rule from a fault of
// the one instruction that shows it.
func Confirming(p *pica.Profile, answers []Answer) (jobs []*pica.Job) {
	both := NewSeparator()
	console := profile.HW()
	name, _, _ := strings.Cut(profile.String(*p), ",")
	nearest, _ := profile.ByName(name)
	lacks := lacksOf(answers)
	partial := len(lacks.List) > 0
	var doubts []doubt
	add := func(dim *Dimension, value, most int) {
		if q, ok := dim.With(*p, value); ok && value != dim.Get(p) {
			doubts = append(doubts, doubt{dim: dim, other: q, most: most, predict: NewPredictor()})
		}
	}
	for d := range Dimensions {
		dim := &Dimensions[d]
		switch {
		case dim.opcodes != nil && !dim.opcodes[0].Reserved():
			add(dim, int(pica.SupportRun), searched)
		case dim.IsKnob():
			for value := range dim.Values {
				if (partial || value == dim.Get(&console) || value == dim.Get(&nearest)) &&
					!dim.supported(p, value, answers, both) {
					add(dim, value, searchedOfKnob)
				}
			}
		}
	}
	confirm(doubts, p, lacks)
	for k := range doubts {
		jobs = append(jobs, doubts[k].jobs...)
	}
	for i := range answers {
		if job := lacks.without(answers[i].Job); job != answers[i].Job && len(job.Code) > longestProbe {
			job.Initial = nil
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// A doubt is a profile that differs from the core's in the answer to one question.
type doubt struct {
	dim     *Dimension // the question
	other   pica.Profile
	most    int // the number of generated programs of each mode to search
	predict *Predictor
	jobs    []*pica.Job // programs that separate the two profiles
}

// orderly reports whether a core ends like this on purpose.
func orderly(end view.End) bool { return end == view.Ended || end == view.Refused }

// confirm finds generated programs for doubts about a profile. Programs for a knob have an orderly end
// under both profiles.
func confirm(doubts []doubt, p *pica.Profile, lacks *Lacks) {
	most, open := 0, len(doubts)
	for k := range doubts {
		most = max(most, doubts[k].most)
	}
	predict := NewPredictor()
	var here, there view.View
	n := 0
	for job := range Generated(1, most) {
		if open == 0 {
			break
		}
		job = lacks.without(job)
		number, predicted, extent := n/len(gen.Modes), false, extentOf(job)
		n++
		for k := range doubts {
			d := &doubts[k]
			if len(d.jobs) == confirmations || number >= d.most || !d.dim.concerns(&extent) {
				continue
			}
			if !predicted {
				job.Budget, predicted = brief, true
				predict.View(job, p, &here)
			}
			d.predict.View(job, &d.other, &there)
			if !Distinct(&here, &there) || d.dim.IsKnob() &&
				(Vague(job, &here) || !orderly(here.End) || !orderly(there.End)) {
				continue
			}
			if d.jobs = append(d.jobs, reduce.Clone(job)); len(d.jobs) == confirmations {
				open--
			}
		}
	}
}

// enough is the number of answers that settle a question.
const enough = 3

// supported reports whether enough answers confirm the profile and contradict the profile with
// another value, and no answer does the opposite.
func (d *Dimension) supported(p *pica.Profile, value int, answers []Answer, both *Separator) bool {
	q, ok := d.With(*p, value)
	if !ok || value == d.Get(p) {
		return true
	}
	var here, there view.View
	n := 0
	for i := range answers {
		a := &answers[i]
		if e := extentOf(a.Job); a.Got.End != view.Ended || !d.concerns(&e) {
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
