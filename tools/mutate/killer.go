package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A suite is a set of test packages.
type suite struct {
	name     string
	packages []string // path prefixes in the module; none means all other packages
}

// The suites.
const (
	generatedSuite = "generated" // generated files and programs, seeds, and properties of all of them
	wholeSuite     = "whole"     // every other test of every package that needs the package under mutation
)

var suites = []suite{{generatedSuite, []string{"properties", "fuzz", "conform"}}, {wholeSuite, nil}}

func (s suite) has(pkg string) bool {
	return s.packages == nil || slices.ContainsFunc(s.packages, func(prefix string) bool {
		return pkg == prefix || strings.HasPrefix(pkg, prefix+"/")
	})
}

// A test is a top-level test, fuzz target (over its seeds) or example.
type test struct {
	of    *testPackage
	name  string
	time  time.Duration // processor time without a mutant
	units map[int]bool  // units that it reaches
}

func (t *test) String() string { return t.of.name + "." + t.name }

// A testPackage is a package with tests that need the package under mutation.
type testPackage struct {
	name string // path in the module
	dir  string
	rank int // of its suite in suites
	deps int // number of packages that it needs
}

// A harness runs tests against the builds of one package under mutation.
type harness struct {
	module string // root directory
	work   string // temporary directory
	source *source
	log    func(format string, args ...any)

	longest time.Duration // tests that take more processor time are left out
	short   bool          // run tests in short mode
	chosen  chosen
}

// chosen says which tests to run.
type chosen struct{ packages, tests *regexp.Regexp }

// some reports whether tests are left out.
func (c chosen) some() bool { return c.packages.String() != "" || c.tests.String() != "" }

// A build is the package with some mutants in it, and the test binaries made from it.
type build struct {
	*harness
	overlay  string
	dir      string
	mu       sync.Mutex
	binaries map[*testPackage]string
}

// newBuild writes a rewriting to files that replace the files of the package.
func (h *harness) newBuild(name string, r rewriting) (*build, error) {
	dir := filepath.Join(h.work, name)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for file, text := range r.files {
		to := filepath.Join(dir, file+".txt")
		if err := os.WriteFile(to, []byte(text), 0o666); err != nil {
			return nil, err
		}
		overlay.Replace[filepath.Join(h.source.dir, file)] = to
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "overlay.json")
	b := &build{harness: h, overlay: path, dir: dir, binaries: map[*testPackage]string{}}
	return b, os.WriteFile(path, text, 0o666)
}

// binary compiles the tests of a package once.
func (b *build) binary(ctx context.Context, p *testPackage) (string, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if path, done := b.binaries[p]; done {
		return path, nil
	}
	path := filepath.Join(b.dir, strings.ReplaceAll(p.name, "/", "_")+".test")
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", b.overlay, "-o", path, "./"+p.name)
	cmd.Dir = b.module
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", p.name, err, out)
	}
	b.binaries[p] = path
	return path, nil
}

// forget deletes the binary of a package if no other mutant uses it.
func (b *build) forget(p *testPackage, alone bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if path, built := b.binaries[p]; alone && built {
		os.Remove(path)
		delete(b.binaries, p)
	}
}

// testPackages lists the packages whose tests need the package under mutation, suite by suite:
// its own tests first, then packages with few dependencies, which are closest to it.
func (h *harness) testPackages(ctx context.Context) ([]*testPackage, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-test", "-json=ImportPath,ForTest,Deps,Dir", "./...")
	cmd.Dir = h.module
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var all []*testPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, ForTest, Dir string
			Deps                     []string
		}
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		needs := slices.ContainsFunc(p.Deps, func(dep string) bool {
			path, _, _ := strings.Cut(dep, " ") // "path [path.test]" is the package with its tests
			return path == h.source.path
		})
		if !needs || !strings.HasSuffix(p.ImportPath, ".test") {
			continue
		}
		name, err := filepath.Rel(h.module, p.Dir)
		if err != nil {
			return nil, err
		}
		name = filepath.ToSlash(name)
		rank := slices.IndexFunc(suites, func(s suite) bool { return s.has(name) })
		all = append(all, &testPackage{name: name, dir: p.Dir, rank: rank, deps: len(p.Deps)})
	}
	own := func(p *testPackage) int {
		if p.dir == h.source.dir {
			return 0
		}
		return 1
	}
	slices.SortFunc(all, func(a, b *testPackage) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), own(a)-own(b), cmp.Compare(a.deps, b.deps),
			cmp.Compare(a.name, b.name))
	})
	return all, nil
}

