package engine

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica/asm"
)

// ExamplesResult lists examples.
type ExamplesResult struct {
	Examples []Example `json:"examples"`
}

// Example is a file with three sentences, and what to look at first.
type Example struct {
	Name  string    `json:"name"` // for the method sample
	Title string    `json:"title"`
	Text  [3]string `json:"text"`
	// Inputs, Uniforms and Profile are those of the run that the sentences describe; Versus is a second profile.
	Inputs   []Assignment `json:"inputs"`
	Uniforms []Assignment `json:"uniforms"`
	Profile  string       `json:"profile,omitempty"`
	Versus   string       `json:"versus,omitempty"`
	Offset   *int         `json:"offset,omitempty"` // the byte to look at
}

// LinkResult has a job: a program with its inputs and profile.
type LinkResult struct {
	Job json.RawMessage `json:"job"`
}

// DemoParams choose a part of the demo.
type DemoParams struct {
	// Part is the name of a format, or "vectors oracle"; empty lists the parts.
	Part string `json:"part,omitempty"`
}

// DemoResult has the totals of a part.
type DemoResult struct {
	Parts []string        `json:"parts,omitempty"`
	Total json.RawMessage `json:"total,omitempty"` // as demo --format json prints it
	Wrong int             `json:"wrong"`
}

//go:embed examples
var exampleFiles embed.FS

// examples are the examples with the files from which they are made.
var examples = []struct {
	Example
	file string
}{
	{Example{Name: "example/transform", Title: "A transform",
		Text: [3]string{
			"Four dot products move a vertex into clip space, and a product tints its colour: most programs begin so.",
			"The names position, projection and tint come from the symbol table of the file, and the listing shows them.",
			"Run it, choose position.w of the output, and only one dot product and one row of the matrix stay.",
		},
		Inputs: []Assignment{{"position", "1,2,3"}, {"colour", "1,0.5,0.25"}},
		Uniforms: []Assignment{{"c0", "1.5,0,0,0"}, {"c1", "0,2,0,0"}, {"c2", "0,0,-1.5,-2.5"}, {"c3", "0,0,-1,0"},
			{"c4", "0.5,0.5,0.5"}},
	}, "transform.v.pica"},
	{Example{Name: "example/entry", Title: "A wrong entry point",
		Text: [3]string{
			"A public assembler wrote this file: its field entry holds 29, the position of the entry point's name.",
			"The program has seven words, so rule DVLE007 refuses the file; loaders hand the number to the GPU.",
			"Choose the finding to see the field, the rule with its evidence, and a near miss that is right.",
		},
		Inputs: []Assignment{}, Uniforms: []Assignment{}, Offset: new(0x30),
	}, "entry.shbin"},
	{Example{Name: "example/clamp", Title: "Two emulators differ",
		Text: [3]string{
			"The program takes the logarithm of a distance and clamps it at 0, and the distance is 0.",
			"The logarithm is minus infinity, and MAX of 0 and minus infinity is 0 on consoles; one emulator takes the second " +
				"operand.",
			"The profiles of two emulators stand side by side: they part at the MAX, at the second step.",
		},
		Inputs: []Assignment{{"distance", "0"}}, Uniforms: []Assignment{}, Profile: "azahar-interp", Versus: "panda-interp",
	}, "clamp.v.pica"},
}

func (e *Engine) examples(Empty) (r ExamplesResult, err error) {
	for _, x := range examples {
		r.Examples = append(r.Examples, x.Example)
	}
	return r, nil
}

// exampleFile returns the file of an example.
func exampleFile(name string) (file string, data []byte, err error) {
	for _, x := range examples {
		if x.Name != name {
			continue
		}
		if data, err = exampleFiles.ReadFile("examples/" + x.file); err != nil {
			return "", nil, err
		}
		stem, source := strings.CutSuffix(x.file, ".v.pica")
		if !source {
			return x.file, data, nil
		}
		assembly, err := asm.Assemble([]asm.Source{{Name: x.file, Text: string(data)}}, asm.AssembleOptions{})
		if err != nil {
			return "", nil, err
		}
		f, err := shbin.FromModule(&assembly.Module)
		if err != nil {
			return "", nil, err
		}
		data, err = f.AppendBinary(nil)
		return stem + ".shbin", data, err
	}
	return "", nil, fmt.Errorf("no sample %q", name)
}

const oraclePart = "vectors oracle"

func (e *Engine) demo(p DemoParams) (r DemoResult, err error) {
	if p.Part == "" {
		for f := range registry.All() {
			r.Parts = append(r.Parts, f.Name)
		}
		r.Parts = append(r.Parts, oraclePart)
		return r, nil
	}
	var total any
	if p.Part == oraclePart {
		d, err := expect.JudgePrograms(impl.New(), profile.Names(), profile.Parse)
		if err != nil {
			return r, err
		}
		r.Wrong, total = len(d.Wrong), d
	} else {
		f, ok := registry.ByName(p.Part)
		if !ok {
			return r, fmt.Errorf("no part %q", p.Part)
		}
		d, err := expect.JudgeFiles(f)
		if err != nil {
			return r, err
		}
		r.Wrong, total = len(d.Wrong), d
	}
	r.Total, err = json.Marshal(total)
	return r, err
}
