package sharcfb_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/sharcfb"
)

// TestAgreement mutates every sample at random: whatever the bytes are, Parse
// and Check agree, and what is accepted is written as it was.
func TestAgreement(t *testing.T) {
	r := formattest.Rand(t, 0)
	bases := [][]byte{
		mustAppend(t, workedModel()),
		mustAppend(t, fullModel(sharcfb.Little)),
		mustAppend(t, fullModel(sharcfb.Big)),
	}
	for _, name := range samples.Glob(t, "sharcfb/*.sharcfb") {
		bases = append(bases, samples.Read(t, name))
	}
	n := 30_000
	if testing.Short() {
		n = 5_000
	}
	accepted := 0
	var buffer []byte
	for i := range n {
		buffer = mutate(r, append(buffer[:0], bases[r.IntN(len(bases))]...))
		if i%8 == 0 {
			testPartition(t, sharcfb.Outline(buffer).Regions, len(buffer))
		}
		if f, findings := testAgreement(t, buffer); f != nil {
			accepted++
			if i%8 == 0 {
				regions := f.Regions()
				testPartition(t, regions, len(buffer))
				testPlaces(t, findings, regions)
			}
		}
		if t.Failed() {
			t.Fatalf("bytes: %x", buffer)
		}
	}
	t.Logf("%d of %d accepted", accepted, n)
	if accepted < n/20 {
		t.Errorf("only %d of %d accepted", accepted, n)
	}
}

// mutate changes one to three places: bytes, words at any offset, the length.
func mutate(r *rand.Rand, b []byte) []byte {
	edges := [...]uint32{0, 1, 3, 4, 0x40, 0xC0, 0x134, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF, uint32(len(b))}
	order := binary.ByteOrder(binary.BigEndian)
	if len(b) > 0 && b[0] == 'B' {
		order = binary.LittleEndian
	}
	for range 1 + r.IntN(3) {
		if len(b) < 4 {
			return append(b, byte(r.Uint32()))
		}
		word := b[r.IntN(len(b)-3):]
		switch r.IntN(8) {
		case 0, 1:
			b[r.IntN(len(b))] = byte(r.Uint32())
		case 2:
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		case 3:
			order.PutUint32(word, edges[r.IntN(len(edges))])
		case 4, 5:
			order.PutUint32(word, order.Uint32(word)+uint32(r.IntN(17))-8)
		case 6:
			order.PutUint32(word, uint32(r.IntN(len(b)+8)))
		case 7:
			if r.IntN(4) > 0 {
				continue
			}
			if r.IntN(2) == 0 {
				b = b[:r.IntN(len(b))]
			} else {
				b = append(b, make([]byte, r.IntN(9))...)
			}
			if len(b) >= 12 {
				order.PutUint32(b[8:], uint32(len(b)))
			}
		}
	}
	return b
}

// testAgreement checks what holds for any bytes. It returns the file if they are
// accepted, and the findings.
func testAgreement(t *testing.T, b []byte) (*sharcfb.File, []diag.Finding) {
	t.Helper()
	findings := sharcfb.Check(b)
	testFindings(t, b, findings)
	f, err := sharcfb.Parse(b)
	if first := diag.FirstError(findings); first != nil {
		parseError, ok := errors.AsType[*diag.ParseError](err)
		want := *first
		want.More = 0
		if !ok || f != nil {
			t.Errorf("got file %p, error %v; want the error %v", f, err, first)
		} else if diff := cmp.Diff(want, parseError.Finding); diff != "" {
			t.Errorf("error (-first of Check +got):\n%s", diff)
		}
		return nil, findings
	}
	if err != nil {
		t.Errorf("Parse: %v, but Check has no error", err)
		return nil, findings
	}
	if got, err := f.AppendBinary(nil); err != nil || !bytes.Equal(got, b) {
		t.Errorf("the exact form differs: %v\ngot  %x\nwant %x", err, got, b)
	}
	form, err := f.Canonical().AppendBinary(nil)
	if err != nil {
		t.Errorf("canonical form: %v", err)
		return f, findings
	}
	if g, err := sharcfb.Parse(form); err != nil || !g.Equal(f) {
		t.Errorf("the canonical form reads differently: %v", err)
	}
	noted := slices.ContainsFunc(findings, func(x diag.Finding) bool { return x.Rule == "SHARC061" })
	if noted == bytes.Equal(form, b) {
		t.Errorf("SHARC061 reported: %v, but the canonical form is equal: %v", noted, !noted)
	}
	return f, findings
}

// testFindings checks that findings are complete and inside the file.
func testFindings(t *testing.T, b []byte, findings []diag.Finding) {
	t.Helper()
	for _, f := range findings {
		if f.Off < 0 || f.Len < 0 || f.Off+f.Len > len(b) {
			t.Errorf("outside a file of 0x%x bytes: %v, length %d", len(b), f, f.Len)
		}
		i := slices.IndexFunc(sharcfb.Rules, func(r diag.Rule) bool { return r.ID == f.Rule })
		if i < 0 {
			t.Errorf("unknown rule: %v", f)
			continue
		}
		if r := sharcfb.Rules[i]; r.Retired || f.Severity != r.Severity && !slices.Contains(r.Also, f.Severity) {
			t.Errorf("%v is not a severity of the rule: %v", f.Severity, f)
		}
		if f.Path == "" || f.Msg == "" || f.Expected == "" || f.Found == "" {
			t.Errorf("incomplete: %+v", f)
		}
	}
}

// testPlaces checks that a finding with the path of a region is at that region.
func testPlaces(t *testing.T, findings []diag.Finding, regions []diag.Region) {
	t.Helper()
	byPath := make(map[string]diag.Region, len(regions))
	for _, r := range regions {
		byPath[r.Path] = r
	}
	for _, f := range findings {
		if r, ok := byPath[f.Path]; ok && r.Kind == diag.FieldRegion && r.Off != f.Off {
			t.Errorf("%v, length %d, is not at its region %+v", f, f.Len, r)
		}
	}
}
