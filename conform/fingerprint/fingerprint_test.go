package fingerprint_test

import (
	"math/rand/v2"
	"testing"

	"github.com/picaproof/picaproof/conform/fingerprint"
	"github.com/picaproof/picaproof/conform/view"
	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/internal/testmain"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

func TestMain(m *testing.M) { testmain.Run(m) }

// answersOf returns the answers of a core that follows a profile.
func answersOf(t *testing.T, p pica.Profile) []fingerprint.Answer { return answersBy(t, p, impl.New()) }

// answersBy returns the answers of an engine under a profile.
func answersBy(t *testing.T, p pica.Profile, engine pica.Engine) (answers []fingerprint.Answer) {
	t.Helper()
	jobs, err := fingerprint.Jobs()
	if err != nil {
		t.Fatal(err)
	}
	predict := fingerprint.PredictorOf(engine)
	for _, job := range jobs {
		got := new(view.View)
		predict.View(job, &p, got)
		answers = append(answers, fingerprint.Answer{Job: job, Got: got})
	}
	return answers
}

// sameAnswers reports whether two lists of answers to the same jobs are equal.
func sameAnswers(a, b []fingerprint.Answer) bool {
	for i := range a {
		if view.Compare(a[i].Got, b[i].Got, nil) == view.Differs {
			return false
		}
	}
	return true
}

// check infers a profile from its own answers: every decided value must be the profile's, or a
// value that no job of the fingerprint and no candidate separates from it.
func check(t *testing.T, p pica.Profile) *fingerprint.Result {
	t.Helper()
	answers := answersOf(t, p)
	found, unexplained := fingerprint.Infer(t.Context(), answers)
	r := fingerprint.Decide(answers, found)
	if unexplained != 0 || len(r.Unexplained) != 0 {
		t.Errorf("%s: found %s; %d answers are not explained", profile.String(p), r.Profile.Name, unexplained)
	}
	const seed, generated = 3, 60
	if job := fingerprint.Contradiction(&p, &found, seed, generated); job != nil {
		t.Errorf("%s: found %s, which a candidate of seed %d contradicts: %+v", profile.String(p), r.Profile.Name, seed,
			job)
	}
	for i := range r.Decisions {
		d := &r.Decisions[i]
		want := d.Dimension.Get(&p)
		if d.State != fingerprint.Known || d.Value == want {
			continue
		}
		// A core that skips EMIT shows nothing of EMIT in a vertex program, say.
		other, ok := d.Dimension.With(p, d.Value)
		if !ok || !sameAnswers(answers, answersOf(t, other)) || fingerprint.Contradiction(&p, &other, seed, generated) != nil {
			t.Errorf("%s: %s: got %s, want %s", profile.String(p), d.Dimension.Name, d.Name(),
				d.Dimension.Values[want].Name)
		}
	}
	return r
}

// TestNamedProfiles: the answers of a named profile give its name, alone or among names that no
// job separates from it.
func TestNamedProfiles(t *testing.T) {
	for _, name := range profile.Names() {
		p, _ := profile.ByName(name)
		r := check(t, p)
		found := false
		for _, n := range r.Names {
			found = found || n == name
		}
		if !found {
			t.Errorf("%s: named %v", name, r.Names)
		}
		t.Logf("%s: %v, profile %s", name, r.Names, r.Profile.Name)
	}
}

// TestCombinations: combinations of knobs without a name are found, too.
func TestCombinations(t *testing.T) {
	const seed = 20
	var list []pica.Profile
	for _, text := range []string{
		"hw,rcp=estimate,overflow=largest",
		"f32,rcp=estimate,overflow=largest",
		// Only together do these values of flush, zeroinf and rcp0 fit better than other values.
		"f32,subnormal=zero,upload=rz,round=align,zeroinf=positive,negate=multiply,mad=fused,rcp0=positive,rcp=short," +
			"cmp=true,index=window-zero,flow=unified,breakstep=none,end=abort1024,hazards=warn,reset=cc,emitvs=skip," +
			"banks=one,indexedops=abort,vertex3=none,movarange=byte,loopid=three,overflow=largest,op.break=skip",
	} {
		p, err := profile.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	if testing.Short() {
		list = list[1:]
	}
	for k := range long.Numbers(t, 20, long.Few(4, 1)) {
		list = append(list, fingerprint.Random(rand.New(rand.NewPCG(seed, uint64(k)))))
	}
	for k := range long.Numbers(t, 6, long.Few(2, 1)) {
		list = append(list, fingerprint.RandomNear(rand.New(rand.NewPCG(seed, uint64(k))), 2))
	}
	for i := range list {
		r := check(t, list[i])
		t.Logf("seed %d, %d: %s: found %s", seed, i, profile.String(list[i]), r.Profile.Name)
	}
}

// TestWrongIsNotSkipped: an opcode that a core executes wrongly is not taken for one that it skips, although most
// answers fit that better.
func TestWrongIsNotSkipped(t *testing.T) {
	inverted := impl.NewWith(func(r *oracle.Rules) {
		before := r.Choose
		wrong := *r
		condition := r.Flow.Condition
		wrong.Flow.Condition = func(operator int, cc, ref [2]bool) bool { return !condition(operator, cc, ref) }
		r.Choose = func(c *oracle.Control) *oracle.Rules {
			switch {
			case c.Op == pica.JMPC:
				return &wrong
			case before != nil:
				return before(c)
			}
			return r
		}
	}, nil)
	found, _ := fingerprint.Infer(t.Context(), answersBy(t, profile.F32(), inverted))
	for d := range fingerprint.Dimensions {
		if dim := &fingerprint.Dimensions[d]; dim.Name == "op.jmpc" && dim.Get(&found) != int(pica.SupportRun) {
			t.Errorf("found %s", profile.String(found))
		}
	}
}

// TestForeignMemory: a core whose registers lie in a row reads foreign memory behind them. It does not read zeros,
// although more answers fit that than have no prediction.
func TestForeignMemory(t *testing.T) {
	p := profile.F32()
	p.Index = pica.IndexFlatZero
	foreign := impl.NewWith(func(r *oracle.Rules) {
		displace := r.Operands.Displace
		r.Operands.Displace = func(c *oracle.Control, n, index int) int {
			if at := displace(c, n, index); at != oracle.Zeros {
				return at
			}
			return pica.SourceUniform + 5 // what is behind them
		}
	}, nil)
	for _, c := range []struct {
		engine pica.Engine
		want   pica.IndexRule
	}{{impl.New(), pica.IndexFlatZero}, {foreign, pica.IndexFlat}} {
		answers := answersBy(t, p, c.engine)
		predict := fingerprint.PredictorOf(c.engine)
		for _, a := range answers { // once more, with something behind the registers
			job, got := reduce.Clone(a.Job), new(view.View)
			job.Floats = append(job.Floats,
				pica.Upload{Register: 5, Format: pica.Float32, Values: []pica.Vec4{{0x3F800000, 0x40000000}}})
			predict.View(job, &p, got)
			answers = append(answers, fingerprint.Answer{Job: job, Got: got})
		}
		if found, _ := fingerprint.Infer(t.Context(), answers); found.Index != c.want {
			t.Errorf("found %s, index %d, want %d", profile.String(found), found.Index, c.want)
		}
	}
}
