package registry

import "github.com/picaproof/picaproof/formats/dvoj"

var dvojFormat = Format{
	Name:       "dvoj",
	Title:      "DVOJ shader object",
	Magics:     []string{"DVOJ", "DVOB"},
	Extensions: []string{".vobj", ".gobj"},
	Rules:      dvoj.Rules,
	Leniencies: []Leniency{
		{Option(dvoj.AllowDVOB), `the magic "DVOB", which stands in GBATEK's prose`},
		{Option(dvoj.TypeFlags), "further bits in the type byte of an object, which 3dbrew thinks possible"},
	},
	Parse:   parser(dvoj.Parse),
	Check:   checker(dvoj.Check),
	Outline: outliner(dvoj.Outline),
}
