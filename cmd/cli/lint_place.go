package cli

import (
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
)

// instructionAt returns the text of a word, or "" behind the end of the code.
func instructionAt(s *pica.Shader, word int) string {
	if word >= len(s.Code) {
		return ""
	}
	return asm.Format(s.Code[word], s.Descriptors)
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
