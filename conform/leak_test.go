//go:build linux || darwin

package conform_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/kit/kittest"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// keeping returns a core whose requests begin with a part of the state that the one before leaves.
func keeping(keep func(kept, left *pica.State)) adapter.Core {
	return adapter.InProcess("keeping", profile.HW(), func() pica.Engine {
		var kept pica.State
		return &stateful{impl.New(), func(e pica.Engine, job *pica.Job, out *pica.Outcome) error {
			again := *job
			again.Initial = &kept
			err := e.Run(&again, out)
			if n := len(out.Vertices); err == nil && n > 0 {
				keep(&kept, &out.Vertices[n-1].State)
			}
			return err
		}}
	})
}

// behind returns a list with the elements of another one behind its own.
func behind(list, other []uint32) []uint32 {
	return append(list, other[min(len(list), len(other)):]...)
}

// TestLeaks: the leaks that are found are those of the core. State that a program leaves together with other state is no
// reason to accuse the core of that, too.
func TestLeaks(t *testing.T) {
	toy := func(fault string) adapter.Core {
		core, err := adapter.Start(kittest.Toy(t)+" --fault "+fault, adapter.Options{Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { core.Close() })
		return core
	}
	uniforms := func(reuse func(job, before *pica.Job)) adapter.Core {
		return cachingCore(func(*pica.Job) string { return "" }, reuse)
	}
	for _, x := range []struct {
		core adapter.Core
		want string
	}{
		{keeping(func(*pica.State, *pica.State) {}), ""},
		{keeping(func(kept, left *pica.State) { kept.R = left.R }), "temporaries"},
		{keeping(func(kept, left *pica.State) { kept.O = left.O }), "outputs"},
		{keeping(func(kept, left *pica.State) { kept.CC = left.CC }), "condition flags"},
		{keeping(func(kept, left *pica.State) { kept.Address = left.Address }), "address registers"},
		{keeping(func(kept, left *pica.State) { kept.AL = left.AL }), "loop counter"},
		{keeping(func(kept, left *pica.State) { kept.AL, kept.Address = left.AL, left.Address }),
			"address registers, loop counter"},
		{keeping(func(kept, left *pica.State) { *kept = *left }),
			"temporaries, outputs, condition flags, address registers, loop counter"},
		{uniforms(func(job, first *pica.Job) { job.Floats = first.Floats }), "float uniforms"},
		{uniforms(func(job, first *pica.Job) { job.Bools, job.Ints = first.Bools, first.Ints }),
			"integer uniforms, boolean uniforms"},
		{uniforms(func(job, first *pica.Job) { job.Descriptors = behind(job.Descriptors, first.Descriptors) }),
			"operand descriptors"},
		{uniforms(func(job, first *pica.Job) { job.Code = behind(job.Code, first.Code) }), "words behind a program"},
		{toy("state-a0"), "address registers, loop counter"},
		{toy("state-outputs"), "outputs"},
		{toy("state-if"), "open ifs"},
		{toy("state-loop"), "open loops"},
		{toy("state-b7"), "boolean uniforms"},
		{toy("state-booleans"), "boolean uniforms"},
	} {
		var names []string
		for _, bucket := range conform.Leaks(t.Context(), x.core) {
			name, _ := strings.CutSuffix(bucket, " pass to the next request")
			if len(names) == 0 || names[len(names)-1] != name {
				names = append(names, name)
			}
		}
		if got := strings.Join(names, ", "); got != x.want {
			t.Errorf("got %q, want %q", got, x.want)
		}
	}
}

// ends is a core whose processes end behind so many programs.
type ends struct {
	adapter.Core
	after int
}

func (c ends) AskAfter(context.Context, ...*pica.Job) (adapter.Answer, int) {
	return adapter.Answer{Fate: adapter.Crashed, Kind: "exit", Message: "1"}, c.after
}

// TestWear: a process that ends behind programs that it ran is worn; one that does not start is not.
func TestWear(t *testing.T) {
	core := adapter.InProcess("ends", profile.F24(), impl.New)
	for after, want := range map[int]bool{0: false, 1500: true} {
		if got := conform.Wears(t.Context(), ends{core, after}); got != want {
			t.Errorf("behind %d programs: %v", after, got)
		}
	}
}
