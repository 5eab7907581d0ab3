package vm_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/picaproof/picaproof/internal/long"
	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
	"github.com/picaproof/picaproof/pica/vm"
)

// The kernels of the batch and native tiers are compared with the oracle's arithmetic, part by part of 2^16 to
// 2^24 cases. Each comparison is recorded with a hash of the compared code.
//
// Unary operations: all operands, 2^24 or in profile f32 2^32.
//
// MUL of float24: all pairs of significands, as factors in [1, 2). A power of two
// changes neither the digits of a product nor their rounding while the product is a
// normal number.
//
// ADD of float24: all pairs of significands, with equal and different signs, at every distance of exponents
// from -19 to 19. A common power of two of the operands changes nothing while the sum is a normal number. From
// a distance of 19 on, the smaller operand is below a quarter of the lowest bit of the larger one, and still
// below half of it if the difference loses a bit: it only decides whether something was cut off, and so do all
// smaller operands.
//
// The oracle takes a hundred times longer for a sum than the tiers do. MUL and ADD of float24 are therefore
// compared with a third arithmetic, [shortFormat], which equals the oracle for all pairs of smaller formats
// (TestShortFormats) and depends on nothing but the number of bits of a format. One row in 256 is compared with
// the oracle itself.
//
// Classes and results that are not normal: MUL, ADD, MAD, MAX, MIN, SGE and SLT of
// float24, all pairs of sign and exponent with 1024 pairs of significands each, the
// third operand of MAD weighted. Dot products are such products and sums in their
// order; TestSoak and the golden hashes sample them.
//
// ADD, MUL and MAD of profile f32 are single IEEE operations of the host, rounded to nearest, in MAD one after
// the other; Go and the generator fuse operations only where the source says so. 10^9 weighted operands test
// this argument.
var (
	prove        = flag.Bool("prove", false, "prove parts that the record lacks, and record them")
	proveFor     = flag.Duration("prove-for", time.Hour, "the time that -prove may take")
	proveWorkers = flag.Int("prove-workers", 1, "claims that -prove works on at once")
	proveOnly    = flag.String("prove-only", "", "the claims that -prove works on, as a regular expression")
)

const proofRecord = "testdata/proof.json"

// proofCode is the code that a proof covers; kernels.go holds scalar kernels, which no claim runs.
var proofCode = []string{"native_amd64.s", "native_amd64.go", "lane_kernels.go", "kernels_*.go",
	"../float24/[a-z]*[a-z].go"}

// proof is the record of one claim.
type proof struct {
	Code  string `json:"code"`  // hash of the code
	Done  int    `json:"done"`  // parts compared, in their order
	Parts int    `json:"parts"` // parts in all
	Cases uint64 `json:"cases"` // operands or pairs compared, on both tiers
}

// exactCode is further code of EX2 and LG2 of profile f32.
const exactCode = "exact.go"

// codeHash returns the hash of the code of a claim.
func codeHash(t *testing.T, c *claim) string {
	h := sha256.New()
	list := proofCode
	if c.profile.Storage == pica.Float32 && (c.op == pica.EX2 || c.op == pica.LG2) {
		list = append(slices.Clip(list), exactCode)
	}
	for _, pattern := range list {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range files {
			if match, _ := filepath.Match("*_test.go", filepath.Base(name)); match {
				continue
			}
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Ext(name) == ".go" {
				b = tokens(b)
			}
			fmt.Fprintf(h, "%s %d\n%s", filepath.Base(name), len(b), b)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// tokens returns the tokens of a Go file, one a line: a proof does not depend on comments and
// layout.
func tokens(source []byte) (list []byte) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(source)), source, nil, 0)
	for _, t, text := s.Scan(); t != token.EOF; _, t, text = s.Scan() {
		list = fmt.Appendln(list, t, strings.TrimSpace(text))
	}
	return list
}

// claim is an operation in a profile, and the arithmetic that it must equal.
type claim struct {
	name    string
	suffix  string // distinguishes claims about one operation in one profile
	op      pica.Opcode
	profile pica.Profile
	want    func(u *oracle.Unit, a [3]uint32) uint32
	parts   int
	// operands returns the operands of case k of row j of a part; rows is the number of rows of partSize cases
	// in a part.
	operands func(part, j, k int, random *rand.Rand) [3]uint32
	rows     int
	// short computes the result for two normal float24, if that is normal or 0.
	short *shortFormat
}

// addDistance is the largest distance of exponents that differs from the next one.
const addDistance = 19

