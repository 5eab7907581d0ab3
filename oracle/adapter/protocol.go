// Package adapter serves this module: it speaks the line protocol between the harness and shader
// cores in other processes, one JSON object a line in, one out. Core, Start and InProcess are for all
// who call package conform.
package adapter

import (
	"encoding/json"

	"github.com/picaproof/picaproof/pica"
)

// Version is the protocol version that info replies name.
const Version = 1

// Request is one line to a core.
type Request struct {
	ID json.RawMessage `json:"id,omitempty"`
	Op string          `json:"op,omitempty"` // run (default), info
	pica.JobJSON
	Regs      *bool `json:"regs,omitempty"`       // false leaves temporaries out of the reply
	TimeoutMS int   `json:"timeout_ms,omitempty"` // 0 for no limit
}

// Status is the outcome of a request.
type Status string

// The statuses. The harness records Crash and Timeout when a process dies or exceeds its
// limit; a core that supervises itself may answer them too.
const (
	StatusOK         Status = "ok"
	StatusError      Status = "error"
	StatusCrash      Status = "crash"
	StatusTimeout    Status = "timeout"
	StatusBadRequest Status = "bad-request"
)

// Kinds of StatusError.
const (
	KindAssert      = "assert"
	KindPanic       = "panic"
	KindException   = "exception"
	KindUnsupported = "unsupported"
	KindTrap        = "trap"
)

// Reply is one line from a core; which fields it has depends on the request.
type Reply struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Status Status          `json:"status"`
	Kind   string          `json:"kind,omitempty"`
	Msg    string          `json:"msg,omitempty"`
	// StatusCrash has one of these: the name of the signal, or the exit status.
	Signal string `json:"signal,omitempty"`
	Exit   *int   `json:"exit,omitempty"`
	// Remarks do not affect the result: estimates ("estimated rcp"), hazards of the
	// console of which the profile only warns ("unreliable-input at 3"), registers read
	// before they were written ("uninitialised r0").
	Remarks []string `json:"remarks,omitempty"`
	// Log lists warnings of the core about skipped instructions ("skipped dst").
	Log []string      `json:"log,omitempty"`
	Out []VertexReply `json:"out,omitempty"`

	// Fields of info.
	Core        string   `json:"core,omitempty"`
	Protocol    int      `json:"protocol,omitempty"`
	Profile     string   `json:"profile,omitempty"`
	Stages      []string `json:"stages,omitempty"`
	Unsupported []string `json:"unsupported,omitempty"`
	// SetsB15 says that the core, or what its adapter puts around it, sets b15 after each run of a
	// geometry program. Without it nobody asks.
	SetsB15 bool `json:"sets_b15,omitempty"`
}

// VertexReply is the state after one vertex: register banks as hex digits of float32
// patterns, whatever number format the core uses.
type VertexReply struct {
	O     string       `json:"o"`
	R     string       `json:"r,omitempty"`
	A     *[3]int32    `json:"a,omitempty"`
	CC    *uint8       `json:"cc,omitempty"` // bit 0 cc.x, bit 1 cc.y
	Prims *[]PrimReply `json:"prims,omitempty"`
}

// The registers of the fields r, a and cc, each of which a reply may leave out.
const (
	temporaries = pica.RegTemporaries
	addresses   = pica.RegA0X | pica.RegA0Y | pica.RegAL
	flags       = pica.RegCCX | pica.RegCCY
)

// PrimReply is one primitive of a geometry program, the slots as stored.
type PrimReply struct {
	W uint8     `json:"w"`
	V [3]string `json:"v"`
}
