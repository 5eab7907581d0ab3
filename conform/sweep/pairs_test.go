package sweep_test

import (
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/sweep"
	"github.com/picaproof/picaproof/pica"
)

// TestPairs: the programs have each instruction with each pair of a destination and a mask, and
// of a destination and an operand.
func TestPairs(t *testing.T) {
	type pair struct {
		op         pica.Opcode
		dest, with uint32 // a mask, or the register of an operand after its number
	}
	masks, operands := map[pair]bool{}, map[pair]bool{}
	for _, job := range sweep.Jobs() {
		if !strings.HasSuffix(job.Name, ": pairs of fields") {
			continue
		}
		for _, word := range job.Code {
			op := pica.OpcodeOf(word).Base()
			info, l := &pica.Opcodes[op], op.Layout()
			if info.Writes&pica.WritesDest == 0 || !strings.HasPrefix(job.Name, op.String()+":") {
				continue
			}
			dest := l.Dest.Get(word)
			masks[pair{op, dest, uint32(pica.Descriptor(job.Descriptors[l.Desc.Get(word)]).Mask())}] = true
			for k := range info.Sources {
				operands[pair{op, dest, uint32(k)<<8 | l.Src[k].Get(word)}] = true
			}
		}
	}
	for _, op := range pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Writes&pica.WritesDest != 0 }) {
		for dest := range uint32(pica.DestTemporary + pica.NumTemporaries) {
			for mask := range uint32(16) {
				if !masks[pair{op, dest, mask}] {
					t.Errorf("%v: no destination %d with mask %#x", op, dest, mask)
				}
			}
			for k := range pica.Opcodes[op].Sources {
				if l := op.Layout(); l.Src[k].Width == 7 {
					continue
				}
				for n := range uint32(pica.NumTemporaries) {
					if !operands[pair{op, dest, uint32(k)<<8 | pica.SourceTemporary + n}] {
						t.Errorf("%v: no destination %d with temporary %d as operand %d", op, dest, n, k+1)
					}
				}
			}
		}
	}
}