// arithmetic returns the oracle's arithmetic in a profile.
func arithmetic(p pica.Profile) *oracle.Unit {
	r, err := impl.Rules(&p)
	if err != nil {
		panic(err)
	}
	return &r.Unit
}

func claims() (list []claim) {
	for _, p := range []pica.Profile{profileF24, profileHW, profileF32} {
		p = with(p, func(k *pica.Knobs) { k.Hazards = pica.HazardsOff })
		ops := arithmetic(p).Ops
		wide := p.Storage == pica.Float32
		for op, f := range map[pica.Opcode]func(*oracle.Unit, uint32) uint32{
			pica.RCP: ops.Reciprocal, pica.RSQ: ops.ReciprocalRoot, pica.FLR: ops.Floor,
			pica.EX2: ops.Exp2, pica.LG2: ops.Log2,
		} {
			c := claim{op: op, profile: p, rows: 1, parts: 1 << 8}
			c.want = func(u *oracle.Unit, a [3]uint32) uint32 { return f(u, a[0]) }
			c.operands = func(part, _, k int, _ *rand.Rand) [3]uint32 {
				return [3]uint32{uint32(part)<<16 | uint32(k)}
			}
			if wide {
				c.parts = 1 << 16
				c.operands = func(part, _, k int, _ *rand.Rand) [3]uint32 {
					return [3]uint32{uint32(bits.Reverse16(uint16(part)))<<16 | uint32(k)}
				}
			}
			list = append(list, c)
		}
		add := claim{op: pica.ADD, profile: p,
			want: func(u *oracle.Unit, a [3]uint32) uint32 { return ops.Add(u, a[0], a[1]) }}
		mul := claim{op: pica.MUL, profile: p,
			want: func(u *oracle.Unit, a [3]uint32) uint32 { return ops.Mul(u, a[0], a[1]) }}
		mad := claim{op: pica.MAD, profile: p,
			want: func(u *oracle.Unit, a [3]uint32) uint32 { return ops.Add(u, ops.Mul(u, a[0], a[1]), a[2]) }}
		compared := []claim{add, mul, mad}
		for op, f := range map[pica.Opcode]func(*oracle.Unit, uint32, uint32) uint32{
			pica.MAX: ops.Max, pica.MIN: ops.Min, pica.SGE: ops.SGE, pica.SLT: ops.SLT,
		} {
			compared = append(compared, claim{op: op, profile: p,
				want: func(u *oracle.Unit, a [3]uint32) uint32 { return f(u, a[0], a[1]) }})
		}
		if wide {
			for _, c := range compared {
				c.rows, c.parts = 4, 1_000_000_000/(4*partSize)+1
				c.operands = func(_, _, _ int, random *rand.Rand) [3]uint32 {
					return [3]uint32{weighted(random), weighted(random), weighted(random)}
				}
				list = append(list, c)
			}
			continue
		}
		for _, c := range compared {
			c.suffix, c.rows, c.parts, c.operands = " classes", 4, 256, classes
			list = append(list, c)
		}
		mul.rows, mul.parts = 256, 256
		mul.operands = func(part, j, k int, _ *rand.Rand) [3]uint32 {
			return [3]uint32{0x3F<<16 | uint32(part)<<8 | uint32(j), 0x3F<<16 | uint32(k)}
		}
		const ways = 2 * (2*addDistance + 1)
		add.rows, add.parts = 256, 256*ways
		add.operands = func(part, j, k int, _ *rand.Rand) [3]uint32 {
			way, high := part%ways, bits.Reverse8(uint8(part/ways))
			exponent := uint32(0x3F + way/2 - addDistance)
			return [3]uint32{uint32(way&1)<<23 | exponent<<16 | uint32(high)<<8 | uint32(j), 0x3F<<16 | uint32(k)}
		}
		f := &shortFormat{exponent: 7, mantissa: 16, cut: arithmetic(p).Direction == oracle.TowardZero}
		add.short, mul.short = f, f
		list = append(list, mul, add)
	}
	for k := range list {
		list[k].name = list[k].op.String() + "/" + list[k].profile.Name + list[k].suffix
	}
	// Long claims come last.
	slices.SortFunc(list, func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.parts*a.rows, b.parts*b.rows), cmp.Compare(a.name, b.name))
	})
	return list
}

