package listing

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/microcode"
	"github.com/picaproof/picaproof/pica/asm"
)

// Refused returns the words of code among the regions of a refused file. The value of each is the word and its
// instruction, with operands where the descriptors of the program were found. A word of a GX2 program has the
// instruction alone.
func Refused(format string, data []byte, regions []diag.Region) (code []diag.Region) {
	if format == "gsh" || format == "sharcfb" {
		return microcode.Refused(data, regions)
	}
	descriptors := Descriptors(regions)
	for _, r := range regions {
		program, _, ok := elementOf(r.Path, "code[")
		if !ok {
			continue
		}
		if word, ok := WordOf(r.Value); ok {
			text := asm.Format(word, descriptors[program])
			guessed := descriptors[program] == nil && strings.Contains(text, ", desc ")
			if !guessed && !strings.HasPrefix(text, ".word") {
				r.Value = fmt.Sprintf("0x%08x %s", word, text)
			}
		}
		code = append(code, r)
	}
	return code
}

// Descriptors returns the operand descriptors among the regions of a file, by the path before "descriptors" and "code".
func Descriptors(regions []diag.Region) map[string][]uint32 {
	descriptors := map[string][]uint32{}
	for _, r := range regions {
		if program, n, ok := elementOf(r.Path, "descriptors["); ok && n == len(descriptors[program]) {
			if word, ok := WordOf(r.Value); ok {
				descriptors[program] = append(descriptors[program], word)
			}
		}
	}
	return descriptors
}

// elementOf takes the path of an element of a list apart: "dvlp.code[3]" is element 3 of the list "code[" of "dvlp.".
func elementOf(path, list string) (owner string, n int, ok bool) {
	owner, rest, ok := strings.Cut(path, list)
	number, _, closed := strings.Cut(rest, "]")
	n, err := strconv.Atoi(number)
	return owner, n, ok && closed && err == nil
}

// WordOf returns the word at the start of the value of a region: "0x88000000 end".
func WordOf(value string) (word uint32, ok bool) {
	digits, _, _ := strings.Cut(value, " ")
	n, err := strconv.ParseUint(digits, 0, 32)
	return uint32(n), err == nil && strings.HasPrefix(digits, "0x")
}
