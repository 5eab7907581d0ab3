//go:build linux || darwin

package conform_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/conform/kit/kittest"
	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/oracle/adapter"
)

// planted are the faults of the toy core, each with a pattern of the names of its causes.
var planted = []struct{ name, cause string }{
	{"add-flush", `^add`}, {"mul-zero-inf", `^mul, infinite`}, {"mad-fused", `^mad|^model: mad$`}, {"dp3-w", `^dp3`},
	{"dph-w", `^dph`},
	{"max-nan", `^max`}, {"min-zero", `^min`}, {"sge-strict", `^sge`}, {"flr-truncates", `^flr`},
	{"rsq-negative", `^rsq`},
	{"lg2-zero", `^lg2`}, {"mova-nearest", `^model: mova$|^mova`}, {"dst-one", `^dst`},
	{"rcp-estimate", `^precision: rcp$|^rcp`},
	{"ex2-estimate", `^precision: ex2$|^ex2`}, {"swizzle-src2", `^swizzle|^component z`},
	{"negate-src3", `^madi?, negation|^mad`},
	{"mask-yz", `destination mask`}, {"mad-desc", `^mad|descriptor`}, {"slti-sources", `^slti`},
	{"index-al", `index aL`},
	{"index-ones", `index out of range`}, {"jmpu-inversion", `^jmpu`}, {"loop-count", `^loop`}, {"call-depth", `^call`},
	{"if-and", `^ifc`},
	{"breakc-step", `breakc`}, {"nested-al", `^model: inneral$|^loop, nested`}, {"call-end", `call`},
	{"state-r15", `^initial registers$`},
	{"state-keep", `^state of the vertex before$`}, {"state-cc", `^condition flags pass`},
	{"upload-subnormal", `^upload of uniform`},
	{"upload-infinity", `^upload of uniform float24`}, {"input-zero", `^upload of input`},
	{"input-cut", `^upload of input`},
	{"emit-winding", `^emit`}, {"emit-bank", `^model: banks$`}, {"emit-mask", `^emit`}, {"emit-clears", `^emit`},
	{"crash-callc", `callc and loop: crash`}, {"crash-mad", `^madi?`}, {"crash-late", `^crash by an earlier`},
	{"exit-lg2", `^lg2`},
	{"hang-flr", `^flr`}, {"reply-sgei", `^sge`}, {"reply-random", `^dp4`}, {"refuse-slt", `^model: op.slt$`},
	{"assert-min", `^min`},
	{"slt-nan", `^slt`}, {"cmp-nan", `^cmp, NaN`}, {"cmp-y", `^cmp`}, {"lg2-fraction", `^lg2`},
	{"lg2-infinity", `^lg2`},
	{"ex2-infinity", `^ex2`}, {"ex2-clobbers", `^ex2`}, {"flr-large", `^flr`}, {"rcp-lanes", `^rcp`},
	{"dp3-stale", `^dp3`},
	{"desc-31", `descriptor above 31`}, {"bool-15", `b15`}, {"unused-source", `^mov, unused bits: crash$`},
	{"madi-index", `relative addressing|^madi`},
	{"index-unsigned", `relative addressing`}, {"index-registers", `index of an input or temporary`},
	{"index-swizzle", `relative addressing`},
	{"loop-extra", `^loop`}, {"loop-hang", `^loop`}, {"break-nop", `break`}, {"breakc-if", `breakc?`},
	{"callu-always", `^callu`},
	{"jmpc-back", `^jmpc`}, {"if-empty", `^if`}, {"state-loop", `^open loops pass`},
	{"state-cache", `^code cache ignores .*operand descriptors`},
	{"state-al", `^state of the vertex before$`}, {"uniform-95", `c95|float uniform|relative addressing`},
	{"upload-one", `^model: subnormal|^upload of uniform float24`},
	{"emit-slot", `^emit`}, {"emit-twice", `^emit`}, {"crash-end", `call`}, {"crash-jump", `loop`},
	{"crash-many", `^crash after many`},
	// A core with several of these faults has one cache, and one cause lists the gaps of its
	// key.
	{"cache-entry", `^code cache ignores .*the entry point`},
	{"cache-prefix", `^code cache ignores .*words behind word 16`},
	{"ex2-deep", `call.* and ex2: crash$`}, {"in-place", `^mov, destination among`},
	{"copy-stale", `^mov, operand written later$`},
	{"desc-99", `^descriptor above 99$`}, {"steps-300", `^more than 300 steps$`},
	{"words-512", `^more than 512 words$`}, {"target-512", `^target above word 511$`},
	{"cache-sum", `^code cache ignores .*the order of words`},
	{"cache-constants", `^code cache ignores .*float uniforms`},
	{"cache-code", `^code cache ignores .*boolean uniforms`},
	{"loop-i3", `^loop on i3`}, {"vertex-4", `^vertex 3 of a request`},
	{"bool-8", `^conditions on uniforms|\bb(8|9|1[0-5])$`}, {"same-sge", `^sge`},
	{"cc-call", `^calls?`}, {"mul-daz", `^mul`}, {"hang-rsq", `^rsq`}, {"hang-breakc", `breakc`},
	{"end-scope", `^loop`}, {"swizzle-w", `^component w$`}, {"break-deep", `^break and loop, full stack$`},
	{"crash-r13", `^max, r13, destination mask: crash$`},
	{"negate-al", `^relative addressing, negation, index aL$`}, {"spill-12", `^more than 12 temporaries$`},
	{"loop-255", `^loop, count above 254$`}, {"mova-clamp", `^mova$`}, {"if-neither", `^ifc`},
	{"add-same", `^add`}, {"cc-mad", `^madi?$`}, {"alloc-r4", `^r12, and r4 with it$`},
	{"loop-call", `^call.* and loop`}, {"dead-store", `^mov, destination written next$`},
	{"mova-late", `^mova|relative addressing`},
	{"state-a0y", `^address registers pass`}, {"flr-unused", `^flr, unused bits$`},
	{"one-operand", `^unused bits: crash$`}, {"call-unused", `^call, unused bits`},
	{"nop-bits", `^nop, unused bits: crash$`},
	{"read-r15", `^r15$`}, {"output-high", `^outputs, and others with it$`}, {"loop-start", `^loop, start above 127$`},
	{"loop-step", `^loop, step above 127$`},
	{"uniform-64", `^c64 to c95$`}, {"state-b7", `^boolean uniforms pass`}, {"cc-branch", `^callc`},
	{"ex2-largest", `^ex2`}, {"add-largest", `^add`},
}

