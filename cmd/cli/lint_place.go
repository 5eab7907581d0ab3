package cli

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/conform/report/findings"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/lint"
)

// codePlaces finds the bytes of instructions in a file: the n-th program of a file has its n-th table
// of code.
type codePlaces struct {
	tables   [][]diag.Region // regions of words
	programs []int           // the table of each shader
}

func newCodePlaces(doc registry.Document, shaders []pica.Shader) (c codePlaces) {
	table := ""
	for _, r := range doc.Regions() {
		path, isWord := strings.CutSuffix(r.Path[:strings.LastIndexByte(r.Path, '[')+1], "code[")
		if !isWord {
			continue
		}
		if len(c.tables) == 0 || path != table {
			c.tables, table = append(c.tables, nil), path
		}
		c.tables[len(c.tables)-1] = append(c.tables[len(c.tables)-1], r)
	}
	n := -1
	for i, first := range programsOf(shaders) {
		if first == i {
			n++
		}
		c.programs = append(c.programs, n)
	}
	return c
}

// bytes returns the bytes of the instruction of a finding, or of the entry point for a finding about
// a whole shader; nil if the file has that instruction in no region of its own.
func (c *codePlaces) bytes(shaders []pica.Shader, f *lint.Finding) *findings.Range {
	shader, word := max(f.Entry, 0), f.PC
	if word < 0 {
		word = shaders[shader].Entry
	}
	if word >= len(shaders[shader].Code) || c.programs[shader] >= len(c.tables) {
		return nil
	}
	table := c.tables[c.programs[shader]]
	if word >= len(table) || !strings.HasPrefix(table[word].Value, fmt.Sprintf("0x%08x", shaders[shader].Code[word])) {
		return nil
	}
	return &findings.Range{Off: table[word].Off, Len: table[word].Len}
}

// instructionAt returns the text of a word, or "" behind the end of the code.
func instructionAt(s *pica.Shader, word int) string {
	if word >= len(s.Code) {
		return ""
	}
	return asm.Format(s.Code[word], s.Descriptors)
}

// lineOf returns the source file and line that a SHBIN states for a word, or "".
func lineOf(doc registry.Document, word int) string {
	if doc == nil {
		return ""
	}
	f, ok := doc.Model().(*shbin.File)
	if !ok || word >= len(f.DVLP.Lines) {
		return ""
	}
	line := f.DVLP.Lines[word]
	name, _ := f.DVLP.FileName(line.Name)
	return fmt.Sprintf("%s:%d", name, line.Line)
}

// wordText returns "word 7 (0x00c4, mov o0, v0, phong.vsh:12)".
func (f *lintFinding) wordText() string {
	var parts []string
	if f.Offset != nil {
		parts = append(parts, fmt.Sprintf("0x%04x", *f.Offset))
	}
	if f.Instruction != "" {
		parts = append(parts, f.Instruction)
	}
	if f.Source != "" && f.line == 0 {
		parts = append(parts, shown(f.Source))
	}
	text := fmt.Sprintf("word %d", *f.Word)
	if parts != nil {
		text += " (" + strings.Join(parts, ", ") + ")"
	}
	return text
}
