package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/picaproof/picaproof/fuzz/campaign"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/vm"
)

// reducedCase shows a reduced job: as a program with its inputs, as JSON, and
// as the command that repeats what it shows.
type reducedCase struct {
	Instructions int             `json:"instructions"`
	Job          json.RawMessage `json:"job"`
	Assembly     string          `json:"assembly"`
	Inputs       []string        `json:"inputs"`
	Text         string          `json:"difference,omitempty"`
	Reproduce    string          `json:"reproduce"`
	Reduction    reduce.Report   `json:"reduction"`
}

// readJob reads a job from a file, from standard input, or from the argument
// itself.
func (a *app) readJob(arg string) (*pica.Job, error) {
	data, name := []byte(arg), "job"
	if !isJob(data) {
		var err error
		if data, err = a.read(arg); err != nil {
			return nil, err
		}
		name = arg
	}
	job, err := pica.ParseJob(data, jobProfile)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return job, nil
}

// isJob reports whether data is a JSON object rather than a shader file.
func isJob(data []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) }

// jobProfile is the profile that a job names; f24 when it names none.
func jobProfile(name string) (pica.Profile, error) {
	if name == "" {
		name = "f24"
	}
	return profile.Parse(name)
}

// difference is how jobs are judged when what counts is the bucket of a
// difference between oracle and VM.
func difference() reduce.Jobs { return campaign.Difference(oracle.New, vm.New) }

// bucketTries limits the reduction of one bucket of a campaign.
const bucketTries = 20_000

// reduceBucket reduces a job on which oracle and VM differ. One that shows
// nothing on engines that have run no other is left as it is.
func reduceBucket(ctx context.Context, job *pica.Job, workers int) (reducedCase, error) {
	r, err := reduce.Job(ctx, job, difference(), reduce.Options{Workers: workers, MaxTries: bucketTries})
	switch {
	case errors.Is(err, reduce.ErrNothing):
		c, err := caseOf(reduce.JobResult{Job: job, Report: reduce.Report{End: reduce.Minimal, Kinds: []reduce.Count{}}})
		c.Text = "only after other jobs: alone, on new engines, it shows no difference"
		c.Reproduce = "picaproof compare --job " + quoted(string(c.Job))
		return c, err
	case err != nil:
		return reducedCase{}, err
	}
	return differenceCase(r)
}

// differenceCase shows a reduced difference.
func differenceCase(r reduce.JobResult) (reducedCase, error) {
	c, err := caseOf(r)
	if err != nil {
		return c, err
	}
	at, _, err := newJudge().Find(r.Job)
	c.Text = at.Difference.String()
	if at.Step >= 0 {
		c.Text += " after " + asm.Format(at.Word, r.Job.Descriptors)
	}
	c.Reproduce = "picaproof compare --job " + quoted(string(c.Job))
	return c, err
}

// caseOf shows a reduced job, but for what it shows.
func caseOf(r reduce.JobResult) (reducedCase, error) {
	text, err := json.Marshal(r.Job)
	shader := pica.Shader{Program: r.Job.Program, Entry: r.Job.Entry, Stage: r.Job.Stage, OutMask: r.Job.OutMask}
	return reducedCase{Instructions: len(r.Job.Code), Job: text, Assembly: listing(&shader), Inputs: inputLines(r.Job), Reduction: r.Report}, err
}

// quoted returns s as one word of a shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// text prints the case under its heading.
func (c *reducedCase) text(w io.Writer) {
	if c.Text != "" {
		fmt.Fprintf(w, "  %s\n", c.Text)
	}
	for line := range strings.Lines(c.Assembly) {
		fmt.Fprint(w, strings.TrimRight("    "+line, " \n"), "\n")
	}
	for _, line := range c.Inputs {
		fmt.Fprintf(w, "    %s\n", line)
	}
	fmt.Fprintf(w, "  %s, %s\n  %s\n\n", c.Reduction.End, plural(c.Reduction.Tries, "candidate"), c.Reproduce)
}

// inputLines lists what a job's program is given, registers of zeros left out.
func inputLines(job *pica.Job) []string {
	lines := []string{}
	add := func(form pica.Form, name string, v pica.Vec4) {
		if v == (pica.Vec4{}) {
			return
		}
		storage := pica.StorageF24
		if form == pica.Float32 {
			storage = pica.StorageF32
		}
		var values, bits []string
		for _, b := range v {
			values, bits = append(values, componentOf(storage, b).text()), append(bits, hexOf(storage, b))
		}
		lines = append(lines, fmt.Sprintf("%s = %s (%s)", name, strings.Join(values, ", "), strings.Join(bits, " ")))
	}
	for _, u := range job.Floats {
		for k, v := range u.Values {
			add(u.Form, fmt.Sprintf("c%d", u.Register+k), v)
		}
	}
	for k, v := range job.Ints {
		if v != [4]uint8{} {
			lines = append(lines, fmt.Sprintf("i%d = %d, %d, %d, %d", k, v[0], v[1], v[2], v[3]))
		}
	}
	for k := range pica.NumBools {
		if job.Bools>>k&1 != 0 {
			lines = append(lines, fmt.Sprintf("b%d = true", k))
		}
	}
	for n, registers := range job.Vertices {
		vertex := ""
		if len(job.Vertices) > 1 {
			vertex = fmt.Sprintf("vertex %d: ", n)
		}
		for k, v := range registers {
			add(job.InputForm, fmt.Sprintf("%sv%d", vertex, k), v)
		}
	}
	return lines
}