// without lists faults that have no effect together with another fault: if aL is not restored
// after any nested loop, a procedure need not restore it.
var without = map[string]string{"loop-call": "nested-al"}

// longest is the largest number of instructions in the program of a cause.
const longest = 8

// temporariesOf returns the number of temporaries that the program of a cause must write.
func temporariesOf(d report.Deviation) (n int) {
	fmt.Sscanf(d.Bucket, "more than %d temporaries", &n)
	return n
}

// healthyCores keeps the reports of healthyCore by the number of cases.
var healthyCores = map[uint64]*report.Report{}

// healthyCore returns the report on the toy core without faults.
func healthyCore(t *testing.T, cases uint64) *report.Report {
	t.Helper()
	if healthyCores[cases] == nil {
		_, healthyCores[cases] = judgeFaults(t, cases, nil)
	}
	return healthyCores[cases]
}

// judgeFaults judges the toy core with some faults in child processes, and returns the causes
// that a core without faults does not have.
func judgeFaults(t *testing.T, cases uint64, healthy *report.Report,
	names ...string) (extra []report.Deviation, r *report.Report) {
	t.Helper()
	command := kittest.Toy(t)
	for _, name := range names {
		command += " --fault " + name
	}
	core, err := adapter.Start(command, adapter.Options{Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer core.Close()
	if r, err = conform.Run(t.Context(), core, conform.Options{Suites: suites(), Cases: cases, Seed: 1}); err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Deviations {
		if healthy == nil || !slices.ContainsFunc(healthy.Deviations, func(h report.Deviation) bool {
			return h.Bucket == d.Bucket && h.Verdict == d.Verdict && h.Note == d.Note
		}) {
			extra = append(extra, d)
		}
	}
	return extra, r
}

// checkFaults compares the report on some faults with the planted ones: each is named, in few
// causes with short programs.
func checkFaults(t *testing.T, cases uint64, healthy *report.Report, names ...string) (causes int) {
	t.Helper()
	extra, r := judgeFaults(t, cases, healthy, names...)
	var shown []string
	for _, d := range slices.Concat(extra, r.Findings) {
		shown = append(shown, d.Bucket)
	}
	for _, p := range planted {
		if pattern := regexp.MustCompile(p.cause); slices.Contains(names, p.name) &&
			!slices.Contains(names, without[p.name]) &&
			!slices.ContainsFunc(shown, pattern.MatchString) {
			t.Errorf("%v: no cause speaks of %s (%s): %q", names, p.name, p.cause, shown)
		}
	}
	for _, d := range extra {
		// a failure that is not repeated cannot be reduced
		if d.Instructions > longest+temporariesOf(d) && d.Verdict != report.Flaky {
			t.Errorf("%v: %s: %s: %d instructions, want at most %d\n%s", names, d.Verdict, d.Bucket, d.Instructions,
				longest+temporariesOf(d), d.Assembly)
		}
	}
	if len(extra) > 2*len(names) {
		t.Errorf("%v: %d causes, want at most 2 for each fault", names, len(extra))
	}
	for _, d := range extra {
		t.Logf("%s: %s: %s, %d instructions, %s: expected %s, observed %s", strings.Join(names, "+"), d.Verdict,
			d.Bucket, d.Instructions,
			d.Where, d.Expected, d.Observed)
	}
	return len(extra)
}

// group returns five faults, with or without hangs.
func group(seed, n uint64, hangs bool) (names []string) {
	random := rand.New(rand.NewPCG(seed, n))
	for _, k := range random.Perm(len(planted)) {
		if name := planted[k].name; len(names) < 5 && (hangs || !strings.Contains(name, "hang")) {
			names = append(names, name)
		}
	}
	return names
}

// TestPlanted: faults of the toy core are found and named, alone and together. Hangs are on
// demand: the number of judged and reduced jobs depends on the machine.
func TestPlanted(t *testing.T) {
	singles, groups, cases := []string{"dp3-w", "if-and", "index-registers", "state-cc", "state-cache", "cache-entry",
		"crash-many", "crash-end"}, 2, uint64(1200)
	if testing.Short() {
		singles, groups, cases = singles[3:4], 0, fewCases
	}
	healthy := healthyCore(t, cases)
	for _, name := range singles {
		checkFaults(t, cases, healthy, name)
	}
	const seed = 12
	for n := range groups {
		checkFaults(t, cases, healthy, group(seed, uint64(n), false)...)
	}
}

// TestHidden: a fault is found even if another one spoils every instruction, or every call.
func TestHidden(t *testing.T) {
	if testing.Short() {
		t.Skip("long: two cores with several faults")
	}
	const cases = 300
	_, healthy := judgeFaults(t, cases, nil)
	checkFaults(t, cases, healthy, "mul-zero-inf", "swizzle-src2", "swizzle-w")
	checkFaults(t, cases, healthy, "bool-8", "add-flush", "crash-end", "upload-subnormal", "loop-call")
	checkFaults(t, cases, healthy, "loop-start", "loop-step", "loop-255")
}

// TestRandomAnswers: the report on a core with random answers says only that; the report on a
// core that is rarely wrong names no cause.
func TestRandomAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("long: every job has a process of its own")
	}
	healthy := healthyCore(t, fewCases)
	for fault, cause := range map[string]string{"answer-random": "answers that are not repeated", "answer-seldom": ""} {
		extra, _ := judgeFaults(t, fewCases, healthy, fault)
		for _, d := range extra {
			if d.Verdict != report.Precision && d.Verdict != report.Flaky || cause != "" && d.Bucket != cause {
				t.Errorf("%s: %s: %s: %s", fault, d.Verdict, d.Bucket, d.Note)
			}
		}
		if len(extra) == 0 {
			t.Errorf("%s: not found", fault)
		}
	}
}