// classes returns float24 operands: the part is sign and exponent of the first, the case sign and exponent of
// the second and a pair of significands. Row 0 has the significands at which rounding and carries change;
// other rows draw them.
func classes(part, row, k int, random *rand.Rand) [3]uint32 {
	edges := [16]uint32{0, 1, 2, 3, 0x7F, 0x80, 0xFF, 0x100, 0x101, 0x5555, 0x7FFF, 0x8000, 0x8001,
		0xAAAA, 0xFFFE, 0xFFFF}
	x, y := edges[k&15], edges[k>>4&15]
	if row > 0 {
		drawn := random.Uint32()
		x, y = drawn&0xFFFF, drawn>>16
	}
	list := [3]uint32{uint32(part)<<16 | x, uint32(k)>>8<<16 | y, random.Uint32() >> 8}
	for n, v := range list {
		if v&0x7FFFFF > 0x7F0000 {
			list[n] = 0x7F8000 // the NaN that an upload stores for all NaNs
		}
	}
	return list
}

// weighted returns a binary32: any, of middling size, with few digits, or special.
func weighted(random *rand.Rand) uint32 {
	x := random.Uint32()
	switch random.Uint32() & 3 {
	case 0:
		x = x&0x807FFFFF | (0x70+x>>23&31)<<23
	case 1:
		x = x&0xFFFF0000&^(1<<30) | 0x30000000
	case 2:
		if x&7 == 0 {
			x = [...]uint32{0, 1, 0x7FFFFF, 0x800000, 0x3F800000, 0x7F7FFFFF, 0x7F800000,
				0x7FC00000}[x>>3&7] | x&(1<<31)
		}
	}
	return x
}

// sources are the operands of a claim: v0, v1 and v2 as far as it has them.
func (c claim) sources() []uint8 { return []uint8{v0, v0 + 1, v0 + 2}[:pica.Opcodes[c.op].Sources] }

// prover runs one claim.
type prover struct {
	claim
	code  *vm.Code
	unit  oracle.Unit
	batch vm.Batch
	want  []pica.Vec4 // four rows at once: a component each
}

const partSize = 1 << 16

func (c claim) prover(t *testing.T) *prover {
	t.Helper()
	i := decode.Inst{Op: c.op, Dest: o0}
	registers := copy(i.Src[:], c.sources())
	code, err := vm.Compile(newBuilder().op(i).stop().program(t), pica.Vertex, &c.profile)
	if err != nil {
		t.Fatal(err)
	}
	return &prover{
		claim: c, code: code, unit: *arithmetic(c.profile), want: make([]pica.Vec4, partSize),
		batch: vm.Batch{
			Registers: registers, Format: pica.Float32, Rows: make([]pica.Vec4, partSize*registers),
			OutMask: 1, OutFormat: pica.Float32, OutRows: make([]pica.Vec4, partSize), Count: partSize,
		},
	}
}

// part proves one part; for a sample, every stride-th set of rows. It returns the number of cases.
func (p *prover) part(t *testing.T, part, stride int) (cases uint64) {
	random := rand.New(rand.NewPCG(uint64(p.op), uint64(part)))
	for first := 0; first < p.rows; first += 4 * stride {
		rows := min(4, p.rows-first)
		for j := range rows {
			if p.short == nil || first == 0 && j == part%4 || stride > 1 {
				p.row(part, first+j, j, random)
			} else {
				p.shortRow(part, first+j, j)
			}
		}
		p.compare(t, rows)
		cases += uint64(rows) * partSize
	}
	return cases
}

// row makes a row of cases in component j, with the oracle's results.
func (p *prover) row(part, row, j int, random *rand.Rand) {
	registers := p.batch.Registers
	for k := range partSize {
		a := p.claim.operands(part, row, k, random)
		for n, x := range a[:registers] {
			p.batch.Rows[k*registers+n][j] = p.profile.Storage.Widen(x)
		}
		p.want[k][j] = p.profile.Storage.Widen(p.claim.want(&p.unit, a))
	}
}

// shortRow does the same with the results of the third arithmetic. The first operand is the same in the whole
// row, the second counts up.
func (p *prover) shortRow(part, row, j int) {
	first, f := p.claim.operands(part, row, 0, nil), *p.short
	x, y := first[0], first[1]
	if p.op == pica.ADD {
		for k := range p.want {
			p.want[k][j] = widenNormal(f.add(x, y+uint32(k)))
		}
	} else {
		for k := range p.want {
			p.want[k][j] = widenNormal(f.mul(x, y+uint32(k)))
		}
	}
	x, y = widenNormal(x), widenNormal(y)
	for k := range p.want {
		in := (*[2]pica.Vec4)(p.batch.Rows[2*k:])
		in[0][j], in[1][j] = x, y+uint32(k)<<7
	}
}

// widenNormal returns the binary32 of a float24 that is normal or +0.
func widenNormal(x uint32) uint32 {
	if x == 0 {
		return 0
	}
	return x>>23<<31 | (x&0x7FFFFF<<7 + (127-63)<<23)
}

