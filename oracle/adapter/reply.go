package adapter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"github.com/picaproof/picaproof/pica"
)

var replyFields = namesOf(reflect.TypeFor[Reply]())

// Errors of a line that is no answer.
var (
	errNoObject = errors.New("the line is no JSON object")
	errID       = errors.New("the reply has another id than the request")
)

// parseReply reads a reply to a request.
func parseReply(line []byte, q *request) (*Reply, error) {
	line = bytes.TrimSpace(line)
	if !bytes.HasPrefix(line, []byte("{")) {
		return nil, errNoObject
	}
	exactNames(line, replyFields)
	r := new(Reply)
	if err := json.Unmarshal(line, r); err != nil {
		return nil, err
	}
	if string(r.ID) != strconv.FormatUint(q.id, 10) {
		return nil, errID
	}
	return r, nil
}

// decodeAnswer reads the answer to a job. An error says why the line is no answer.
func decodeAnswer(line []byte, q *request) (Answer, error) {
	if a, ok := quickAnswer(line, q); ok {
		return a, nil
	}
	return slowAnswer(line, q)
}

// slowAnswer reads any answer.
func slowAnswer(line []byte, q *request) (Answer, error) {
	r, err := parseReply(line, q)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Kind: r.Kind, Message: r.Msg, Log: r.Log, Remarks: r.Remarks}
	switch r.Status {
	case StatusOK:
		a.Fate = Answered
	case StatusError:
		switch r.Kind {
		case KindTrap:
			a.Fate = Trapped
		case KindUnsupported:
			a.Fate = Unsupported
		default:
			a.Fate = Refused
		}
	case StatusBadRequest:
		a.Fate, a.Kind = Refused, string(StatusBadRequest)
	case StatusTimeout:
		a.Fate = Hung
	case StatusCrash:
		a.Fate = Crashed
		switch {
		case r.Signal != "":
			a.Kind, a.Message = "signal", r.Signal
		case r.Exit != nil:
			a.Kind, a.Message = "exit", strconv.Itoa(*r.Exit)
		}
	default:
		return Answer{}, fmt.Errorf("unknown status %q", r.Status)
	}
	if err := a.setOutcome(r.Out, q.vertices, q.stage); err != nil {
		return Answer{}, err
	}
	return a, nil
}

// setOutcome sets the state after each vertex of a run that ended or trapped.
func (a *Answer) setOutcome(out []VertexReply, vertices int, stage pica.Stage) error {
	if a.Fate == Answered && len(out) != vertices || len(out) > vertices {
		return fmt.Errorf("%d vertices, want %d", len(out), vertices)
	}
	if a.Fate > Trapped {
		return nil
	}
	a.Outcome = pica.Outcome{Storage: pica.Float32, Vertices: make([]pica.VertexOutcome, len(out))}
	for i := range out {
		if err := decodeVertex(&a.Outcome.Vertices[i], &out[i], stage); err != nil {
			return fmt.Errorf("vertex %d: %w", i, err)
		}
	}
	for i := range out {
		a.Unreported |= out[i].unreported()
	}
	if n := len(out); n > 0 && a.Fate == Trapped {
		a.Outcome.Vertices[n-1].Trap.Cause = a.Cause()
	}
	return nil
}

// unreported returns the registers that a reply leaves out.
func (r *VertexReply) unreported() (set pica.Registers) {
	if r.R == "" {
		set |= temporaries
	}
	if r.A == nil {
		set |= addresses
	}
	if r.CC == nil {
		set |= flags
	}
	return set
}

func decodeVertex(v *pica.VertexOutcome, r *VertexReply, stage pica.Stage) error {
	if !decodeBank(&v.O, []byte(r.O)) {
		return errors.New("o is not 512 hex digits")
	}
	if r.R != "" && !decodeBank(&v.R, []byte(r.R)) {
		return errors.New("r is not 512 hex digits")
	}
	if a := r.A; a != nil {
		v.Address, v.AL = [2]int32(a[:2]), a[2]
	}
	if cc := r.CC; cc != nil {
		if *cc > 3 {
			return fmt.Errorf("cc is %d", *cc)
		}
		v.CC = [2]bool{*cc&1 != 0, *cc&2 != 0}
	}
	if r.Prims == nil {
		return nil
	}
	if stage != pica.Geometry {
		return errors.New("prims of a vertex program")
	}
	if len(*r.Prims) > pica.MaxPrimitives {
		return fmt.Errorf("%d primitives, at most %d", len(*r.Prims), pica.MaxPrimitives)
	}
	v.Primitives = make([]pica.Primitive, len(*r.Prims))
	for k, p := range *r.Prims {
		if p.W > 1 {
			return fmt.Errorf("primitive %d: w is %d", k, p.W)
		}
		v.Primitives[k].Inverted = p.W == 1
		for slot := range p.V {
			if !decodeBank(&v.Primitives[k].Vertices[slot], []byte(p.V[slot])) {
				return fmt.Errorf("primitive %d: v[%d] is not 512 hex digits", k, slot)
			}
		}
	}
	return nil
}

// bankDigits is the length of a bank of sixteen registers.
const bankDigits = 16 * 4 * 8

// decodeBank reads a bank of float32 patterns.
func decodeBank(bank *[16]pica.Vec4, s []byte) bool {
	if len(s) != bankDigits {
		return false
	}
	bad := uint8(0)
	for k := range bank {
		for c := range bank[k] {
			d := (*[8]byte)(s[32*k+8*c:])
			v := uint32(0)
			for _, x := range d {
				n := hexValues[x]
				bad |= n
				v = v<<4 | uint32(n&15)
			}
			bank[k][c] = v
		}
	}
	return bad&notHex == 0
}

const notHex = 0x80

// hexValues holds the value of a hex digit, notHex for other bytes.
var hexValues = func() (t [256]uint8) {
	for k := range t {
		t[k] = notHex
	}
	for k := range 16 {
		t["0123456789abcdef"[k]], t["0123456789ABCDEF"[k]] = uint8(k), uint8(k)
	}
	return t
}()