var listedTest = regexp.MustCompile(`^(Test|Fuzz|Example)\w*$`)

// tests runs every test of a package alone, without a mutant, and returns the passing tests
// with their time and the units that they reach.
func (b *build) tests(ctx context.Context, p *testPackage) ([]*test, error) {
	binary, err := b.binary(ctx, p)
	if err != nil {
		return nil, err
	}
	list := exec.CommandContext(ctx, binary, "-test.list", ".")
	list.Dir = p.dir
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: list: %w", p.name, err)
	}
	var all []*test
	for name := range strings.Lines(string(out)) {
		if name = strings.TrimSpace(name); !listedTest.MatchString(name) || !b.chosen.tests.MatchString(name) {
			continue
		}
		t := &test{of: p, name: name}
		v, err := b.trace(ctx, t)
		switch {
		case err != nil:
			return nil, err
		case v.timeout:
			b.log("left out, it takes more than %v: %v", b.longest, t)
		case v.killed:
			b.log("left out, it fails without a mutant: %v", t)
		default:
			all = append(all, t)
		}
	}
	return all, nil
}

// trace runs a test without a mutant.
func (b *build) trace(ctx context.Context, t *test) (verdict, error) {
	path := filepath.Join(b.dir, "trace")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		return verdict{}, err
	}
	v, err := b.execute(ctx, []*test{t}, traceVariable+"="+path, b.longest)
	if err != nil || v.killed {
		return v, err
	}
	if v.time > b.longest { // the time of children counts once they have ended
		v.timeout = true
		return v, nil
	}
	t.time, t.units = v.time, map[int]bool{}
	text, err := os.ReadFile(path)
	for line := range strings.Lines(string(text)) {
		if n, err := strconv.Atoi(strings.TrimSpace(line)); err == nil {
			t.units[n] = true
		}
	}
	return v, err
}

// A verdict is the result of the tests of one package on a mutant.
type verdict struct {
	killed  bool
	timeout bool
	test    string        // the first that failed
	time    time.Duration // processor time
}

var failedTest = regexp.MustCompile(`(?m)^--- FAIL: (\w+)`)

// maxMemory ends a test whose mutant allocates without bound.
const maxMemory = 4 << 30

// patience is the wall time that a test may take on a loaded machine, in units of its
// processor time.
const patience = 30

// execute runs tests of one package in one process. The limit is processor time, so that a
// loaded machine causes no timeouts.
func (b *build) execute(ctx context.Context, tests []*test, variable string, limit time.Duration) (verdict, error) {
	p := tests[0].of
	binary, err := b.binary(ctx, p)
	if err != nil {
		return verdict{}, err
	}
	names := make([]string, len(tests))
	for i, t := range tests {
		names[i] = t.name
	}
	timed, cancel := context.WithTimeoutCause(ctx, patience*limit, errTooLong)
	defer cancel()
	limited, end := context.WithCancelCause(timed)
	defer end(nil)
	cmd := exec.CommandContext(limited, binary, "-test.run=^("+strings.Join(names, "|")+")$",
		"-test.failfast", "-test.timeout=0", fmt.Sprintf("-test.short=%t", b.short))
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), variable)
	var out tail
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return verdict{}, err
	}
	go watch(limited, cmd.Process.Pid, limit, end)
	err = cmd.Wait()
	v := verdict{killed: err != nil, time: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if ctx.Err() != nil {
		return v, ctx.Err()
	}
	if len(names) == 1 {
		v.test = names[0]
	}
	if m := failedTest.FindSubmatch(out.kept); m != nil {
		v.test = string(m[1])
	}
	v.timeout = errors.Is(context.Cause(limited), errTooLong)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !v.timeout {
		return v, err
	}
	return v, nil
}

var (
	errTooLong = errors.New("the tests do not end")
	errTooMuch = errors.New("the tests use too much memory")
)

// watch ends a process that uses too much memory or too much processor time.
func watch(ctx context.Context, pid int, limit time.Duration, end context.CancelCauseFunc) {
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
			memory, spent := usage(pid)
			switch {
			case memory > maxMemory:
				end(errTooMuch)
			case spent > limit:
				end(errTooLong)
			}
		}
	}
}

// A tail keeps the last bytes written to it.
type tail struct{ kept []byte }

func (t *tail) Write(b []byte) (int, error) {
	const limit = 1 << 20
	t.kept = append(t.kept, b...)
	if len(t.kept) > 2*limit {
		t.kept = slices.Clone(t.kept[len(t.kept)-limit:])
	}
	return len(b), nil
}
