//go:build linux || darwin

package testscript_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// cluster runs the job script of docs/cluster.md without Slurm.
type cluster struct {
	*testing.T
	dir string // has the script and, in bin, an scontrol that writes down what it is asked
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	if testing.Short() {
		t.Skip("runs campaigns")
	}
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	c := &cluster{t, t.TempDir()}
	page, err := os.ReadFile("../docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range blocks(string(page)) {
		if b.language == "bash" {
			c.write(b.name, b.text)
		}
	}
	c.write("bin/scontrol", "#!/bin/sh\necho \"$@\" >> asked\n")
	return c
}

// write writes a program.
func (c *cluster) write(name, text string) {
	c.Helper()
	path := filepath.Join(c.dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		c.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		c.Fatal(err)
	}
}

// task returns the command that Slurm would run for a task of two.
func (c *cluster) task(number, restarts int, args ...string) *exec.Cmd {
	cmd := exec.Command("bash", append([]string{"picaproof.sbatch", "night"}, args...)...)
	cmd.Dir, cmd.WaitDelay = c.dir, time.Second // a program may survive the script
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(c.dir, "bin")+":"+os.Getenv("PATH"), "SLURM_ARRAY_JOB_ID=7",
		"SLURM_ARRAY_TASK_COUNT=2", fmt.Sprint("SLURM_ARRAY_TASK_ID=", number), fmt.Sprint("SLURM_RESTART_COUNT=", restarts))
	return cmd
}

// run runs a task, and returns its output and exit status.
func (c *cluster) run(cmd *exec.Cmd) (output string, status int) {
	out, _ := cmd.CombinedOutput() // its status tells
	return string(out), cmd.ProcessState.ExitCode()
}

// asked returns what scontrol was asked since the last call.
func (c *cluster) asked() string {
	c.Helper()
	name := filepath.Join(c.dir, "asked")
	b, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		c.Fatal(err)
	}
	_ = os.Remove(name)
	return string(b)
}

// campaign has findings.
var campaign = []string{"fuzz", "alu", "--profile", "f24", "--cases", "600", "--engine", "panics-on-mul"}

// TestClusterScript plays Slurm: two tasks, one of which is killed and starts again; merged, they are
// the campaign of one machine.
func TestClusterScript(t *testing.T) {
	c := newCluster(t)
	out, status := c.run(c.task(1, 0, campaign...))
	if status != 0 || !strings.Contains(out, "shard 1/2 of the campaign") {
		t.Fatalf("a task with findings: exit status %d\n%s", status, out)
	}
	// The second task is killed once it has stored a state.
	c.write("bin/picaproof", `#!/bin/bash
PATH=${PATH#*:}
picaproof "$@" --cases 200
kill -KILL $$
`)
	if out, status := c.run(c.task(2, 0, campaign...)); status != 0 {
		t.Errorf("a killed task: exit status %d\n%s", status, out)
	}
	if got, want := c.asked(), "requeue 7_2\n"; got != want {
		t.Errorf("scontrol was asked %q, want %q", got, want)
	}
	if out, status := c.run(c.task(2, 20, campaign...)); status != 128+9 || c.asked() != "" {
		t.Errorf("the last restart: exit status %d\n%s", status, out)
	}
	if err := os.Remove(filepath.Join(c.dir, "bin/picaproof")); err != nil {
		t.Fatal(err)
	}
	if out, status := c.run(c.task(2, 1, campaign...)); status != 0 || c.asked() != "" {
		t.Errorf("the second start: exit status %d\n%s", status, out)
	}
	c.merged(2)
}

// merged merges the parts, and demands the findings of a campaign on one machine.
func (c *cluster) merged(parts int) {
	c.Helper()
	picaproof := func(args ...string) {
		c.Helper()
		cmd := exec.Command("picaproof", args...)
		cmd.Dir = c.dir
		if out, status := c.run(cmd); status != 1 {
			c.Fatalf("picaproof %q: exit status %d\n%s", args, status, out)
		}
	}
	merge := []string{"fuzz", "merge", "--state", "whole"}
	for part := range parts {
		merge = append(merge, fmt.Sprint("night/part-", part+1))
	}
	picaproof(merge...)
	picaproof(append(campaign, "--state", "one")...)
	found, err := filepath.Glob(filepath.Join(c.dir, "one", "*.json"))
	if err != nil || len(found) < 2 {
		c.Fatalf("%q, %v", found, err)
	}
	for _, name := range found {
		name = filepath.Base(name)
		if name == "campaign.json" {
			continue
		}
		one, err := os.ReadFile(filepath.Join(c.dir, "one", name))
		if err != nil {
			c.Fatal(err)
		}
		whole, err := os.ReadFile(filepath.Join(c.dir, "whole", name))
		if err != nil || string(whole) != string(one) {
			c.Errorf("%s: another finding than on one machine, %v", name, err)
		}
	}
}

