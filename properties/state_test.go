package properties_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/commands"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/oracle/compare"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/properties/sequence"
)

// run is the answer of a unit to a command.
type run struct {
	out *pica.Outcome // nil if nothing ran
	err error
}

// expected is the state of the model: a unit that uses a new engine for every vertex, and its
// last answer.
type expected struct {
	unit sequence.ShaderUnit
	run
}

func (expected) String() string { return "a unit without a program" }

// command gives a command of a sequence to the system and to the model.
type command struct{ sequence.Command }

func (c command) Run(system commands.SystemUnderTest) commands.Result {
	out, err := system.(*sequence.ShaderUnit).Do(c.Command)
	return run{out, err}
}

func (c command) NextState(state commands.State) commands.State {
	unit := state.(expected).unit
	out, err := unit.Do(c.Command)
	return expected{unit, run{out, err}}
}

func (command) PreCondition(commands.State) bool { return true }

func (command) PostCondition(state commands.State, result commands.Result) *gopter.PropResult {
	want, got := state.(expected).run, result.(run)
	switch {
	case want.err != nil || got.err != nil:
		return &gopter.PropResult{Status: gopter.PropError, Error: want.err}
	case want.out != nil:
		if verdict, d := compare.Outcomes(want.out, got.out); verdict == compare.Differ {
			return &gopter.PropResult{Status: gopter.PropFalse, Labels: []string{d.String()}}
		}
	}
	return &gopter.PropResult{Status: gopter.PropTrue}
}

// sequences are random commands to one engine that runs them all.
func sequences(engine func() pica.Engine) gopter.Prop {
	return commands.Prop(&commands.ProtoCommands{
		NewSystemUnderTestFunc: func(commands.State) commands.SystemUnderTest {
			unit := sequence.New(sequence.Held(engine()))
			return &unit
		},
		InitialStateGen: func(*gopter.GenParameters) *gopter.GenResult {
			return gopter.NewGenResult(expected{unit: sequence.New(sequence.Fresh(impl.New))}, gopter.NoShrinker)
		},
		GenCommandFunc: func(commands.State) gopter.Gen {
			return func(p *gopter.GenParameters) *gopter.GenResult {
				return gopter.NewGenResult(command{sequence.Draw(gen.From(p.Rng))}, gopter.NoShrinker)
			}
		},
	})
}

// TestStateSequences: an engine that runs all commands of a host gives the same outcomes as
// new engines for each vertex. A failure prints commands that properties/sequence replays.
func TestStateSequences(t *testing.T) {
	for _, engine := range engines {
		t.Run(engine().Name(), func(t *testing.T) { check(t, 40, sequences(engine)) })
	}
}

// TestStateSequencesFindLeaks: state that an executor keeps or drops by mistake shows, and the
// printed sequence shows it again.
func TestStateSequencesFindLeaks(t *testing.T) {
	leaks := []string{"temporaries-are-cleared", "registers-always-carry-over", "stacks-carry-over",
		"inputs-keep-their-last-value"}
	for _, m := range mutants.Executors() {
		if !slices.Contains(leaks, m.Name) {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			p := gopter.DefaultTestParametersWithSeed(1)
			p.MinSuccessfulTests = 300
			result := sequences(m.New).Check(p)
			if result.Status != gopter.TestFailed {
				t.Fatalf("%v after %d runs", result.Status, result.Succeeded)
			}
			_, text, _ := strings.Cut(result.Args[0].ArgFormatted, "sequential=")
			t.Log(text)
			list, err := sequence.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			if sequence.Play(list, sequence.New(sequence.Fresh(impl.New)),
				sequence.New(sequence.Held(m.New()))) == nil {
				t.Errorf("%s does not show it", text)
			}
		})
	}
}
