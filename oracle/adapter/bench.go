package adapter

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/picaproof/picaproof/pica"
)

// Pool describes input vertices: a rule for each component of each register. The
// generator is a 32-bit xorshift that starts at Seed.
type Pool struct {
	Seed  uint32     `json:"seed"`
	Count int        `json:"count"`
	Regs  []Register `json:"regs"`
}

// UnmarshalJSON reads the object {"seed", "count", "regs"}.
func (p *Pool) UnmarshalJSON(b []byte) error {
	type plain Pool
	b = slices.Clone(b)
	exactNames(b, poolFields)
	return json.Unmarshal(b, (*plain)(p))
}

// Register holds the rules of x, y, z, w.
type Register [4]Range

// UnmarshalJSON reads an array of four rules.
func (r *Register) UnmarshalJSON(b []byte) error {
	return unmarshalArray(b, []any{&r[0], &r[1], &r[2], &r[3]})
}

// Range is the rule of one component: "c" the constant Low; "f" a value between
// Low and High, "i" its floor.
type Range struct {
	Kind      string
	Low, High float64
}

// UnmarshalJSON reads ["f", -2, 2].
func (r *Range) UnmarshalJSON(b []byte) error {
	fields := []any{&r.Kind, &r.Low, &r.High}
	if err := unmarshalArray(b, fields); err != nil {
		return err
	}
	if !slices.Contains([]string{"c", "f", "i"}, r.Kind) {
		return fmt.Errorf("gen: kind %q: want c, f or i", r.Kind)
	}
	return nil
}

// maxPool is the largest pool that a request can ask for.
const maxPool = 1 << 20

// Vertices returns the pool: values rounded to float32 with the low seven bits
// cleared, so that they are exact in float24.
func (p *Pool) Vertices() ([][]pica.Vec4, error) {
	if p.Count < 1 || p.Count > maxPool || len(p.Regs) > pica.NumInputs {
		return nil, errors.New("gen: want a count from 1 to 1048576 and at most 16 registers")
	}
	x := p.Seed
	rows := make([]pica.Vec4, p.Count*len(p.Regs))
	pool := make([][]pica.Vec4, p.Count)
	for i := range pool {
		pool[i], rows = rows[:len(p.Regs):len(p.Regs)], rows[len(p.Regs):]
		for k := range p.Regs {
			for c, r := range p.Regs[k] {
				v := r.Low
				if r.Kind != "c" {
					x ^= x << 13
					x ^= x >> 17
					x ^= x << 5
					u := float64(x>>8) / (1 << 24)
					v = r.Low + float64((r.High-r.Low)*u)
				}
				if r.Kind == "i" {
					v = math.Floor(v)
				}
				pool[i][k][c] = math.Float32bits(float32(v)) &^ 0x7F
			}
		}
	}
	return pool, nil
}

// Fold adds the outputs of one vertex, as float32 patterns, to a checksum: for
// each register of the mask c = rotl64(c, 1) ^ (x | y<<32) ^ (z | w<<32).
func Fold(c uint64, storage pica.NumberFormat, outMask uint16, bank *[pica.NumOutputs]pica.Vec4) uint64 {
	for k := range bank {
		if outMask>>k&1 == 0 {
			continue
		}
		v := bank[k]
		for i := range v {
			v[i] = storage.Widen(v[i])
		}
		c = bits.RotateLeft64(c, 1) ^ (uint64(v[0]) | uint64(v[1])<<32) ^ (uint64(v[2]) | uint64(v[3])<<32)
	}
	return c
}

// bench times whole runs over the pool. Engines may compile within a run, so compile
// time is not measured apart.
func (s *Server) bench(q *Request) *Reply {
	bad := func(err error) *Reply { return &Reply{ID: q.ID, Status: StatusBadRequest, Msg: err.Error()} }
	job, err := s.job(q)
	if err != nil {
		return bad(err)
	}
	if q.Gen != nil {
		job.InputFormat = pica.Float32
		if job.Vertices, err = q.Gen.Vertices(); err != nil {
			return bad(err)
		}
	}
	if len(job.Vertices) == 0 {
		return bad(errors.New("bench: neither gen nor in gives a vertex"))
	}
	if q.N < 0 || q.Reps < 0 || q.Reps > 1<<16 {
		return bad(errors.New("bench: n and reps must not be negative, reps at most 65536"))
	}
	deadline := deadlineOf(q)
	if err := s.execute(job, deadline); err != nil {
		return refusal(q, err)
	}
	b := &BenchReply{}
	var checksum uint64
	for i := range s.out.Vertices {
		v := &s.out.Vertices[i]
		if v.Trap.Cause != pica.TrapNone {
			r := &Reply{ID: q.ID}
			r.trap(v.Trap)
			return r
		}
		checksum = Fold(checksum, s.out.Storage, job.OutMask, &v.O)
		b.Instr += float64(v.Steps) / float64(len(s.out.Vertices))
	}
	b.Checksum = fmt.Sprintf("%016x", checksum)
	passes := max(1, cmp.Or(q.N, len(job.Vertices))/len(job.Vertices))
	times := make([]float64, cmp.Or(q.Reps, 3))
	for r := range times {
		start := time.Now()
		for range passes {
			if err := s.execute(job, deadline); err != nil {
				return refusal(q, err)
			}
		}
		times[r] = float64(time.Since(start).Nanoseconds()) / float64(passes*len(job.Vertices))
	}
	slices.Sort(times)
	b.NSMin, b.NSMed, b.NSMax = times[0], times[len(times)/2], times[len(times)-1]
	return &Reply{ID: q.ID, Status: StatusOK, Remarks: remarksOf(&s.out), Log: logOf(&s.out), BenchReply: b}
}
