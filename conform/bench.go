package conform

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// Bench is the suite that times a core. It runs only if it is named.
const Bench = "bench"

// benchJobs are the programs of the benchmark, one a line. Each is a job of the adapter protocol
// with rules for its input vertices.
//
//go:embed bench.jsonl
var benchJobs []byte

// benchPool is the number of vertices of a program.
const benchPool = 1024

// A core that does not time itself gets requests of benchBatch vertices. The fastest of
// benchBatches requests counts.
const (
	benchBatch   = 256
	benchBatches = 8
)

// bench times the programs of the benchmark on the core, on the oracle under the core's model,
// and on the VM.
func (s *session) bench(ctx context.Context) report.Table {
	table := report.Table{Title: "Benchmark", Columns: []string{"program", "core, ns/vertex", "oracle", "VM", "how"}}
	oracle := adapter.InProcess("oracle", s.model, impl.New)
	machine := adapter.InProcess("vm", s.ofVM(), vm.New)
	for line := range bytes.Lines(benchJobs) {
		var fields map[string]json.RawMessage
		err := json.Unmarshal(line, &fields)
		if err != nil || ctx.Err() != nil {
			continue
		}
		name := string(bytes.Trim(fields["name"], `"`))
		s.Progress("timing " + name)
		delete(fields, "name")
		fields["reps"] = json.RawMessage("3")
		var pool map[string]json.RawMessage
		if err := json.Unmarshal(fields["gen"], &pool); err != nil {
			continue
		}
		pool["count"] = json.RawMessage(strconv.Itoa(benchPool))
		if fields["gen"], err = json.Marshal(pool); err != nil {
			continue
		}
		object, err := json.Marshal(fields)
		if err != nil {
			continue
		}
		row, how := []string{name}, ""
		for k, core := range []adapter.Core{s.core, oracle, machine} {
			ns := 0.0
			if r, err := core.Bench(ctx, object); err == nil {
				ns = r.NSMin
			} else if k == 0 {
				ns, how = s.timed(ctx, fields, fmt.Sprint(err))
			}
			text := "-"
			if ns > 0 {
				text = fmt.Sprintf("%.1f", ns)
			}
			row = append(row, text)
		}
		table.Rows = append(table.Rows, append(row, how))
	}
	return table
}

// ofVM returns the profile under which the VM is timed: the core's model, or the profile of the
// VM that is nearest to it.
func (s *session) ofVM() pica.Profile {
	var out pica.Outcome
	if vm.New().Run(under(empty(), s.model), &out) == nil {
		return s.model
	}
	if s.model.Storage == pica.Float32 {
		return profile.F32()
	}
	return profile.HW()
}

// timed times a program by ordinary requests. The time includes the transfer of the vertices.
func (s *session) timed(ctx context.Context, fields map[string]json.RawMessage, why string) (ns float64, note string) {
	var pool adapter.Pool
	if err := json.Unmarshal(fields["gen"], &pool); err != nil {
		return 0, why
	}
	delete(fields, "gen")
	object, err := json.Marshal(fields)
	if err != nil {
		return 0, why
	}
	job, err := pica.ParseJob(object, func(string) (pica.Profile, error) { return s.model, nil })
	if err != nil {
		return 0, why
	}
	pool.Count = benchBatch
	if job.Vertices, err = pool.Vertices(); err != nil {
		return 0, why
	}
	job.InputFormat = pica.Float32
	job = view.Portable(job)
	for range benchBatches {
		start := time.Now()
		if a := s.core.Ask(ctx, job); a.Fate != adapter.Answered {
			return 0, a.String()
		}
		if took := float64(time.Since(start).Nanoseconds()) / benchBatch; ns == 0 || took < ns {
			ns = took
		}
	}
	return ns, "by ordinary requests, transport included"
}
