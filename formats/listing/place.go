package listing

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
)

// Places finds the bytes of instructions in a file: the n-th program of a file has its n-th table
// of code.
type Places struct {
	tables   [][]diag.Region // regions of words
	programs []int           // the table of each shader
	shaders  []pica.Shader
}

func NewPlaces(doc registry.Document, shaders []pica.Shader) (c Places) {
	c.shaders = shaders
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
	for i, first := range Programs(shaders) {
		if first == i {
			n++
		}
		c.programs = append(c.programs, n)
	}
	return c
}

// Bytes returns the region of a word of a shader, or nil if the file has the word in no region of its own.
func (c *Places) Bytes(shader, word int) *diag.Region {
	if word >= len(c.shaders[shader].Code) || c.programs[shader] >= len(c.tables) {
		return nil
	}
	table := c.tables[c.programs[shader]]
	if word >= len(table) || !strings.HasPrefix(table[word].Value, fmt.Sprintf("0x%08x", c.shaders[shader].Code[word])) {
		return nil
	}
	return &table[word]
}

// LineOf returns the source file and line that a SHBIN states for a word, or "".
func LineOf(doc registry.Document, word int) string {
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
