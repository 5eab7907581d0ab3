package conform

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/picaproof/picaproof/conform/journal"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// pair is the core, and the second core or nil.
type pair struct{ core, against adapter.Core }

// resume judges the core as run does, with the answers outside the suites that an earlier run
// stored. The suites store their results, which are smaller.
func (s *session) resume(outer context.Context) (r *Report, err error) {
	if err := os.MkdirAll(s.State, 0o777); err != nil {
		return nil, err
	}
	j, err := journal.Open(filepath.Join(s.State, "answers.jsonl"), s.options())
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	ctx, fail := context.WithCancelCause(outer)
	defer fail(nil)
	j.OnFailure(fail)
	s.core = journal.OfCore(j, s.core)
	if s.Against != nil {
		s.Against = journal.OfCore(j, s.Against)
	}
	r, err = s.run(ctx)
	if outer.Err() == nil && ctx.Err() != nil { // an answer could not be stored or read
		err = context.Cause(ctx)
	}
	return r, err
}

// options returns the options on which the answers depend.
func (s *session) options() map[string]string {
	o := map[string]string{"command": "conform core", "core": s.core.Name(), "arguments": s.Arguments,
		"suites": strings.Join(s.Suites, ","), "seed": fmt.Sprint(s.Seed), "cases": fmt.Sprint(s.Cases),
		"shard": fmt.Sprintf("%d/%d", s.Shard, s.Shards), "profile": "auto",
		journal.Programs: command.Content(s.core.Name())}
	if s.Model != nil {
		o["profile"] = nameOf(*s.Model)
	}
	if s.Learnt != nil {
		data, _ := json.Marshal(s.Learnt) // it was read from JSON
		o["model"] = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	if s.Against != nil {
		o["against"] = s.Against.Name()
		o[journal.Programs] += " " + command.Content(s.Against.Name())
	}
	return o
}
