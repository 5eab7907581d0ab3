package vm

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/picaproof/picaproof/pica"
)

// Batch is a run of a compiled program over many vertices. The caller owns the memory
// of inputs and outputs. It is organised as rows (all registers of a vertex, then the
// next vertex) or as columns (one component of a register for all vertices).
type Batch struct {
	Count  int // vertices
	Entry  int // word at which vertices start
	Floats []pica.Upload
	Ints   [pica.NumInts][4]uint8
	Bools  uint16
	Budget int // instructions a vertex may execute; 0 means pica.DefaultBudget

	Registers int               // input registers of a vertex, from v0
	Format    pica.NumberFormat // of the inputs
	Rows      []pica.Vec4       // vertex*Registers + register
	Columns   [][]uint32        // 4*register + component, then vertex; instead of Rows; nil counts as zeros

	OutMask    uint16            // output registers to store, ascending
	OutFormat  pica.NumberFormat // of the outputs; Float24 only where registers hold it
	OutRows    []pica.Vec4
	OutColumns [][]uint32 // instead of OutRows; a nil column is not stored

	Traps []pica.Trap // by vertex: how it ended; may be nil
	Steps []int       // by vertex: instructions executed; may be nil

	Tier    Tier        // the highest tier to use
	Proceed func() bool // called at intervals; the run ends when it reports false
}

// ErrInvalidBatch: slices that are too short, or a format that does not fit.
var ErrInvalidBatch = errors.New("invalid batch")

// check returns an error for slices and formats that do not fit; the rest is checked as for a job.
func (b *Batch) check(c *Code) error {
	outputs := bits.OnesCount16(b.OutMask)
	holds := func(rows []pica.Vec4, registers int) bool { return registers == 0 || b.Count <= len(rows)/registers }
	switch {
	case b.Count < 0 || b.Registers < 0 || b.Registers > pica.NumInputs:
		return fmt.Errorf("%d vertices of %d registers", b.Count, b.Registers)
	case b.Columns == nil && !holds(b.Rows, b.Registers):
		return fmt.Errorf("%d rows for %d vertices of %d registers", len(b.Rows), b.Count, b.Registers)
	case b.Columns != nil && len(b.Columns) < 4*b.Registers:
		return fmt.Errorf("%d columns for %d registers", len(b.Columns), b.Registers)
	case b.OutColumns == nil && !holds(b.OutRows, outputs):
		return fmt.Errorf("%d rows for %d vertices of %d outputs", len(b.OutRows), b.Count, outputs)
	case b.OutColumns != nil && len(b.OutColumns) < 4*outputs:
		return fmt.Errorf("%d columns for %d outputs", len(b.OutColumns), outputs)
	case b.OutFormat != pica.Float32 && b.OutFormat != c.model.format():
		return fmt.Errorf("outputs in %v of a profile with %v", b.OutFormat, c.model.format())
	case b.Columns == nil && b.OutColumns == nil && overlap(b.Rows, b.OutRows):
		return errors.New("rows of inputs and outputs overlap")
	case b.Traps != nil && len(b.Traps) < b.Count || b.Steps != nil && len(b.Steps) < b.Count:
		return fmt.Errorf("%d traps and %d steps for %d vertices", len(b.Traps), len(b.Steps), b.Count)
	}
	for _, list := range [][][]uint32{b.Columns, b.OutColumns} {
		for k, column := range list {
			if column != nil && len(column) < b.Count {
				return fmt.Errorf("column %d holds %d of %d vertices", k, len(column), b.Count)
			}
		}
	}
	for k, out := range b.OutColumns {
		if n := slices.IndexFunc(b.Columns, func(in []uint32) bool { return overlap(in, out) }); n >= 0 {
			return fmt.Errorf("column %d of the inputs and column %d of the outputs overlap", n, k)
		}
	}
	return nil
}

// overlap reports whether two slices have memory in common.
func overlap[T any](a, b []T) bool {
	if len(a) == 0 || len(b) == 0 {
		return false
	}
	size := unsafe.Sizeof(a[0])
	p, q := uintptr(unsafe.Pointer(&a[0])), uintptr(unsafe.Pointer(&b[0]))
	return p < q+size*uintptr(len(b)) && q < p+size*uintptr(len(a))
}

// Run executes the program for every vertex of a batch. Several goroutines may run
// batches of one program at once. Memory is reused, so that runs soon allocate
// nothing. If the error wraps ErrInvalidBatch or pica.ErrInvalidJob, nothing was run;
// otherwise it is pica.ErrInterrupted.
func (c *Code) Run(b *Batch) (Stats, error) {
	if err := b.check(c); err != nil {
		return Stats{}, fmt.Errorf("vm: %w: %w", ErrInvalidBatch, err)
	}
	r := runners.Get().(*runner)
	defer runners.Put(r)
	r.job = pica.Job{Entry: b.Entry, OutMask: b.OutMask, Floats: b.Floats, Ints: b.Ints, Bools: b.Bools,
		InputFormat: b.Format, Budget: b.Budget}
	if err := admit(&r.job); err != nil {
		return Stats{}, fmt.Errorf("vm: %w: %w", pica.ErrInvalidJob, err)
	}
	r.watch = watch{proceed: b.Proceed, left: interval}
	r.engine.code = c
	err := r.run(&r.job, b, b.Count, b.Tier, wanted{counts: b.Steps != nil})
	r.job.Floats = nil
	return r.stats, err
}

