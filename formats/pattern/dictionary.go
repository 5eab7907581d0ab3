package pattern

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/pica"
)

// Token is an entry of a fuzzer's dictionary: bytes that mean something to a parser.
type Token struct {
	Name  string // an identifier
	Bytes []byte
}

// programFormats hold words of PICA200 programs as they are.
var programFormats = []string{"cgfx", "dvoj", "shbin", "zpsh"}

// limits are numbers at the limits of fields, in both byte orders.
var limits = []string{
	"\xff\xff\xff\xff", "\xff\xff\xff\x7f", "\x7f\xff\xff\xff", "\x00\x00\x00\x80", "\x80\x00\x00\x00",
}

// Dictionary returns the tokens of a format, each once: its magics, the constant fields of its records, numbers at the
// limits of fields, and the opcodes if it has programs. It returns nothing for an unknown format.
func Dictionary(format string) (list []Token) {
	known, ok := registry.ByName(format)
	if !ok {
		return nil
	}
	add := func(name string, b []byte) {
		if len(b) > 0 && !slices.ContainsFunc(list, func(t Token) bool { return string(t.Bytes) == string(b) }) {
			list = append(list, Token{name, b})
		}
	}
	for i, magic := range known.Magics {
		add(fmt.Sprintf("magic_%d", i+1), []byte(magic))
	}
	d, _ := Of(format)
	for _, t := range d.Types {
		for _, f := range t.Fields {
			add(t.Name+"_"+f.Name, f.Always)
		}
	}
	for i, limit := range limits {
		add(fmt.Sprintf("limit_%d", i+1), []byte(limit))
	}
	if slices.Contains(programFormats, format) {
		for _, word := range Opcodes() {
			add(word.Name, word.Bytes)
		}
	}
	return list
}

// Opcodes returns a word for each instruction, with zero in every other field.
func Opcodes() (list []Token) {
	for op := range pica.Opcode(pica.NumOpcodes) {
		if !op.Reserved() && op.Base() == op {
			list = append(list, Token{"word_" + identifier(pica.Opcodes[op].Name),
				binary.LittleEndian.AppendUint32(nil, uint32(op)<<26)})
		}
	}
	return list
}

// WriteDictionary writes tokens in the form of libFuzzer and AFL++.
func WriteDictionary(w io.Writer, list []Token) error {
	for _, t := range list {
		text := string(t.Bytes)
		if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' || r == '"' || r == '\\' }) {
			text = ""
			for _, c := range t.Bytes {
				text += fmt.Sprintf(`\x%02X`, c)
			}
		}
		if _, err := fmt.Fprintf(w, "%s=\"%s\"\n", t.Name, text); err != nil {
			return err
		}
	}
	return nil
}
