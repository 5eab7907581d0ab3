package sharcfbgen

import "github.com/picaproof/picaproof/fuzz/gen"

// Faults has the oddities and the ways to break a rule of severity Error.
var Faults = allFaults()

func allFaults() (list []gen.Fault) {
	for _, o := range oddities {
		list = append(list, o.fault())
	}
	return list
}
