package latte_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/picaproof/picaproof/latte"
)

// TestRandom: what decodes from random bytes and damaged samples encodes to the same bytes.
func TestRandom(t *testing.T) {
	const seed = 39
	r := rand.New(rand.NewPCG(seed, 0))
	all := programs(t)
	accepted := 0
	for n := range 100_000 {
		code := bytes.Clone(all[r.IntN(len(all))].code)
		switch r.IntN(8) {
		case 0:
			code = code[:r.IntN(len(code)+1)]
		case 1:
			for i := range code {
				code[i] = byte(r.Uint32())
			}
		default:
			for range 1 + r.IntN(4) {
				code[r.IntN(len(code))] ^= 1 << r.IntN(8)
			}
		}
		p, err := latte.Decode(code)
		if err != nil {
			continue
		}
		accepted++
		latte.Check(code, nil) // must not panic
		if !bytes.Equal(p.Encode(), code) {
			t.Fatalf("seed %d, program %d: other bytes after encoding: %x", seed, n, code)
		}
		if n%10 != 0 {
			continue
		}
		text := latte.Format(p)
		again, err := latte.Parse(text)
		if err != nil || !bytes.Equal(again.Encode(), code) {
			t.Fatalf("seed %d, program %d: other bytes after reading the text: %v\n%s", seed, n, err, text)
		}
	}
	if accepted < 40_000 {
		t.Errorf("only %d programs decode", accepted)
	}
}

// large is a program of many ALU clauses.
func large(clauses int) []byte {
	code := make([]byte, 0, 8*129*(clauses+1))
	add := func(w0, w1 uint32) {
		code = binary.LittleEndian.AppendUint32(code, w0)
		code = binary.LittleEndian.AppendUint32(code, w1)
	}
	for k := range clauses {
		add(uint32(clauses+1+128*k), 0xA1FC0000) // ALU, COUNT 127
	}
	add(0, 0x80200000) // NOP, END_OF_PROGRAM
	for k := range 128 * clauses {
		last := uint32(k%4/3) << 31
		add(last|0x00002000, uint32(k%4)<<29|0x00000090)
	}
	return code
}

func BenchmarkDecode(b *testing.B) {
	for _, n := range []int{10, 1000, 10_000} {
		code := large(n)
		if _, err := latte.Decode(code); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%d bytes", len(code)), func(b *testing.B) {
			b.SetBytes(int64(len(code)))
			b.ReportAllocs()
			for b.Loop() {
				latte.Decode(code)
			}
		})
	}
}
