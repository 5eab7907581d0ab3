package bnsh_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
)

// bases are files to corrupt: models of our own, and the samples if there are
// any.
func bases(t testing.TB) map[string][]byte {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 1))
	files := map[string][]byte{"worked": build(t, workedModel()), "clean": build(t, clean())}
	for _, name := range []string{"random a", "random b", "random c", "random d"} {
		files[name] = build(t, random(r))
	}
	return files
}

// corrupt changes some bytes, mostly of the records and of the tables at the
// end, and mostly to small or familiar numbers.
func corrupt(r *rand.Rand, b []byte) []byte {
	b = slices.Clone(b)
	for range 1 + r.IntN(4) {
		at := r.IntN(len(b))
		if r.IntN(2) == 0 {
			at = r.IntN(min(len(b), 0x600))
		}
		switch r.IntN(6) {
		case 0:
			b[at] ^= 1 << r.IntN(8)
		case 1:
			b[at] = byte(r.IntN(256))
		case 2:
			b[at] = 0
		case 3: // another pointer of the file
			from := r.IntN(len(b) - 8)
			at &^= 7
			copy(b[at:min(len(b), at+8)], b[from&^7:])
		case 4:
			at = min(at&^3, len(b)-4)
			le.PutUint32(b[at:], uint32(r.IntN(len(b))))
		case 5:
			at = min(at&^3, len(b)-4)
			le.PutUint32(b[at:], le.Uint32(b[at:])+uint32(8*(r.IntN(9)-4)))
		}
	}
	return b
}

// TestParseAndCheckAgree: a corrupted file is refused exactly when Check has an
// error, for the same reason; an accepted one is written back byte for byte, and
// is canonical exactly when Check does not say otherwise.
func TestParseAndCheckAgree(t *testing.T) {
	const seed = 8
	for name, base := range bases(t) {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, uint64(len(base))))
			accepted := 0
			for run := range runs(4000) {
				b := corrupt(r, base)
				f, err := bnsh.Parse(b)
				findings := bnsh.Check(b)
				for _, x := range findings {
					if x.Off < 0 || x.Len < 0 || x.Off+x.Len > len(b) || x.Path == "" {
						t.Fatalf("seed %d, run %d: finding outside the file: %+v", seed, run, x)
					}
				}
				mustAgree(t, b, err != nil)
				if err != nil {
					continue
				}
				accepted++
				canonical := build(t, f.Canonical())
				said := slices.ContainsFunc(findings, func(x diag.Finding) bool { return x.Rule == "BNSH081" })
				if bytes.Equal(canonical, b) == said {
					t.Fatalf("seed %d, run %d: canonical: %v, but BNSH081 reported: %v", seed, run, !said, said)
				}
				again, err := bnsh.Parse(canonical)
				if err != nil || !again.Equal(f) {
					t.Fatalf("seed %d, run %d: the canonical form is another file (%v)", seed, run, err)
				}
			}
			if accepted == 0 {
				t.Error("no corrupted file was accepted")
			}
		})
	}
}

// TestSamplesCorrupted is the same for the samples.
func TestSamplesCorrupted(t *testing.T) {
	const seed = 9
	for name := range manifest(t) {
		t.Run(name, func(t *testing.T) {
			base := readSample(t, name)
			r := rand.New(rand.NewPCG(seed, uint64(len(base))))
			for range runs(1500) {
				b := corrupt(r, base)
				_, err := bnsh.Parse(b)
				mustAgree(t, b, err != nil)
			}
		})
	}
}

// TestTruncated: no part of a file is a file.
func TestTruncated(t *testing.T) {
	for name, base := range bases(t) {
		t.Run(name, func(t *testing.T) {
			for n := 0; n < len(base); n += 1 + n/64 {
				mustAgree(t, base[:n:n], true)
			}
		})
	}
}

// TestRandomModels: a model is read back as an equal one, from bytes and from
// JSON, and its file is canonical.
func TestRandomModels(t *testing.T) {
	const seed = 10
	r := rand.New(rand.NewPCG(seed, 1))
	for run := range runs(3000) {
		want := random(r)
		b := build(t, want)
		got, err := bnsh.Parse(b)
		if err != nil || !got.Equal(want) {
			t.Fatalf("seed %d, run %d: read back: %v\ngot  %+v\nwant %+v", seed, run, err, got, want)
		}
		if ids := rules(bnsh.Check(b)); slices.Contains(ids, "BNSH081/I") {
			t.Fatalf("seed %d, run %d: not canonical: %v", seed, run, bnsh.Check(b))
		}
		mustWrite(t, got, b)
		mustWrite(t, got.Canonical(), b)
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		var back bnsh.File
		if err := json.Unmarshal(text, &back); err != nil || !back.Equal(want) {
			t.Fatalf("seed %d, run %d: JSON: %v\n%s", seed, run, err, text)
		}
		mustWrite(t, &back, b)
		mustPartition(t, got, b)
	}
}
