package adapter_test

import (
	"context"
	"testing"

	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// job returns mov o0, v0; end with a position; bools tell modes what to do.
func job(bools uint16) *pica.Job {
	return &pica.Job{
		Program: pica.Program{Code: []uint32{0x4c000000, 0x88000000}, Descriptors: []uint32{0x0d86c36f}},
		OutMask: 0xFFFF, Bools: bools, InputFormat: pica.Float32,
		Vertices: [][]pica.Vec4{{{0x3f800000, 0x40000000, 0x40400000, 0x40800000}}},
	}
}

// worn is an engine with a life of its own: b1 damages it, so that it dies of the third job
// behind that; b2 hangs, b3 dies, b4 never returns.
type worn struct {
	pica.Engine
	left int // jobs until the death; 0 is for ever
}

func (e *worn) Run(job *pica.Job, out *pica.Outcome) error {
	if e.left == 1 || job.Bools == 1<<3 {
		panic("worn out")
	}
	e.left = max(0, e.left-1)
	switch job.Bools {
	case 1 << 1:
		e.left = 3
	case 1 << 2:
		return pica.ErrInterrupted
	case 1 << 4:
		select {}
	}
	return e.Engine.Run(job, out)
}

// TestEnginesAreProcesses: an engine keeps its state from job to job, dies alone, and its
// death is traced to the job that did the damage.
func TestEnginesAreProcesses(t *testing.T) {
	core := adapter.InProcess("worn", profile.F24(), func() pica.Engine { return &worn{Engine: impl.New()} })
	ctx := context.Background()
	good, damages, hangs, dies, endless := job(0), job(1<<1), job(1<<2), job(1<<3), job(1<<4)
	for _, c := range []struct {
		name     string
		jobs     []*pica.Job
		fate     adapter.Fate
		answered int
		damaged  bool
	}{
		{"good", []*pica.Job{good, good, good, good}, adapter.Answered, 4, false},
		{"hangs", []*pica.Job{good, hangs, good}, adapter.Hung, 1, false},
		{"dies", []*pica.Job{dies}, adapter.Crashed, 0, false},
		{"dies later", []*pica.Job{good, damages, good, good, good}, adapter.Crashed, 4, true},
	} {
		last, answered := core.AskAfter(ctx, c.jobs...)
		if last.Fate != c.fate || answered != c.answered || (last.Damaged != nil) != c.damaged {
			t.Errorf("%s: got %v behind %d answers, damage %v", c.name, &last, answered, last.Damaged)
		}
	}
	if a := core.AskFresh(ctx, damages); a.Fate != adapter.Answered {
		t.Errorf("fresh: got %v", &a)
	}
	if a := core.Ask(ctx, dies); a.Fate != adapter.Crashed || a.Kind != adapter.KindPanic || a.Damaged != nil {
		t.Errorf("dies: got %v, damage %v", &a, a.Damaged)
	}
	var damage *adapter.Damage
	for _, job := range []*pica.Job{damages, good, good, good} {
		damage = core.Ask(ctx, job).Damaged
	}
	if damage == nil {
		t.Fatal("no damage")
	}
	s, last := adapter.Culprit(ctx, core, damage)
	ended, end := context.WithCancel(ctx)
	end()
	for _, a := range []adapter.Answer{core.Ask(ended, endless), core.AskFresh(ended, endless)} {
		if a.Fate != adapter.Hung || a.Kind != adapter.KindInterrupted {
			t.Errorf("interrupted: got %v", &a)
		}
	}
	if len(s) != 4 || last.Fate != adapter.Crashed || last.Message != "worn out" {
		t.Errorf("culprit: got %d requests, %v", len(s), &last)
	}
	if err := core.Precede(damages, good); err != nil {
		t.Fatal(err)
	}
	core.Isolate()
	for range 4 {
		if a := core.Ask(ctx, good); a.Fate != adapter.Answered || a.Damaged != nil {
			t.Errorf("isolated: got %v", &a)
		}
	}
	if err := core.Precede(damages, good, good); err != nil {
		t.Fatal(err)
	}
	if a := core.Ask(ctx, good); a.Damaged == nil {
		t.Errorf("isolated, behind a damage: got %v without one", &a)
	}
}
