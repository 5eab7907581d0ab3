package command

import (
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/oracle/adapter"
)

// Outcome says how a command ended.
type Outcome uint8

// The outcomes.
const (
	Done    Outcome = iota // exit status 0
	Failed                 // exit status 1 to 125
	Crashed                // a signal, another exit status, a panic, a report of a sanitizer
	Hung                   // it did not end in time
)

// End is the end of a command.
type End struct {
	Outcome Outcome
	// Fault names a crash; equal causes have equal names: "SIGSEGV", or
	// "AddressSanitizer: heap-buffer-overflow in parse".
	Fault string
	// Message is the line of the standard error that names the fault, else its first
	// line, else how the command ended.
	Message string
	Stderr  string
}

// EndOf returns the end of a program.
func EndOf(e *adapter.Exit) End {
	r := End{Stderr: e.Stderr, Message: firstLine(e.Stderr), Fault: fault(e.Stderr)}
	status, _ := strconv.Atoi(e.Message)
	switch {
	case e.Kind == "timeout":
		r.Outcome, r.Message, r.Fault = Hung, "no end after "+e.Message, ""
	case r.Fault != "":
		r.Outcome, r.Message = Crashed, faultLine(e.Stderr)
	case e.Kind == "signal", e.Kind == "output":
		r.Outcome, r.Fault, r.Message = Crashed, e.Message, e.Message
	case e.Succeeded():
		r.Outcome = Done
	case status > 125 || status < 0:
		r.Outcome, r.Fault = Crashed, "exit status "+e.Message
		r.Message = r.Fault
	default:
		r.Outcome = Failed
	}
	return r
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(line)
}