// TestClusterConform plays Slurm for a verdict on a core: one of two tasks is killed while it asks, and goes on. The
// merged report is that of one machine.
func TestClusterConform(t *testing.T) {
	c := newCluster(t)
	verdict := []string{"conform", "core", "--exec", "inside oracle f32", "--suite", "alu,flow", "--cases", "400"}
	if out, status := c.run(c.task(1, 0, verdict...)); status != 0 {
		t.Fatalf("a task with findings: exit status %d\n%s", status, out)
	}
	c.write("bin/picaproof", `#!/bin/bash
PATH=${PATH#*:}
picaproof "$@" &
until [ "$(wc -c < "${@: -1}/answers.jsonl")" -gt 20000 ] || ! kill -0 $!; do sleep 0.01; done 2> /dev/null
kill -KILL $!
wait $!
`)
	if out, status := c.run(c.task(2, 0, verdict...)); status != 0 {
		t.Errorf("a killed task: exit status %d\n%s", status, out)
	}
	if got, want := c.asked(), "requeue 7_2\n"; got != want {
		t.Errorf("scontrol was asked %q, want %q", got, want)
	}
	if _, err := os.Stat(filepath.Join(c.dir, "night/part-2.json")); err == nil {
		t.Error("the killed task left a report")
	}
	if err := os.Remove(filepath.Join(c.dir, "bin/picaproof")); err != nil {
		t.Fatal(err)
	}
	if out, status := c.run(c.task(2, 1, verdict...)); status != 0 || c.asked() != "" {
		t.Errorf("the second start: exit status %d\n%s", status, out)
	}
	read := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("picaproof", append(args, "-o", "report.json")...)
		cmd.Dir = c.dir
		if out, status := c.run(cmd); status != 1 {
			t.Fatalf("picaproof %q: exit status %d\n%s", args, status, out)
		}
		b, err := os.ReadFile(filepath.Join(c.dir, "report.json"))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	one := read(verdict...)
	if merged := read("report", "merge", "night/part-1.json", "night/part-2.json"); merged != one {
		t.Errorf("the merged report is another one than that of one machine:\n%s", merged)
	}
}

// TestClusterPage runs the commands of docs/cluster.md, with an sbatch that writes down what it is asked.
func TestClusterPage(t *testing.T) {
	g := follow(t, "cluster.md", 1, "sh", "bash")
	g.write("sbatch", "#!/bin/sh\necho \"$@\" >> asked\necho 12\n")
	g.run(0, "chmod +x sbatch; PATH=.:$PATH bash night.sh; PATH=.:$PATH bash verdict.sh")
	got, err := os.ReadFile(filepath.Join(g.directory, "asked"))
	want := "--parsable --array=1-4 --cpus-per-task=8 picaproof.sbatch night fuzz --cases 4000000\n" +
		"--dependency=afterok:12 --wrap picaproof fuzz merge night/part-? --state night/whole\n" +
		"--parsable --array=1-4 --cpus-per-task=8 picaproof.sbatch run conform core --exec mycore --cases 40000\n" +
		"--dependency=afterok:12 --wrap picaproof report merge run/part-?.json -o run/whole.json\n"
	if err != nil || string(got) != want {
		t.Errorf("got %s%v, want %s", got, err, want)
	}
}

// TestClusterEnds: the script ends as the contract says.
func TestClusterEnds(t *testing.T) {
	c := newCluster(t)
	const waits = "trap 'mv started ended; exit 1' TERM\ntouch started\nfor i in {1..200}; do sleep 0.05; done"
	for _, test := range []struct {
		name, program, signal string
		task, status          int
		asked                 string
	}{
		{"nothing found", "exit 0", "", 1, 0, ""},
		{"found", "exit 1", "", 1, 0, ""},
		{"not run", "exit 2", "", 1, 2, ""},
		{"another number", "exit 0", "", 0, 2, ""},
		{"crash", "kill -SEGV $$", "", 1, 0, "requeue 7_1\n"},
		{"time is nearly over", waits, "USR1", 1, 0, "requeue 7_1\n"},
		{"cancelled", waits, "TERM", 1, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			ended := filepath.Join(c.dir, "ended")
			_ = os.Remove(ended)
			c.write("bin/picaproof", "#!/bin/bash\n"+test.program+"\n")
			cmd := c.task(test.task, 0, "fuzz")
			if test.signal != "" {
				cmd.Args = []string{"bash", "-c", `bash picaproof.sbatch night fuzz & until [ -e started ]; do sleep 0.05; done
kill -` + test.signal + ` $!; wait $!`}
			}
			out, status := c.run(cmd)
			if _, err := os.Stat(ended); test.signal != "" && err != nil {
				t.Errorf("the program was not asked to end: %v", err)
			}
			if asked := c.asked(); status != test.status || asked != test.asked {
				t.Errorf("exit status %d, want %d; scontrol was asked %q, want %q\n%s", status, test.status, asked, test.asked, out)
			}
		})
	}
}
