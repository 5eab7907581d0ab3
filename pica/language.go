package pica

// Language is an assembly language for programs of the PICA200.
type Language uint8

// The languages.
const (
	Default Language = iota // of package asm; it reads the mnemonic and both its own alias and picasso's
	Picasso                 // of picasso, and of package asm on request; it reads the mnemonic too
	Nihstro                 // of nihstro-assemble, which reads an alias instead of the mnemonic
	Aemstro                 // of aemstro_as, which reads an alias instead of the mnemonic

	NumLanguages
)

// Aliases has another name of an instruction for each language, in lower case, or "".
type Aliases [NumLanguages]string

// In returns the name of an instruction in a language: its alias, or the mnemonic if it has none.
func (op Opcode) In(l Language) string {
	if op < NumOpcodes {
		if alias := Opcodes[op].Aliases[l]; alias != "" {
			return alias
		}
	}
	return op.String()
}
