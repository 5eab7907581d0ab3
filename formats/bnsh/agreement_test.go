package bnsh_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// bases are files to corrupt.
func bases(t testing.TB) [][]byte {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 1))
	files := [][]byte{build(t, workedModel()), build(t, clean())}
	for range 6 {
		files = append(files, build(t, random(r)))
	}
	return files
}

// corrupt changes some bytes of the records and of the tables at the end, mostly
// to small or familiar numbers.
func corrupt(r *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	for range 1 + r.IntN(4) {
		at := r.IntN(len(b))
		if r.IntN(2) == 0 {
			at = r.IntN(min(len(b), 0x600))
		}
		word := min(at&^3, len(b)-4)
		switch r.IntN(6) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b[at] = byte(r.IntN(256))
		case 2:
			b[at] = 0
		case 3: // another pointer of the file
			copy(b[at&^7:min(len(b), at&^7+8)], b[r.IntN(len(b)-8)&^7:])
		case 4:
			le.PutUint32(b[word:], uint32(r.IntN(len(b))))
		case 5:
			le.PutUint32(b[word:], le.Uint32(b[word:])+uint32(8*(r.IntN(9)-4)))
		}
	}
	return b
}

// TestCorrupted checks corrupted files.
func TestCorrupted(t *testing.T) {
	const seed = 8
	for i, base := range bases(t) {
		accepted := 0
		for run := range formattest.Runs(t, 3000) {
			r := rand.New(rand.NewPCG(seed, uint64(i)<<32|uint64(run)))
			if format.Agree(t, corrupt(r, base)) {
				accepted++
			}
			if t.Failed() {
				t.Fatalf("seed %d, base %d, run %d", seed, i, run)
			}
		}
		if accepted == 0 {
			t.Errorf("base %d: no corrupted file was accepted", i)
		}
	}
}

// TestRandom mutates the samples, too.
func TestRandom(t *testing.T) {
	files := bases(t)
	t.Run("models", func(t *testing.T) { format.Random(t, files, 10_000, 12) })
	t.Run("samples", func(t *testing.T) {
		var files [][]byte
		for _, name := range samples.Glob(t, "bnsh/*.bnsh") {
			files = append(files, samples.Read(t, name))
		}
		format.Random(t, files, 10_000, 12)
	})
}

// TestTruncated: no part of a file is a file.
func TestTruncated(t *testing.T) {
	for i, base := range bases(t) {
		for n := 0; n < len(base); n += 1 + n/64 {
			if format.Agree(t, base[:n:n]) {
				t.Errorf("base %d: the first %d bytes are accepted", i, n)
			}
		}
	}
}

// TestRandomModels: a model is read back as an equal one, from bytes and from
// JSON, and its file is canonical.
func TestRandomModels(t *testing.T) {
	const seed = 10
	for run := range formattest.Runs(t, 2000) {
		r := rand.New(rand.NewPCG(seed, uint64(run)))
		want := random(r)
		b := build(t, want)
		got := mustParse(t, b)
		if !got.Equal(want) {
			t.Fatalf("seed %d, run %d: read back:\ngot  %+v\nwant %+v", seed, run, got, want)
		}
		if !format.Agree(t, b) || reported(bnsh.Check(b), "BNSH081") {
			t.Fatalf("seed %d, run %d: not canonical: %v", seed, run, bnsh.Check(b))
		}
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var back bnsh.File
		if err := json.Unmarshal(text, &back); err != nil || !back.Equal(want) {
			t.Fatalf("seed %d, run %d: JSON: %v\n%s", seed, run, err, text)
		}
		mustWrite(t, &back, b)
	}
}
