package adapter

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/picaproof/picaproof/pica"
)

// request is a job on its way to a core.
type request struct {
	id       uint64
	line     []byte // with its line end
	stage    pica.Stage
	vertices int
	info     bool // an info request, not a job
}

// errInitial: the protocol has no field for an initial state.
var errInitial = errors.New("job: the protocol has no field for an initial state")

// AsSent returns the job that a core is asked to run: inputs in raw float24 are widened
// to float32. The result shares memory with the job.
func AsSent(job *pica.Job) *pica.Job {
	if job.InputFormat == pica.Float32 {
		return job
	}
	sent := *job
	sent.InputFormat, sent.Vertices = pica.Float32, make([][]pica.Vec4, len(job.Vertices))
	for i, registers := range job.Vertices {
		sent.Vertices[i] = slices.Clone(registers)
		for k := range registers {
			for c, x := range registers[k] {
				sent.Vertices[i][k][c] = job.InputFormat.Widen(x)
			}
		}
	}
	return &sent
}

// AsksB15 reports whether a job shows who sets b15: a geometry program that runs several times and
// starts without it. The console sets b15 after each run, outside of the engine of a core.
func AsksB15(job *pica.Job) bool {
	return job.Stage == pica.Geometry && len(job.Vertices) > 1 && job.Bools>>15 == 0
}

// newRequest encodes a job.
func newRequest(id uint64, job *pica.Job, regs bool, timeout time.Duration) (*request, error) {
	if job.Initial != nil {
		return nil, errInitial
	}
	q := &request{id: id, stage: job.Stage, vertices: len(job.Vertices)}
	size := 256 + 8*(len(job.Code)+len(job.Descriptors))
	for _, u := range job.Floats {
		size += 16 + 32*len(u.Values)
	}
	for _, v := range job.Vertices {
		size += 4 + 32*len(v)
	}
	q.line = appendJob(make([]byte, 0, size), id, job, regs, timeout)
	return q, nil
}

// within returns the request with another time limit.
func (q *request) within(limit time.Duration) *request {
	at := bytes.LastIndex(q.line, []byte(timeoutField))
	if at < 0 {
		return q
	}
	c := *q
	c.line = appendTimeout(slices.Clone(q.line[:at]), limit)
	return &c
}

const timeoutField = `,"timeout_ms":`

// appendTimeout appends the time limit and the end of a request.
func appendTimeout(b []byte, limit time.Duration) []byte {
	if limit > 0 {
		b = strconv.AppendInt(append(b, timeoutField...), max(limit.Milliseconds(), 1), 10)
	}
	return append(b, "}\n"...)
}

// newInfo returns an info request.
func newInfo(id uint64) *request {
	b := strconv.AppendUint([]byte(`{"id":`), id, 10)
	return &request{id: id, info: true, line: append(b, `,"op":"info"}`+"\n"...)}
}

// job reads the request back.
func (q *request) job() (*pica.Job, error) {
	var o Request
	if err := json.Unmarshal(q.line, &o); err != nil {
		return nil, err
	}
	return o.Job(func(string) (pica.Profile, error) { return pica.Profile{}, nil })
}

// appendJob appends the request line for a job. Fields with the protocol's defaults are
// left out; of two uploads to one register the later one is kept.
func appendJob(b []byte, id uint64, job *pica.Job, regs bool, timeout time.Duration) []byte {
	b = strconv.AppendUint(append(b, `{"id":`...), id, 10)
	b = appendWords(append(b, `,"code":"`...), job.Code)
	b = append(b, '"')
	if len(job.Descriptors) > 0 {
		b = append(appendWords(append(b, `,"desc":"`...), job.Descriptors), '"')
	}
	if job.Entry != 0 {
		b = strconv.AppendInt(append(b, `,"entry":`...), int64(job.Entry), 10)
	}
	if job.Stage == pica.Geometry {
		b = append(b, `,"stage":"gs"`...)
	}
	if job.OutMask != 0xFFFF {
		b = strconv.AppendUint(append(b, `,"outmask":`...), uint64(job.OutMask), 10)
	}
	b = appendUploads(b, job.Floats)
	if job.Ints != [pica.NumInts][4]uint8{} {
		for k, v := range job.Ints {
			b = append(b, [2]string{`","`, `,"i":["`}[bit(k == 0)]...)
			b = appendHex(b, uint32(v[0])<<24|uint32(v[1])<<16|uint32(v[2])<<8|uint32(v[3]))
		}
		b = append(b, `"]`...)
	}
	if job.Bools != 0 {
		b = strconv.AppendUint(append(b, `,"b":`...), uint64(job.Bools), 10)
	}
	b = append(b, `,"in":[`...)
	for i, registers := range job.Vertices {
		b = append(b, [2]string{`,"`, `"`}[bit(i == 0)]...)
		for k := range registers {
			b = appendVector(b, job.InputFormat, &registers[k])
		}
		b = append(b, '"')
	}
	b = append(b, ']')
	if job.Keep {
		b = append(b, `,"keep":true`...)
	}
	if job.Budget != 0 {
		b = strconv.AppendInt(append(b, `,"budget":`...), int64(job.Budget), 10)
	}
	if !regs {
		b = append(b, `,"regs":false`...)
	}
	return appendTimeout(b, timeout)
}

// appendUploads appends the final value of every uploaded register, as runs of
// consecutive registers of one format.
func appendUploads(b []byte, uploads []pica.Upload) []byte {
	if len(uploads) == 0 {
		return b
	}
	var values [pica.NumFloats]*pica.Vec4
	var formats [pica.NumFloats]pica.NumberFormat
	for _, u := range uploads {
		for k := range u.Values {
			if r := u.Register + k; r < pica.NumFloats {
				values[r], formats[r] = &u.Values[k], u.Format
			}
		}
	}
	for _, part := range []struct {
		format pica.NumberFormat
		head   string
	}{{pica.Float32, `,"f32":{"`}, {pica.Float24, `,"f24":{"`}} {
		open, first := false, true
		for r, v := range values {
			if v == nil || formats[r] != part.format {
				if open {
					b = append(b, '"')
				}
				open = false
				continue
			}
			if !open {
				b = append(b, [2]string{`,"`, part.head}[bit(first)]...)
				b = append(strconv.AppendInt(b, int64(r), 10), `":"`...)
				open, first = true, false
			}
			for _, c := range v {
				if b = appendHex(b, c); part.format == pica.Float24 {
					b = append(b[:len(b)-8], b[len(b)-6:]...)
				}
			}
		}
		if open {
			b = append(b, '"')
		}
		if !first {
			b = append(b, '}')
		}
	}
	return b
}

func appendWords(b []byte, words []uint32) []byte {
	for _, w := range words {
		b = appendHex(b, w)
	}
	return b
}
