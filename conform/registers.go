package conform

import (
	"strconv"

	"github.com/picaproof/picaproof/pica"
)

// registersOf names the registers in the fields of an instruction.
func registersOf(word uint32) (names []string) {
	op := pica.OpcodeOf(word)
	info, l := &pica.Opcodes[op], op.Layout()
	if name := destinationOf(word); name != "" {
		names = append(names, name)
	}
	for k := range info.Sources {
		names = append(names, registerName("v", l.Src[k].Get(word), pica.SourceTemporary))
	}
	if l.Int.Width > 0 {
		names = append(names, "i"+strconv.Itoa(int(l.Int.Get(word))))
	}
	if l.Bool.Width > 0 {
		names = append(names, "b"+strconv.Itoa(int(l.Bool.Get(word))))
	}
	return names
}

// destinationOf names the register that an instruction writes, "" for none.
func destinationOf(word uint32) string {
	op := pica.OpcodeOf(word)
	if pica.Opcodes[op].Writes&pica.WritesDest == 0 {
		return ""
	}
	return registerName("o", op.Layout().Dest.Get(word), pica.DestTemporary)
}

// registerName returns the name of register n of a field. Registers below temporaries belong to
// the given file.
func registerName(file string, n, temporaries uint32) string {
	switch {
	case n >= pica.SourceUniform:
		file, n = "c", n-pica.SourceUniform
	case n >= temporaries:
		file, n = "r", n-temporaries
	}
	return file + strconv.Itoa(int(n))
}
