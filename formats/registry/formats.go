package registry

import (
	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/shbin"
)

// formats is the table of all formats, by name.
var formats = []Format{
	bnshFormat,
	cgfxFormat,
	csdrFormat,
	dvojFormat,
	{
		Name:       "gsh",
		Title:      "GFD container of GX2 shaders",
		Magics:     []string{"Gfx2"},
		Extensions: []string{".gsh"},
		Rules:      gsh.Rules,
		Leniencies: []Leniency{{Option(gsh.Fragment),
			"a header without its program, or a program without its header, as where two files hold them"}},
		Parse:   parser(gsh.Parse),
		Check:   checker(gsh.Check),
		Outline: outliner(gsh.Outline),
		Length:  gsh.Length,
	},
	sharcfbFormat,
	{
		Name:       "shbin",
		Title:      "DVLB/DVLP/DVLE shader binary",
		Magics:     []string{"DVLB"},
		Extensions: []string{".shbin"},
		Rules:      shbin.Rules,
		Leniencies: []Leniency{{Option(shbin.EmulatorDump),
			"up to 4096 operand descriptors, as in the shader dumps of Azahar"}},
		Parse:   parser(shbin.Parse),
		Check:   checker(shbin.Check),
		Outline: outliner(shbin.Outline),
		Length:  shbin.Length,
	},
	zpshFormat,
}
