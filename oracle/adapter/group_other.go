//go:build !linux && !darwin

package adapter

import (
	"os/exec"

	"github.com/picaproof/picaproof/oracle/adapter/orphans"
)

// separate does nothing: here the children of a core outlive it.
func separate(*exec.Cmd) {}

// finish returns when a process has ended.
func (p *process) finish() {
	_ = p.cmd.Wait()
	orphans.Wait(p.cmd)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.gone = true
}

// over reports whether the process has ended and was waited for. The caller holds the lock.
func (p *process) over() bool { return p.gone }

// killGroup kills the process alone.
func (p *process) killGroup() { _ = p.cmd.Process.Kill() }

// signalled returns "": no signal ends a process here.
func signalled(*exec.Cmd) string { return "" }

// signalName returns "": a shell does not report signals here.
func signalName(int) string { return "" }