func (p *prover) compare(t *testing.T, components int) {
	for _, tier := range []vm.Tier{vm.TierBatch, vm.TierNative} {
		p.batch.Tier = tier
		stats, err := p.code.Run(&p.batch)
		if err != nil {
			t.Error(err)
			return
		}
		if n := stats.Vertices[vm.TierScalar]; n > 0 ||
			*prove && tier == vm.TierBatch && stats.Vertices[tier] != partSize {
			t.Errorf("%s, %v tier: vertices ran elsewhere: %v", p.name, tier, stats.Vertices)
			return
		}
		for k := range p.want {
			got, want := &p.batch.OutRows[k], &p.want[k]
			if *got == *want {
				continue
			}
			for j := range components {
				if got[j] != want[j] {
					t.Errorf("%s, %v tier, operands %08x: got %08x, want %08x", p.name, tier,
						p.given(j, k), got[j], want[j])
					return
				}
			}
		}
	}
}

func (p *prover) given(j, k int) (list []uint32) {
	for _, v := range p.batch.Rows[k*p.batch.Registers:][:p.batch.Registers] {
		list = append(list, v[j])
	}
	return list
}

// TestProve proves a sample, and demands that the record has the hash of the current code. With -prove it
// proves the parts that the record lacks.
func TestProve(t *testing.T) {
	record := map[string]*proof{}
	if b, err := os.ReadFile(proofRecord); err == nil {
		if err := json.Unmarshal(b, &record); err != nil {
			t.Fatal(err)
		}
	}
	if *prove {
		proveAll(t, record)
		return
	}
	for n, c := range claims() {
		hash := codeHash(t, &c)
		switch r := record[c.name]; {
		case r == nil:
			t.Errorf("%s: no part is proved: go test -run Prove -prove ./pica/vm", c.name)
		case r.Code != hash:
			t.Errorf("%s was proved with code %s, which is %s now: go test -run Prove -prove ./pica/vm", c.name,
				r.Code, hash)
		}
		parts := []int{(37*n + 11) % c.parts, 0x3F, 0x00, 0x7F, 0x80, 0xC1, 0xFF}
		p := c.prover(t)
		for _, part := range long.Items(t, parts, long.Few(2, 1)) {
			p.part(t, part, 64)
		}
	}
}

// proveAll proves parts of every claim in turn, long claims after the short ones.
func proveAll(t *testing.T, record map[string]*proof) {
	if !vm.Native() {
		t.Fatalf("without native code nothing can be recorded; is %s set?", vm.TierVariable)
	}
	only, err := regexp.Compile(*proveOnly)
	if err != nil {
		t.Fatal(err)
	}
	var todo []*prover
	for _, c := range claims() {
		r, hash := record[c.name], codeHash(t, &c)
		if r == nil || r.Code != hash || r.Parts != c.parts {
			record[c.name] = &proof{Code: hash, Parts: c.parts}
		}
		if record[c.name].Done < c.parts && only.MatchString(c.name) {
			todo = append(todo, c.prover(t))
		}
	}
	var lock sync.Mutex // of todo and record
	end := time.Now().Add(*proveFor)
	next := func(done *prover, cases uint64) *prover {
		lock.Lock()
		defer lock.Unlock()
		if done != nil && !t.Failed() {
			r := record[done.name]
			r.Done, r.Cases = r.Done+1, r.Cases+cases
			writeRecord(t, record)
			if r.Done < r.Parts {
				todo = append(todo, done)
			}
		}
		if len(todo) == 0 || time.Now().After(end) || t.Failed() {
			return nil
		}
		best := 0
		for k, p := range todo {
			if p.parts <= 256 && todo[best].parts > 256 {
				best = k
			}
		}
		p := todo[best]
		todo = slices.Delete(todo, best, best+1)
		return p
	}
	var workers sync.WaitGroup
	for range *proveWorkers {
		workers.Go(func() {
			for p := next(nil, 0); p != nil; {
				part := record[p.name].Done // nobody else has this claim
				p = next(p, p.part(t, part, 1))
			}
		})
	}
	workers.Wait()
}

// writeRecord replaces the record as a whole, so that an interrupted proof leaves the last one.
func writeRecord(t *testing.T, record map[string]*proof) {
	b, err := json.MarshalIndent(record, "", "\t")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(proofRecord), 0o755)
	}
	if err == nil {
		err = os.WriteFile(proofRecord+".new", append(b, '\n'), 0o644)
	}
	if err == nil {
		err = os.Rename(proofRecord+".new", proofRecord)
	}
	if err != nil {
		t.Error(err)
	}
}
