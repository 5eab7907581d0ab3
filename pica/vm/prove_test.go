package vm_test

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
	"github.com/picaproof/picaproof/pica/vm"
)

// The kernels of the batch and native tiers are compared with the oracle's
// arithmetic, exhaustively: unary operations over all 2^24 operands, MUL over all
// pairs of significands. A claim has 256 parts, by the upper 8 bits of an operand
// (unary) or of the first significand (MUL). The factors of MUL lie in [1, 2): a
// power of two changes neither the digits of a product nor their rounding while the
// product is a normal number; products that are not are sampled by TestSoak and the
// golden hashes. What is done is recorded with a hash
// of the code it was done with.
var (
	prove    = flag.Bool("prove", false, "prove parts that the record lacks, and record them")
	proveFor = flag.Duration("prove-for", time.Hour, "the time that -prove may take")
)

const proofRecord = "testdata/proof.json"

// proofCode is the code that a proof is about.
var proofCode = []string{"native_amd64.s", "lane_kernels.go", "kernels*.go", "../float24/[a-z]*[a-z].go"}

// proof is what the record says of one claim.
type proof struct {
	Code  string `json:"code"`  // hash of the code
	Parts string `json:"parts"` // a hexadecimal number: bit k for part k
	Cases uint64 `json:"cases"` // operands or pairs compared, on both tiers
}

func codeHash(t *testing.T) string {
	h := sha256.New()
	for _, pattern := range proofCode {
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
			fmt.Fprintf(h, "%s %d\n%s", filepath.Base(name), len(b), b)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

// claim is an operation in a profile.
type claim struct {
	name    string
	op      pica.Opcode
	profile pica.Profile
	unary   func(u *oracle.Unit, a uint32) uint32
}

func claims() (list []claim) {
	for _, p := range []pica.Profile{profileF24, profileHW} {
		p = with(p, func(k *pica.Knobs) { k.Hazards = pica.HazardsOff })
		ops := oracle.Console(&p).Unit.Ops
		for _, c := range []claim{
			{op: pica.RCP, unary: ops.Reciprocal}, {op: pica.RSQ, unary: ops.ReciprocalRoot}, {op: pica.FLR, unary: ops.Floor},
			{op: pica.EX2, unary: ops.Exp2}, {op: pica.LG2, unary: ops.Log2}, {op: pica.MUL},
		} {
			c.name, c.profile = c.op.String()+"/"+p.Name, p
			list = append(list, c)
		}
	}
	// What takes long comes last.
	slices.SortStableFunc(list, func(a, b claim) int { return cmp.Compare(len(a.sources()), len(b.sources())) })
	return list
}

// sources are the operands of a claim: v0, or v0 and v1.
func (c claim) sources() []uint8 { return []uint8{v0, v0 + 1}[:pica.Opcodes[c.op].Sources] }

// prover runs one claim.
type prover struct {
	claim
	code  *vm.Code
	unit  oracle.Unit
	batch vm.Batch
	want  [4][]uint32
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
	p := &prover{claim: c, code: code, unit: oracle.Console(&c.profile).Unit}
	p.batch = vm.Batch{Registers: registers, Format: pica.Float24, OutMask: 1, OutFormat: pica.Float24, Count: partSize}
	for range 4 * registers {
		p.batch.Columns = append(p.batch.Columns, make([]uint32, partSize))
	}
	for k := range p.want {
		p.want[k] = make([]uint32, partSize)
		p.batch.OutColumns = append(p.batch.OutColumns, make([]uint32, partSize))
	}
	return p
}

// part proves one part, of a sample every stride-th operand. It returns the
// number of cases.
func (p *prover) part(t *testing.T, part, stride int) uint64 {
	in := p.batch.Columns
	if p.unary != nil {
		for k := range partSize {
			in[0][k] = uint32(part)<<16 | uint32(k)
			p.want[0][k] = p.unary(&p.unit, in[0][k])
		}
		p.compare(t, 1)
		return partSize
	}
	cases := uint64(0)
	for a := 0; a < 256; a += 4 * stride {
		for j := range 4 {
			x := uint32(0x3F<<16 | part<<8 | a + j)
			for k := range partSize {
				y := uint32(0x3F<<16 | k)
				in[j][k], in[4+j][k] = x, y
				p.want[j][k] = p.unit.Ops.Mul(&p.unit, x, y)
			}
		}
		p.compare(t, 4)
		cases += 4 * partSize
	}
	return cases
}

func (p *prover) compare(t *testing.T, components int) {
	for _, tier := range []vm.Tier{vm.TierBatch, vm.TierNative} {
		p.batch.Tier = tier
		if _, err := p.code.Run(&p.batch); err != nil {
			t.Fatal(err)
		}
		for j := range components {
			for k, want := range p.want[j] {
				if got := p.batch.OutColumns[j][k]; got != want {
					t.Fatalf("%s, %v tier, operands %06x: got %06x, want %06x", p.name, tier, p.operands(j, k), got, want)
				}
			}
		}
	}
}

func (p *prover) operands(j, k int) (list []uint32) {
	for n := j; n < len(p.batch.Columns); n += 4 {
		list = append(list, p.batch.Columns[n][k])
	}
	return list
}

// TestProve proves a sample, and that the record is of the code as it is. With
// -prove it proves what the record lacks.
func TestProve(t *testing.T) {
	record := map[string]*proof{}
	if b, err := os.ReadFile(proofRecord); err == nil {
		if err := json.Unmarshal(b, &record); err != nil {
			t.Fatal(err)
		}
	}
	hash := codeHash(t)
	if *prove {
		proveAll(t, record, hash)
		return
	}
	for n, c := range claims() {
		switch r := record[c.name]; {
		case r == nil:
			t.Errorf("%s: no part is proved: go test -run Prove -prove ./pica/vm", c.name)
		case r.Code != hash:
			t.Errorf("%s was proved with code %s, which is %s now: go test -run Prove -prove ./pica/vm", c.name, r.Code, hash)
		}
		parts := []int{(37*n + 11) % 256, 0x3F, 0x00, 0x7F, 0x80, 0xC1, 0xFF}
		if testing.Short() {
			parts = parts[:2]
		}
		p := c.prover(t)
		for _, part := range parts {
			p.part(t, part, 64)
		}
	}
}

// proveAll proves part after part, of every claim in turn.
func proveAll(t *testing.T, record map[string]*proof, hash string) {
	end := time.Now().Add(*proveFor)
	provers := map[string]*prover{}
	for part := range 256 {
		for _, c := range claims() {
			r := record[c.name]
			if r == nil || r.Code != hash {
				r = &proof{Code: hash, Parts: "0"}
				record[c.name] = r
			}
			done, ok := new(big.Int).SetString(r.Parts, 16)
			if !ok {
				t.Fatalf("%s: %q is no number", c.name, r.Parts)
			}
			if done.Bit(part) != 0 {
				continue
			}
			if time.Now().After(end) {
				return
			}
			if provers[c.name] == nil {
				provers[c.name] = c.prover(t)
			}
			r.Cases += provers[c.name].part(t, part, 1)
			r.Parts = done.SetBit(done, part, 1).Text(16)
			writeRecord(t, record)
		}
	}
}

func writeRecord(t *testing.T, record map[string]*proof) {
	b, err := json.MarshalIndent(record, "", "\t")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(proofRecord), 0o755)
	}
	if err == nil {
		err = os.WriteFile(proofRecord, append(b, '\n'), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}
