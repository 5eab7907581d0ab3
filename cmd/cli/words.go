package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// emitWords writes the words of a program, an empty line, the operand
// descriptors and another empty line; each as eight hexadecimal digits.
func emitWords(out *bytes.Buffer, p *pica.Program) {
	for _, list := range [][]uint32{p.Code, p.Descriptors} {
		for _, word := range list {
			fmt.Fprintf(out, "%08x\n", word)
		}
		out.WriteByte('\n')
	}
}

// jobOfWords returns the job, in JSON, of a program in the form of emitWords; ok is false for
// any other text.
func jobOfWords(text []byte) (job []byte, ok bool) {
	var lists [3][]uint32 // words, operand descriptors, and text that must not follow
	at := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" {
			at = min(at+1, len(lists)-1)
			continue
		}
		word, err := strconv.ParseUint(line, 16, 32)
		if err != nil || len(line) != 8 {
			return nil, false
		}
		lists[at] = append(lists[at], uint32(word))
	}
	if len(lists[0]) == 0 || len(lists[2]) > 0 {
		return nil, false
	}
	shader := pica.Shader{Program: pica.Program{Code: lists[0], Descriptors: lists[1]}}
	job, err := jobOf(&shader)
	return job, err == nil
}

// jobOf returns a job, in JSON, that runs a shader over one vertex without inputs.
func jobOf(shader *pica.Shader) ([]byte, error) {
	job := shader.Job(profile.F24())
	job.Vertices = [][]pica.Vec4{nil}
	return json.Marshal(&job)
}
