package shbin_test

import (
	"bytes"
	"errors"
	"flag"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/shbin"
)

var seed = flag.Uint64("seed", 1, "seed of the random mutations")

// TestAgreement mutates every sample at random: whatever the bytes are, Parse
// and Check agree, and what is accepted is written as it was.
func TestAgreement(t *testing.T) {
	t.Logf("-seed=%d", *seed)
	r := rand.New(rand.NewPCG(*seed, 0))
	bases := [][]byte{mustAppend(t, cleanModel()), edited(t, twins(3))}
	all := samples(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		bases = append(bases, all[name])
	}
	n := 200_000
	if testing.Short() {
		n = 20_000
	}
	accepted := 0
	buffer := make([]byte, 0, 8192)
	for range n {
		b := mutate(r, append(buffer[:0], bases[r.IntN(len(bases))]...))
		if f := testAgreement(t, b); f != nil {
			accepted++
			if accepted%8 == 0 {
				testOwners(t, b, f)
			}
		}
		if t.Failed() {
			t.Fatalf("bytes: %x", b)
		}
	}
	t.Logf("%d of %d accepted", accepted, n)
	if accepted < n/20 {
		t.Errorf("only %d of %d accepted", accepted, n)
	}
}

// mutate changes one to three places: bytes, words, the length.
func mutate(r *rand.Rand, b []byte) []byte {
	edges := [...]uint32{0, 1, 3, 4, 0x40, 0x7F, 0x80, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF, uint32(len(b))}
	for range 1 + r.IntN(3) {
		if len(b) < 4 {
			return append(b, byte(r.Uint32()))
		}
		at := r.IntN(len(b)/4) * 4
		switch r.IntN(8) {
		case 0, 1:
			b[r.IntN(len(b))] = byte(r.Uint32())
		case 2:
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		case 3:
			put32(b, at, edges[r.IntN(len(edges))])
		case 4, 5:
			put32(b, at, uint32(b[at])|uint32(b[at+1])<<8+uint32(r.IntN(17))-8)
		case 6:
			put32(b, at, uint32(r.IntN(len(b)+8)))
		case 7:
			if r.IntN(4) > 0 {
				continue
			}
			if r.IntN(2) == 0 {
				b = b[:r.IntN(len(b))]
			} else {
				b = append(b, make([]byte, r.IntN(9))...)
			}
		}
	}
	return b
}

// testAgreement checks what holds for any bytes. It returns the file when they
// are accepted.
func testAgreement(t *testing.T, b []byte) *shbin.File {
	t.Helper()
	findings := shbin.Check(b)
	testFindings(t, b, findings)
	f, err := shbin.Parse(b)
	if first := diag.FirstError(findings); first != nil {
		parseError, ok := errors.AsType[*diag.ParseError](err)
		if !ok || f != nil {
			t.Errorf("got file %p, error %v; want the error %v", f, err, first)
		} else if !cmp.Equal(parseError.Finding, withoutMore(*first)) {
			t.Errorf("got error %v, want %v", err, first)
		}
		return nil
	}
	if err != nil {
		t.Errorf("Parse: %v, but Check has no error", err)
		return nil
	}
	if got, err := f.AppendBinary(nil); err != nil || !bytes.Equal(got, b) {
		t.Errorf("the exact form differs: %v\ngot  %x\nwant %x", err, got, b)
	}
	form, err := f.Canonical().AppendBinary(nil)
	if err != nil {
		t.Errorf("canonical form: %v", err)
		return f
	}
	if g, err := shbin.Parse(form); err != nil || !g.Equal(f) {
		t.Errorf("the canonical form reads differently: %v", err)
	}
	return f
}

// testOwners checks the regions of accepted bytes.
func testOwners(t *testing.T, b []byte, f *shbin.File) {
	t.Helper()
	regions := f.Regions()
	testPartition(t, regions, len(b))
	testPlaces(t, shbin.Check(b), regions)
}

func withoutMore(f diag.Finding) diag.Finding {
	f.More = 0
	return f
}

// testFindings checks that findings are complete and inside the file.
func testFindings(t *testing.T, b []byte, findings []diag.Finding) {
	t.Helper()
	for _, f := range findings {
		if f.Off < 0 || f.Len < 0 || f.Off+f.Len > len(b) {
			t.Errorf("outside a file of 0x%x bytes: %v, length %d", len(b), f, f.Len)
		}
		i := slices.IndexFunc(shbin.Rules, func(r diag.Rule) bool { return r.ID == f.Rule })
		if i < 0 {
			t.Errorf("unknown rule: %v", f)
			continue
		}
		if r := shbin.Rules[i]; f.Severity != r.Severity && !slices.Contains(r.Also, f.Severity) {
			t.Errorf("%v is not a severity of the rule: %v", f.Severity, f)
		}
		if f.Path == "" || f.Msg == "" || f.Expected == "" {
			t.Errorf("incomplete: %+v", f)
		}
	}
}

// testPartition checks that regions cover a file without gap or overlap.
func testPartition(t *testing.T, regions []diag.Region, size int) {
	t.Helper()
	end := 0
	for _, r := range regions {
		if r.Off != end || r.Len <= 0 || r.Path == "" {
			t.Errorf("region %+v does not start at 0x%x", r, end)
			return
		}
		end += r.Len
	}
	if end != size {
		t.Errorf("regions end at 0x%x of 0x%x", end, size)
	}
}

// testPlaces checks that a finding with the path of a region is at that region.
func testPlaces(t *testing.T, findings []diag.Finding, regions []diag.Region) {
	t.Helper()
	for _, f := range findings {
		i := slices.IndexFunc(regions, func(r diag.Region) bool { return r.Path == f.Path })
		if i >= 0 && regions[i].Kind != diag.GapRegion && (regions[i].Off != f.Off || regions[i].Len != f.Len) {
			t.Errorf("%v, length %d, is not at its region %+v", f, f.Len, regions[i])
		}
	}
}
