//go:build linux || darwin

package adapter_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// start returns the test binary in a mode as a core. At the end of the test none of its processes
// may be left.
func start(t *testing.T, mode string, o adapter.Options) adapter.Core {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	mark := filepath.Join(t.TempDir(), "mark")
	command := fmt.Sprintf("%s hostile %s %s", exe, mode, mark)
	if o.Timeout == 0 {
		o.Timeout = time.Minute // for a machine under any load
	}
	if o.Start == 0 {
		o.Start = time.Minute
	}
	core, err := adapter.Start(command, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := core.Close(); err != nil {
			t.Error(err)
		}
		for _, pid := range running(t, mark) {
			t.Errorf("process %d is left", pid)
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return core
}

// running lists the processes with an argument.
func running(t *testing.T, argument string) (pids []int) {
	if runtime.GOOS != "linux" {
		return nil
	}
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		var pid int
		text, _ := os.ReadFile(f)
		if _, err := fmt.Sscanf(f, "/proc/%d/", &pid); err == nil && strings.Contains(string(text), argument) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// askAll asks jobs concurrently.
func askAll(core adapter.Core, jobs []*pica.Job) []adapter.Answer {
	answers := make([]adapter.Answer, len(jobs))
	var askers sync.WaitGroup
	for k := range jobs {
		askers.Go(func() { answers[k] = core.Ask(context.Background(), jobs[k]) })
	}
	askers.Wait()
	return answers
}

// jobs returns n jobs; b is set in each job whose number is a multiple of every, unless that is 0.
func jobs(n, every int, b uint16) []*pica.Job {
	list := make([]*pica.Job, n)
	for k := range list {
		list[k] = job(0)
		if every > 0 && k%every == 0 {
			list[k].Bools = b
		}
	}
	return list
}

// hostileCase is a mode of the test binary as a core, with the fates of some jobs.
type hostileCase struct {
	mode    string
	jobs    []*pica.Job
	want    map[adapter.Fate]int
	message string        // of every answer that is not adapter.Answered
	timeout time.Duration // 0 for none that matters
}

// brief is the time limit of requests that will hang.
const brief = 120 * time.Millisecond

// large gives jobs so many vertices that a request is longer than the buffer of a pipe.
func large(list []*pica.Job) []*pica.Job {
	for _, j := range list {
		j.Vertices = slices.Repeat(j.Vertices, 1<<13)
	}
	return list
}

// TestHostileOutput: wrong output costs the request that it answers; the other requests are
// answered, and no process is left.
func TestHostileOutput(t *testing.T) {
	testHostile(t, []hostileCase{
		{"floods", jobs(1, 0, 0), map[adapter.Fate]int{adapter.Garbled: 1}, "garbled: more output", 0},
		{"floods-lines", jobs(1, 0, 0), map[adapter.Fate]int{adapter.Garbled: 1}, "garbled: not an answer", 0},
		{"floods-stderr", jobs(3, 0, 0), fates(3), "", 0},
		{"garbage", jobs(2, 0, 0), map[adapter.Fate]int{adapter.Garbled: 2}, `"Loading core... done`, 0},
		{"another-id", jobs(1, 0, 0), map[adapter.Fate]int{adapter.Garbled: 1}, "another id", 0},
		{"nan", jobs(2, 0, 0), map[adapter.Fate]int{adapter.Garbled: 2}, "not an answer", 0},
		{"talks-within", jobs(2, 0, 0), map[adapter.Fate]int{adapter.Garbled: 2}, `Warning: slow path`, 0},
		{"nan-in-digits", jobs(2, 0, 0), map[adapter.Fate]int{adapter.Garbled: 2}, "not 512 hex digits", 0},
		{"short-bank", jobs(2, 0, 0), map[adapter.Fate]int{adapter.Garbled: 2}, "not 512 hex digits", 0},
		{"no-vertices", jobs(2, 0, 0), map[adapter.Fate]int{adapter.Garbled: 2}, "0 vertices, want 1", 0},
		{"twice", jobs(2, 0, 0), map[adapter.Fate]int{adapter.Garbled: 2}, "another id", 0},
		{"out-of-order", jobs(40, 0, 0), fates(40), "", 0},
		{"good", jobs(40, 0, 0), fates(40), "", 0},
		{"different", jobs(4, 0, 0), fates(4), "", 0},
		{"bad-status", jobs(2, 0, 0), map[adapter.Fate]int{adapter.Garbled: 2}, `unknown status`, 0},
	})
}

// TestHostileEnds: the end of a process is told by what happened to it; the other requests are
// answered, and no process is left.
func TestHostileEnds(t *testing.T) {
	testHostile(t, []hostileCase{
		{"exits", jobs(2, 0, 0), map[adapter.Fate]int{adapter.Crashed: 2}, "crashed: exit 0", 0},
		{"closes-stdout", jobs(1, 0, 0), map[adapter.Fate]int{adapter.Garbled: 1},
			"garbled: the output was closed", brief},
		{"closes-stdout-exits", jobs(1, 0, 0), map[adapter.Fate]int{adapter.Crashed: 1}, "crashed: exit 4", 0},
		{"says-and-dies", jobs(2, 0, 0), map[adapter.Fate]int{adapter.Crashed: 2}, "crashed: signal SIGKILL", 0},
		{"says-and-dies", large(jobs(1, 0, 0)), map[adapter.Fate]int{adapter.Crashed: 1}, "crashed: signal SIGKILL", 0},
		{"says-and-exits", jobs(1, 0, 0), map[adapter.Fate]int{adapter.Garbled: 1}, "garbled: not an answer", 0},
		{"forks", jobs(2, 0, 0), map[adapter.Fate]int{adapter.Crashed: 2}, "crashed: signal SIGKILL", 0},
		{"half-line-exit", jobs(1, 0, 0), map[adapter.Fate]int{adapter.Crashed: 1}, "crashed: exit 3", 0},
		{"dies-on-info", jobs(4, 0, 0), fates(4), "", 0},
	})
}

// TestHostileCrashes: a crash costs its own request, and the jobs behind it are repeated; the other requests are
// answered, and no process is left.
func TestHostileCrashes(t *testing.T) {
	testHostile(t, []hostileCase{
		{"crashes-10th", jobs(50, 0, 0), fates(50), "", 0},
		{"crashes-on-b0", jobs(40, 4, 1),
			map[adapter.Fate]int{adapter.Crashed: 10, adapter.Answered: 30},
			"crashed: signal SIGKILL", 0},
		{"holds-back", jobs(40, 10, 1),
			map[adapter.Fate]int{adapter.Crashed: 4, adapter.Answered: 36},
			"crashed: signal SIGKILL", 0},
	})
}

// TestHostileHangs: a hang costs its own request; the other requests are
// answered, and no process is left.
func TestHostileHangs(t *testing.T) {
	testHostile(t, []hostileCase{
		{"hangs", jobs(2, 0, 0), map[adapter.Fate]int{adapter.Hung: 2}, "hung: no answer after the start", brief},
		{"ignores-sigterm", jobs(2, 0, 0), map[adapter.Fate]int{adapter.Hung: 2}, "hung", brief},
		{"hangs-50th", jobs(120, 0, 0), fates(120), "", brief},
		{"slow-start", jobs(4, 0, 0), fates(4), "", brief},
		{"half-line", jobs(2, 0, 0), map[adapter.Fate]int{adapter.Hung: 2}, "hung", brief},
	})
}

// TestHostileStatuses: an error is an answer; the other requests are
// answered, and no process is left.
func TestHostileStatuses(t *testing.T) {
	testHostile(t, []hostileCase{
		{"asserts", jobs(40, 8, 1), map[adapter.Fate]int{adapter.Refused: 5, adapter.Answered: 35},
			"refused: assert hang", 0},
		{"unsupported", jobs(40, 8, 1), map[adapter.Fate]int{adapter.Unsupported: 5, adapter.Answered: 35},
			"unsupported: hang", 0},
		{"traps", jobs(40, 8, 1), map[adapter.Fate]int{adapter.Trapped: 5, adapter.Answered: 35},
			"trapped: hang", 0},
		{"own-timeout", jobs(4, 0, 0), map[adapter.Fate]int{adapter.Hung: 4}, "", 0},
		{"own-crash", jobs(4, 0, 0), map[adapter.Fate]int{adapter.Crashed: 4}, "crashed: signal SIGBUS", 0},
	})
}

func testHostile(t *testing.T, cases []hostileCase) {
	t.Helper()
	for _, c := range cases {
		if testing.Short() && c.mode != "hangs" && c.timeout > 0 {
			continue // waits for hanging requests
		}
		t.Run(c.mode, func(t *testing.T) {
			if c.timeout == 0 {
				t.Parallel() // some wait for a process to end
			}
			o := adapter.Options{Processes: 2, Timeout: c.timeout}
			if c.mode == "hangs" || c.mode == "ignores-sigterm" {
				o.Start = brief
			}
			core := start(t, c.mode, o)
			began := time.Now()
			got, damages := map[adapter.Fate]int{}, 0
			for k, a := range askAll(core, c.jobs) {
				got[a.Fate]++
				if a.Damaged != nil {
					damages++
				}
				if a.Fate != adapter.Answered && !strings.Contains(a.String(), c.message) {
					t.Errorf("job %d: got %q, want %q in it", k, &a, c.message)
				}
				if a.Fate == adapter.Answered && c.mode != "different" &&
					a.Outcome.Vertices[0].O[0] != c.jobs[k].Vertices[0][0] {
					t.Errorf("job %d: got %x", k, a.Outcome.Vertices[0].O[0])
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
			if s := core.Stats(); c.mode == "crashes-10th" && damages != s.Repeated {
				t.Errorf("%d crashes, %d of damage", s.Repeated, damages)
			}
			if c.mode == "out-of-order" && core.Stats().Disorderly == 0 {
				t.Error("no requests were sent together")
			}
			t.Logf("%v, %+v", time.Since(began), core.Stats())
		})
	}
}

// fates expects n answered jobs.
func fates(n int) map[adapter.Fate]int { return map[adapter.Fate]int{adapter.Answered: n} }

// TestBriefly: a job that is asked briefly has one attempt, in which no answer is a guess, and a crash of a process that
// answered others. Asked as usual, the same job is answered, and a crash is a crash.
func TestBriefly(t *testing.T) {
	ctx := adapter.Briefly(t.Context())
	for _, fresh := range []bool{false, true} {
		core := start(t, "spins-once", adapter.Options{Processes: 1, Timeout: brief})
		ask := core.Ask
		if fresh {
			ask = core.AskFresh
		}
		if a := ask(ctx, job(0)); a.Fate != adapter.Hung || a.Kind != adapter.KindGuessed {
			t.Errorf("fresh %v: got %v", fresh, &a)
		}
		if a := ask(t.Context(), job(0)); a.Fate != adapter.Answered {
			t.Errorf("fresh %v, then as usual: got %v", fresh, &a)
		}
		if n := core.Stats().Late; n != 0 {
			t.Errorf("fresh %v: %d late answers", fresh, n)
		}
	}
	core := start(t, "crashes-on-b0", adapter.Options{Processes: 1})
	if a := core.Ask(ctx, jobs(1, 1, 1)[0]); a.Fate != adapter.Crashed {
		t.Errorf("got %v", &a)
	}
	core = start(t, "crashes-10th", adapter.Options{Processes: 1})
	var a adapter.Answer
	for n := 0; n < 10 && a.Fate == adapter.Answered; n++ {
		a = core.Ask(ctx, job(0))
	}
	if s := core.Stats(); a.Fate != adapter.Crashed || a.Kind != adapter.KindGuessed || s.Repeated != 0 {
		t.Errorf("after others: got %v, %+v", &a, s)
	}
	if a := core.Ask(t.Context(), job(0)); a.Fate != adapter.Answered {
		t.Errorf("after others, then as usual: got %v", &a)
	}
}

// TestRetry: a job that was not answered in time once is answered. Only a program that used up its
// processor time was late: one that slept may have waited for the machine.
func TestRetry(t *testing.T) {
	for mode, late := range map[string]int{"hangs-once": 0, "spins-once": 1} {
		core := start(t, mode, adapter.Options{Processes: 1, Timeout: brief})
		if a := core.Ask(context.Background(), job(0)); a.Fate != adapter.Answered {
			t.Errorf("%s: got %v", mode, &a)
		}
		if s := core.Stats(); s.Repeated != 1 || s.Processes != 2 || s.Late != late {
			t.Errorf("%s: got %+v, want %d late", mode, s, late)
		}
	}
	// The second attempt has more time.
	core := start(t, "hurries", adapter.Options{Processes: 1, Timeout: 77 * time.Millisecond})
	if a := core.Ask(context.Background(), job(0)); a.Fate != adapter.Answered {
		t.Errorf("in a hurry: got %v %s", &a, a.Stderr)
	}
	if s := core.Stats(); s.Repeated != 1 || s.Processes != 2 {
		t.Errorf("in a hurry: got %+v", s)
	}
}

// TestCrashAlone: a request that ends a process is repeated in a fresh one only if the process got other requests.
func TestCrashAlone(t *testing.T) {
	core := start(t, "crashes-on-b0", adapter.Options{Processes: 1})
	list := append(jobs(1, 0, 0), jobs(10, 1, 1)...) // the first is answered
	for k, job := range list {
		want := adapter.Crashed
		if k == 0 {
			want = adapter.Answered
		}
		if a := core.Ask(t.Context(), job); a.Fate != want {
			t.Errorf("job %d: got %v, want %v", k, &a, want)
		}
	}
	// The process of job 0 ends on job 1, which is repeated. Each other job has a process of its own.
	if s := core.Stats(); s.Repeated != 1 || s.Processes != 11 {
		t.Errorf("got %+v, want 1 repeated and 11 processes", s)
	}
}

// TestOwnCrash: an adapter that reports the crash of its core has answered, and continues.
func TestOwnCrash(t *testing.T) {
	core := start(t, "own-crash", adapter.Options{Processes: 1})
	last, answered := core.AskAfter(context.Background(), job(0), job(0))
	if last.Fate != adapter.Crashed || answered != 2 || last.Damaged != nil {
		t.Errorf("got %v behind %d answers, damage %v", &last, answered, last.Damaged)
	}
}

// TestCulprit: the job that does the damage is found in the sequence of the process, wherever it
// is; a crash that no replay shows is a fluke.
func TestCulprit(t *testing.T) {
	core := start(t, "crashes-late", adapter.Options{Processes: 1})
	for _, at := range []int{0, 13} {
		var damage *adapter.Damage
		for k := range 20 {
			b := uint16(0)
			if k == at {
				b = 2
			}
			a := core.Ask(context.Background(), job(b))
			if a.Fate != adapter.Answered {
				t.Fatalf("job %d: got %v", k, &a)
			}
			if a.Damaged != nil {
				damage = a.Damaged
				if k != at+3 {
					t.Errorf("damage by job %d shows in job %d", at, k)
				}
			}
		}
		if damage == nil {
			t.Fatal("no damage")
		}
		if damage.Message != "SIGKILL" || damage.Stderr != "about to crash\n" {
			t.Errorf("got %+v", damage)
		}
		s, last := adapter.Culprit(context.Background(), core, damage)
		if len(s) != 4 || last.Fate != adapter.Crashed {
			t.Fatalf("got %d requests, %v", len(s), &last)
		}
		for k := range s {
			j, err := s.Job(k)
			if err != nil {
				t.Fatal(err)
			}
			want := job(uint16(2 * (1 - min(k, 1))))
			if !reflect.DeepEqual(j, want) {
				t.Errorf("request %d: got %+v, want %+v", k, j, want)
			}
		}
	}
	if s := core.Stats(); s.Late != 0 {
		t.Errorf("no job was late: %+v", s)
	}
	last, answered := core.AskAfter(context.Background(), job(0), job(2), job(0), job(0), job(0), job(0))
	if answered != 4 || last.Damaged == nil || len(last.Damaged.Sequence) != 5 {
		t.Fatalf("one after another: got %v behind %d answers", &last, answered)
	}
	if s, _ := adapter.Culprit(context.Background(), core, last.Damaged); len(s) != 4 {
		t.Errorf("one after another: the culprit and its victim are %d requests, want 4", len(s))
	}
	core = start(t, "crashes-10th", adapter.Options{Processes: 1})
	flukes := 0
	for range 20 {
		if a := core.Ask(context.Background(), job(0)); a.Damaged != nil {
			a.Damaged.Sequence = a.Damaged.Sequence[2:] // nine requests, with the info request after the start
			if s, last := adapter.Culprit(context.Background(), core, a.Damaged); s == nil &&
				last.Fate == adapter.Answered {
				flukes++
			}
		}
	}
	if flukes != 2 {
		t.Errorf("%d flukes, want 2", flukes)
	}
}

// TestFresh: a fresh process has answered nothing else.
func TestFresh(t *testing.T) {
	core := start(t, "crashes-late", adapter.Options{})
	for range 5 {
		if a := core.AskFresh(context.Background(), job(2)); a.Fate != adapter.Answered || a.Damaged != nil {
			t.Errorf("got %v", &a)
		}
	}
	cannot := &pica.Job{Initial: new(pica.State)}
	if a := core.AskFresh(context.Background(), cannot); a.Fate != adapter.Refused {
		t.Errorf("a job that cannot be sent: got %v", &a)
	}
	if err := core.Precede(cannot); err == nil {
		t.Error("a job that cannot be sent precedes others")
	}
	core = start(t, "crashes-on-b0", adapter.Options{Processes: 1})
	if a := core.AskFresh(context.Background(), job(1)); a.Fate != adapter.Crashed {
		t.Errorf("got %v", &a)
	}
	if s := core.Stats(); s.Processes != 2 {
		t.Errorf("a fresh process that crashes is repeated: %+v", s)
	}
}

// TestStopped: a core that is closed, or whose context ends, answers at once.
func TestStopped(t *testing.T) {
	core := start(t, "good", adapter.Options{})
	ended, end := context.WithCancel(context.Background())
	end()
	long := job(0)
	long.Code = []uint32{0xb4000001} // jmpu !b0 to itself
	long.Budget = 1 << 30
	core2 := start(t, "good", adapter.Options{Timeout: time.Hour})
	done := make(chan adapter.Answer)
	go func() { done <- core2.Ask(context.Background(), long) }()
	go func() { done <- core2.AskFresh(context.Background(), long) }()
	for core2.Stats().Processes < 2 {
		time.Sleep(time.Millisecond)
	}
	// A core that wrote no answer, and does not end with its input, is not waited for.
	core3, answered := start(t, "says-and-stays", adapter.Options{Timeout: time.Hour}), make(chan adapter.Answer)
	go func() { answered <- core3.Ask(context.Background(), job(0)) }()
	for core3.Stats().Requests < 2 { // info, and the job
		time.Sleep(time.Millisecond)
	}
	time.Sleep(50 * time.Millisecond)
	core3.Close()
	if a := <-answered; a.Fate != adapter.Hung || a.Kind != "interrupted" {
		t.Errorf("closed behind garbage: got %v", &a)
	}
	core2.Close()
	for _, a := range []adapter.Answer{core.Ask(ended, job(0)), core.AskFresh(ended, job(0)), <-done, <-done,
		core2.Ask(context.Background(), job(0))} {
		if a.Fate != adapter.Hung || a.Kind != "interrupted" {
			t.Errorf("got %v", &a)
		}
	}
}

// TestLongJobs: requests and replies that are longer than a pipe's buffer.
func TestLongJobs(t *testing.T) {
	core := start(t, "good", adapter.Options{})
	list := jobs(20, 0, 0)
	for n, j := range list {
		for range n * 100 {
			j.Vertices = append(j.Vertices, j.Vertices[0])
		}
	}
	for n, a := range askAll(core, list) {
		if a.Fate != adapter.Answered || len(a.Outcome.Vertices) != n*100+1 {
			t.Fatalf("job %d: got %v, %d vertices", n, &a, len(a.Outcome.Vertices))
		}
	}
}

// TestInfo: the info reply comes from a process that is already running.
func TestInfo(t *testing.T) {
	core := start(t, "good", adapter.Options{Processes: 1})
	r, err := core.Info(context.Background())
	if err != nil || r.Core != "picaproof oracle" || r.Profile != "f24" {
		t.Errorf("got %+v, %v", r, err)
	}
	if _, err := start(t, "garbage", adapter.Options{}).Info(context.Background()); err == nil {
		t.Error("garbage is no information")
	}
	if _, err := adapter.Start("no-such-command-here", adapter.Options{}); err == nil {
		t.Error("no such command")
	}
}

// TestLifetime: a process is replaced after Lifetime requests.
func TestLifetime(t *testing.T) {
	core := start(t, "good", adapter.Options{Processes: 1, Lifetime: 10})
	for range 100 {
		if a := core.Ask(context.Background(), job(0)); a.Fate != adapter.Answered {
			t.Fatalf("got %v", &a)
		}
	}
	if s := core.Stats(); s.Processes != 10 {
		t.Errorf("got %+v, want 10 processes", s)
	}
}

// TestShell: a shell reports signals as exit statuses. What a core says before it ends is kept.
func TestShell(t *testing.T) {
	for command, want := range map[string]string{
		"kill -SEGV $$":                  "crashed: signal SIGSEGV",
		"sh -c 'kill -ABRT $$'; exit $?": "crashed: signal SIGABRT",
		"sh -c 'kill -SYS $$'; exit $?":  "crashed: signal SIGSYS",
		"exit 7":                         "crashed: exit 7",
	} {
		core, err := adapter.Start("read x; echo hello >&2; "+command, adapter.Options{Processes: 1})
		if err != nil {
			t.Fatal(err)
		}
		if a := core.Ask(context.Background(), job(0)); a.String() != want || !strings.HasPrefix(a.Stderr, "hello\n") {
			t.Errorf("%s: got %v, stderr %q, want %s", command, &a, a.Stderr, want)
		}
		core.Close()
	}
}

// TestPlainCommand: a shell between us and a core costs a process for each start, and writes to its standard error. An
// option with a value needs none.
func TestPlainCommand(t *testing.T) {
	for command, want := range map[string]bool{
		"./core --adapter": false, "./core --mode=jit -j=2": false, "a=b ./core": true, "./core 'a b'": true,
		"./core --home=~": true, "./core --dir=$HOME": true,
	} {
		if got := adapter.NeedsShell(command); got != want {
			t.Errorf("%s: got %v, want %v", command, got, want)
		}
	}
}

// TestSession: a program that ends or does not answer is started again.
func TestSession(t *testing.T) {
	sessions := adapter.NewSessions("read x; echo $x $$; read x; exit 3")
	defer sessions.Close()
	s := sessions.Fresh()
	answer, end, err := s.Ask(t.Context(), []byte("one\n"), 5*time.Second)
	if err != nil || end != nil || !strings.HasPrefix(string(answer), "one ") {
		t.Fatalf("got %q, %v, %v", answer, end, err)
	}
	first := string(answer)
	answer, end, err = s.Ask(t.Context(), []byte("two\n"), 5*time.Second)
	if err != nil || answer != nil || end == nil || end.Kind != "exit" || end.Message != "3" {
		t.Fatalf("got %q, %+v, %v", answer, end, err)
	}
	answer, end, err = s.Ask(t.Context(), []byte("one\n"), 5*time.Second)
	if err != nil || end != nil || !strings.HasPrefix(string(answer), "one ") || string(answer) == first {
		t.Fatalf("got %q after %q, %v, %v", answer, first, end, err)
	}
	if end := s.Close(); end == nil || end.Kind != "exit" || s.Close() != nil {
		t.Errorf("got %+v", end)
	}
}

// TestOrphan: a process that left the group and has a pipe open keeps nobody waiting.
func TestOrphan(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" {
		t.Skip("it takes two seconds, and the command setsid")
	}
	t.Parallel()
	r := adapter.NewRunner()
	defer r.Close()
	dir := t.TempDir()
	orphan := func(redirection, end string) string {
		left := filepath.Join(dir, "left"+filepath.Base(end))
		return fmt.Sprintf("rm -f %s; exec 3<&0; setsid sh -c 'touch %s; sleep 9; %s' %s & "+
			"while [ ! -e %s ]; do sleep 0.01; done; exit 0", left, left, end, redirection, left)
	}
	e, err := r.Run(context.Background(), orphan("", "echo"), time.Minute)
	if err != nil || e.Kind != "exit" || e.Message != "0" || len(e.Stdout) > 0 {
		t.Errorf("got %+v, %v", e, err)
	}
	mark := filepath.Join(dir, "mark")
	core, err := adapter.Start(orphan("<&3 >/dev/null 2>&1", "touch "+mark), adapter.Options{Processes: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer core.Close()
	long := job(0)
	long.Vertices = slices.Repeat(long.Vertices, 1<<13)
	if a := core.Ask(context.Background(), long); a.Fate != adapter.Crashed {
		t.Errorf("got %v", &a)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the request was written to an orphan until it ended")
	}
}

// TestGone: a core whose program vanishes has not crashed; the run is told.
func TestGone(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "core")
	if err := os.Symlink(exe, name); err != nil {
		t.Fatal(err)
	}
	for _, told := range []bool{true, false} {
		var failed []error
		o := adapter.Options{Processes: 1, Timeout: time.Minute, Start: time.Minute}
		if told {
			o.Failed = func(err error) { failed = append(failed, err) }
		}
		core, err := adapter.Start(fmt.Sprintf("%s hostile good %s", name, filepath.Join(t.TempDir(), "mark")), o)
		if err != nil {
			t.Fatal(err)
		}
		if a := core.Ask(context.Background(), job(0)); a.Fate != adapter.Answered {
			t.Errorf("got %v", &a)
		}
		if err := os.Rename(name, name+"s"); err != nil {
			t.Fatal(err)
		}
		a := core.AskFresh(context.Background(), job(0))
		if told && (a.Kind != "interrupted" || len(failed) == 0) || !told && a.Fate != adapter.Crashed {
			t.Errorf("told: %v: got %v, %v", told, &a, failed)
		}
		core.Close()
		if err := os.Rename(name+"s", name); err != nil {
			t.Fatal(err)
		}
	}
}