// processorTime returns the processor time of the test and its finished processes.
func processorTime() (sum time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var use syscall.Rusage
		if syscall.Getrusage(who, &use) == nil {
			sum += time.Duration(use.Utime.Nano() + use.Stime.Nano())
		}
	}
	return sum
}

// TestPlantedAll: each fault alone, or random groups: PICAPROOF_FAULTS is all, groups, or a list
// of names and of groups, dp3-w,if-and+loop-count; PICAPROOF_FAULTS_SEED selects other groups.
func TestPlantedAll(t *testing.T) {
	which := os.Getenv("PICAPROOF_FAULTS")
	if which == "" {
		t.Skip("on demand: PICAPROOF_FAULTS=all")
	}
	const cases = 4000
	_, healthy := judgeFaults(t, cases, nil)
	seed, err := strconv.ParseUint(cmp.Or(os.Getenv("PICAPROOF_FAULTS_SEED"), "1"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	var counts []int
	one := func(names ...string) {
		t.Run(strings.Join(names, "+"), func(t *testing.T) {
			start, used := time.Now(), processorTime()
			n := checkFaults(t, cases, healthy, names...)
			counts = append(counts, n)
			t.Logf("%d faults, %d causes, %.1f s, processors %.1f s", len(names), n, time.Since(start).Seconds(),
				(processorTime() - used).Seconds())
		})
	}
	for _, p := range planted {
		if which == "all" || slices.Contains(strings.Split(which, ","), p.name) {
			one(p.name)
		}
	}
	for name := range strings.SplitSeq(which, ",") {
		if together := strings.Split(name, "+"); len(together) > 1 {
			one(together...)
		}
	}
	if which == "all" || which == "groups" {
		for n := range uint64(8) {
			one(group(seed, n, true)...)
		}
	}
	slices.Sort(counts)
	t.Logf("seed %d: median %d causes of %d runs, most %d", seed, counts[len(counts)/2], len(counts),
		counts[len(counts)-1])
}
