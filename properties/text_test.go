package properties_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/properties/arb"
)

// TestJobsAsJSON: a job that is read back has the same text and the same outcome.
func TestJobsAsJSON(t *testing.T) {
	engine := impl.New()
	holds(t, 1000, jobs, func(j arb.Job) error {
		text, err := json.Marshal(j.Job)
		if err != nil {
			return err
		}
		back, err := pica.ParseJob(text, profile.Parse)
		if err != nil {
			return err
		}
		again, err := json.Marshal(back)
		if err != nil || !bytes.Equal(again, text) {
			return failure(j.Job, "%v: read back it is %s", err, again)
		}
		want, err := outcome(engine, j.Job)
		if err != nil {
			return err
		}
		got, err := outcome(engine, back)
		if err != nil {
			return err
		}
		return same(j.Job, want, got)
	})
}

// TestDisassemblyNamesEveryWord: any program has a text, always the same, with a line for
// every word that begins with the mnemonic of the instruction.
func TestDisassemblyNamesEveryWord(t *testing.T) {
	holds(t, 1000, jobs, func(j arb.Job) error {
		shader := &pica.Shader{Program: j.Program, Entry: j.Entry, Stage: j.Stage}
		var texts [2]bytes.Buffer
		for k := range texts {
			if err := asm.Disassemble(&texts[k], shader, asm.Options{}); err != nil {
				return failure(j.Job, "%v", err)
			}
		}
		if !bytes.Equal(texts[0].Bytes(), texts[1].Bytes()) {
			return failure(j.Job, "two texts:\n%s\n%s", &texts[0], &texts[1])
		}
		lines := slices.Collect(asm.Lines(shader))
		if len(lines) != len(j.Code) {
			return failure(j.Job, "%d lines for %d words", len(lines), len(j.Code))
		}
		for pc, line := range lines {
			name, _, _ := strings.Cut(line.Text, " ")
			if line.PC != pc || line.Word != j.Code[pc] ||
				name != ".word" && name != pica.OpcodeOf(line.Word).String() {
				return failure(j.Job, "word %d, %08x: %+v", pc, j.Code[pc], line)
			}
			if !strings.Contains(texts[0].String(), "\t"+line.Text) {
				return failure(j.Job, "%q is not in the text", line.Text)
			}
		}
		return nil
	})
}