func (b *Batch) input(k int, scratch *[pica.NumInputs]pica.Vec4) []pica.Vec4 {
	if b.Columns == nil {
		return b.Rows[k*b.Registers:][:b.Registers]
	}
	for n := range b.Registers {
		for j := range 4 {
			scratch[n][j] = 0
			if column := b.Columns[4*n+j]; column != nil {
				scratch[n][j] = column[k]
			}
		}
	}
	return scratch[:b.Registers]
}

func (b *Batch) load(r *runner, first, n int) bool {
	m, c := &r.lanes, r.engine.code
	plain := true
	convert := c.converter(b.Format)
	for k := range pica.NumInputs {
		if c.inputs>>k&1 == 0 {
			continue
		}
		d := (*[4]laneVec)(m.file[4*k:])
		switch {
		case k >= b.Registers:
			*d = [4]laneVec{}
			continue
		case b.Columns == nil:
			from := b.Rows[first*b.Registers+k:]
			loaded, fit := m.loadRowsNative(d, from, b.Registers, n)
			for l := loaded; l < n; l++ {
				v := &from[l*b.Registers]
				for j := range d {
					d[j][l&63] = v[j]
				}
			}
			if loaded == n && fit && b.Format == pica.Float32 {
				for j := range d {
					m.pad(&d[j])
				}
				continue
			}
		default:
			for j := range d {
				if column := b.Columns[4*k+j]; column != nil {
					copy(d[j][:n], column[first:])
				} else {
					d[j] = laneVec{}
				}
			}
		}
		plain = m.finishLoad(d, convert) && plain
	}
	return plain
}

// finishLoad converts loaded lanes, if they need it, and fills the padding.
func (m *laneMachine) finishLoad(d *[4]laneVec, convert converter) bool {
	plain := true
	for j := range d {
		// Plain numbers need no conversion from binary32.
		if convert.format == pica.Float32 && m.regular(&d[j]) {
			m.pad(&d[j])
			continue
		}
		for l := range m.n {
			v := pica.Vec4{d[j][l&63]}
			convert.convert(&v, &v)
			d[j][l&63] = v[0]
		}
		plain = m.regular(&d[j]) && plain
		m.pad(&d[j])
	}
	return plain
}

func (b *Batch) store(r *runner, first, n int, down uint64) {
	m := &r.lanes
	outputs := bits.OnesCount16(b.OutMask)
	at := 0
	for k := range pica.NumOutputs {
		if b.OutMask>>k&1 == 0 {
			continue
		}
		d := (*[4]laneVec)(m.file[4*(laneOutput+k):])
		switch {
		case b.OutColumns != nil:
			for j := range d {
				if column := b.OutColumns[4*at+j]; column != nil {
					column = column[first:][:n]
					copy(column, d[j][:n])
					if b.OutFormat == pica.Float24 {
						for l, v := range column {
							column[l] = pica.Float24.Narrow(v)
						}
					}
				}
			}
		default:
			rows := b.OutRows[first*outputs+at:]
			stored := 0
			if b.OutFormat == pica.Float32 {
				stored = storeRowsNative(rows, d, outputs, n)
			}
			for l := stored; l < n; l++ {
				to := &rows[l*outputs]
				for j := range d {
					to[j] = d[j][l&63]
				}
				if b.OutFormat == pica.Float24 {
					pica.Float24.NarrowVector(to, to)
				}
			}
		}
		at++
	}
	if b.Traps != nil {
		clear(b.Traps[first:][:n])
	}
	if b.Steps != nil {
		for l := range n {
			if down>>l&1 == 0 {
				_, b.Steps[first+l] = m.ended(l)
			}
		}
	}
}

func (b *Batch) outcome(r *runner, _ int) *pica.VertexOutcome { return &r.one }

func (b *Batch) scalar(r *runner, k int, v *pica.VertexOutcome) {
	outputs, at := bits.OnesCount16(b.OutMask), 0
	for n := range pica.NumOutputs {
		if b.OutMask>>n&1 == 0 {
			continue
		}
		o := v.O[n]
		if b.OutFormat == pica.Float32 {
			r.engine.code.model.load(&o, &v.O[n])
		}
		if b.OutColumns == nil {
			b.OutRows[k*outputs+at] = o
		} else {
			for j := range o {
				if column := b.OutColumns[4*at+j]; column != nil {
					column[k] = o[j]
				}
			}
		}
		at++
	}
	if b.Traps != nil {
		b.Traps[k] = v.Trap
	}
	if b.Steps != nil {
		b.Steps[k] = v.Steps
	}
}
