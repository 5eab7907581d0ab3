package testscript_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/registry"
)

// withoutCode lists the refused vectors in which a reader finds no word of code: the file, or the part of it that
// leads to the code, is cut off, or names no code. Of a CGFX those are all rules in front of the shaders.
var withoutCode = strings.Fields(`
	shbin/DVLB001 shbin/DVLB003 shbin/DVLB004 shbin/DVLP005 shbin/DVLP006
	dvoj/DVOJ001 dvoj/DVOJ013
	zpsh/ZPSH001 zpsh/ZPSH003 zpsh/ZPSH008
	csdr/CSDR002 csdr/CSDR004 csdr/CSDR005 csdr/CSDR006 csdr/CSDR010 csdr/CSDR014 csdr/CSDR016
	cgfx/SHDR001 cgfx/SHDR002 cgfx/SHDR010 cgfx/SHDR012`)

// TestDisasmRefused: disasm prints the words of a refused file with intact code, each finding among them, and fails.
func TestDisasmRefused(t *testing.T) {
	word := regexp.MustCompile(`(?m)^\t.* ; 0x[0-9a-f]{4,}: 0x[0-9a-f]{8}( |$)`)
	dir := t.TempDir()
	refused := 0
	for _, format := range []string{"shbin", "dvoj", "zpsh", "csdr", "cgfx"} {
		row, _ := registry.ByName(format)
		vectors, err := corpus.Vectors(format)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range vectors {
			if v.NearMiss || v.Expect == corpus.OK || v.Expect == corpus.Finding {
				continue
			}
			refused++
			name := filepath.Join(dir, filepath.Base(v.Name)+row.Extensions[0])
			if err := os.WriteFile(name, v.Data, 0o600); err != nil {
				t.Fatal(err)
			}
			var stdout, stderr bytes.Buffer
			if status := tool().Main([]string{"disasm", name}, strings.NewReader(""), &stdout, &stderr); status != 1 {
				t.Errorf("%s: status %d, want 1: %s", v.Name, status, &stderr)
			}
			if !strings.Contains(stdout.String(), " "+v.Rule+" ") {
				t.Errorf("%s: the listing does not name %s:\n%s", v.Name, v.Rule, &stdout)
			}
			bare := slices.Contains(withoutCode, strings.TrimSuffix(v.Name, "-trigger")) ||
				strings.HasPrefix(v.Name, "cgfx/DICT") || format == "cgfx" && v.Rule < "CGFX018"
			if got := word.Match(stdout.Bytes()); got == bare {
				t.Errorf("%s: words listed: %t, want %t:\n%s", v.Name, got, !bare, &stdout)
			}
		}
	}
	if refused < 120 {
		t.Errorf("%d refused vectors, want 120 or more", refused)
	}
}

// TestDisasmRefusedOperands: an instruction of a refused file has its operands, but none that come from an operand
// descriptor that was not found.
func TestDisasmRefusedOperands(t *testing.T) {
	const descriptorsAt, majorVersion = 0x1F, 0x8
	for _, c := range []struct {
		sample string
		spoil  func(b []byte)
		want   string
	}{
		{"picasso/p01_minimal.shbin", func(b []byte) { b[bytes.Index(b, []byte("DVLE"))]++ }, `; dvlp.code
	mov o0, v0                              ; 0x0034: 0x4c000000
	end                                     ; 0x0038: 0x88000000
`},
		{"picasso/p01_minimal.shbin", func(b []byte) { b[descriptorsAt] = 0x7F }, `; dvlp.code
	mov                                     ; 0x0034: 0x4c000000
	end                                     ; 0x0038: 0x88000000
`},
		{"wild/base.gsh", func(b []byte) { b[bytes.LastIndex(b, []byte("BLK{"))+majorVersion]++ }, `; shaders[0].code
	00 CALL_FS NO_BARRIER                   ; 0x01fc
	01 EXP_DONE: POS0, R1.xyzw ELEM_SIZE(3) ; 0x0204
	02 EXP_DONE: PARAM0, R2.xyzw ELEM_SIZE(3) ; 0x020c
; shaders[1].code
	00 EXP_DONE: PIX0, R0.xyzw ELEM_SIZE(3) ; 0x0364
`},
	} {
		b := samples.Read(t, c.sample)
		c.spoil(b)
		var stdout, stderr bytes.Buffer
		if status := tool().Main([]string{"disasm", "-"}, bytes.NewReader(b), &stdout, &stderr); status != 1 {
			t.Errorf("%s: status %d, want 1: %s", c.sample, status, &stderr)
		}
		var code strings.Builder
		for line := range strings.Lines(stdout.String()) {
			if !strings.Contains(line, " [") {
				code.WriteString(line)
			}
		}
		if code.String() != c.want {
			t.Errorf("%s: got\n%s%s, want\n%s", c.sample, &code, &stderr, c.want)
		}
	}
}
