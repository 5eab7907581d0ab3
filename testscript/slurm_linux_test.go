package testscript_test

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// slurmConf is a cluster of this machine alone, without systemd. DIR is its folder.
const slurmConf = `ClusterName=picaproof
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket=DIR/munge.socket
StateSaveLocation=DIR/state
SlurmdSpoolDir=DIR/spool
SlurmctldPidFile=DIR/slurmctld.pid
SlurmdPidFile=DIR/slurmd.pid
SlurmctldPort=CTLDPORT
SlurmdPort=SLURMDPORT
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
KillWait=5
JobRequeue=1
NodeName=localhost NodeHostname=localhost NodeAddr=127.0.0.1 CPUs=4 RealMemory=500 State=UNKNOWN
PartitionName=main Nodes=localhost Default=YES MaxTime=INFINITE State=UP
SlurmdParameters=config_overrides
`

// port returns a free port.
func port(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, number, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return number
}

// startSlurm starts a Slurm in the foreground, which ends with the test.
func startSlurm(c *cluster) {
	c.Helper()
	conf := strings.NewReplacer("DIR", c.dir, "CTLDPORT", port(c.T), "SLURMDPORT", port(c.T)).Replace(slurmConf)
	c.write("slurm.conf", conf)
	c.write("key", strings.Repeat("not secret ", 10))
	for _, name := range []string{"state", "spool"} {
		if err := os.Mkdir(filepath.Join(c.dir, name), 0o755); err != nil {
			c.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(c.dir, "key"), 0o400); err != nil {
		c.Fatal(err)
	}
	c.Setenv("SLURM_CONF", filepath.Join(c.dir, "slurm.conf"))
	c.Setenv("PATH", filepath.Join(c.dir, "bin")+":"+os.Getenv("PATH"))
	for _, daemon := range [][]string{
		{"munged", "--foreground", "--force", "--socket=munge.socket", "--key-file=key", "--pid-file=munged.pid",
			"--seed-file=seed", "--log-file=munged.log"},
		{"slurmctld", "-D"},
		{"slurmd", "-D", "-N", "localhost"},
	} {
		for i, argument := range daemon {
			if option, name, ok := strings.Cut(argument, "="); ok {
				daemon[i] = option + "=" + filepath.Join(c.dir, name)
			}
		}
		cmd := exec.Command(daemon[0], daemon[1:]...)
		var log bytes.Buffer
		cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &log, &log, time.Second
		if err := cmd.Start(); err != nil {
			c.Fatal(err)
		}
		c.Cleanup(func() {
			_ = cmd.Process.Kill()
			_ = cmd.Wait() // it was killed
			if c.Failed() {
				c.Logf("%s:\n%s", daemon[0], log.String())
			}
		})
		if daemon[0] == "munged" {
			c.until("munged answers", func() bool {
				_, err := os.Stat(filepath.Join(c.dir, "munge.socket"))
				return err == nil
			})
		}
	}
}

// until waits for a condition.
func (c *cluster) until(what string, holds func() bool) {
	c.Helper()
	for range 1800 {
		if holds() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	c.Fatalf("%s: not within three minutes", what)
}

// slurm runs a command of Slurm in the folder of the cluster.
func (c *cluster) slurm(name string, args ...string) string {
	c.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = c.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.Fatalf("%s %q: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestSlurm runs a campaign as an array of four tasks. One is killed by SIGKILL, one is requeued while it
// runs; merged they are the campaign of one machine.
func TestSlurm(t *testing.T) {
	if err := exec.Command("../.ci/slurm").Run(); err != nil {
		t.Skipf("no Slurm that this test can start: .ci/slurm: %v", err)
	}
	c := newCluster(t)
	if err := os.Remove(filepath.Join(c.dir, "bin/scontrol")); err != nil {
		t.Fatal(err)
	}
	// The second task is killed at its first start, the third waits until it is asked to end.
	c.write("bin/picaproof", `#!/bin/bash
PATH=${PATH#*:}
case "$*-$SLURM_RESTART_COUNT" in
*"--shard 2/4"*-) picaproof "$@" --cases 300; kill -KILL $$ ;;
*"--shard 3/4"*-) picaproof "$@" --cases 300; trap 'exit 1' TERM; touch waits; for i in {1..1800}; do sleep 0.1; done ;;
*) picaproof "$@" ;;
esac
`)
	startSlurm(c)
	c.until("Slurm is up", func() bool {
		out, _ := exec.Command("sinfo", "-h", "-o", "%t").Output()
		return strings.TrimSpace(string(out)) == "idle"
	})
	arguments := append([]string{"--parsable", "--array=1-4", "picaproof.sbatch", "night"}, campaign...)
	job := c.slurm("sbatch", arguments...)
	c.until("the third task runs", func() bool {
		_, err := os.Stat(filepath.Join(c.dir, "waits"))
		return err == nil
	})
	c.slurm("scontrol", "requeue", job+"_3")
	again := []string{job + "_2", job + "_3"}
	for _, task := range again {
		c.until(task+" waits for its second start", func() bool {
			text := c.slurm("scontrol", "show", "job", task)
			return strings.Contains(text, " Restarts=1 ") && strings.Contains(text, "JobState=PENDING ")
		})
	}
	time.Sleep(2 * time.Second) // slurmd refuses a task in the second in which it ended
	for _, task := range again {
		c.slurm("scontrol", "update", "JobId="+task, "StartTime=now") // Slurm would wait for minutes
	}
	states := func() string { return c.slurm("squeue", "-h", "-r", "-t", "all", "-o", "%K %T", "-j", job) }
	c.until("all tasks end", func() bool { return strings.Count(states(), "COMPLETED") == 4 })
	t.Logf("tasks:\n%s", states())
	c.merged(4)
}
