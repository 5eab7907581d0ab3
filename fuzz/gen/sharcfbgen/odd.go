package sharcfbgen

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// oddity changes an archive so that one rule warns about it, and returns where.
type oddity struct {
	rule   string
	change func(d *drawing) where
	also   []string
}

// where returns the place of a finding in the written archive.
type where func(k *kit) gen.Place

func at(format string, args ...any) where {
	return func(k *kit) gen.Place { return k.Place(fmt.Sprintf(format, args...)) }
}

// elementAt is the place of a list or record.
func elementAt(format string, args ...any) where {
	return func(k *kit) gen.Place { return k.elementPlace(fmt.Sprintf(format, args...)) }
}

// oddities has the rules of severity Warning and Info.
var oddities = slices.Concat(archiveOddities, symbolOddities, shaderOddities, recordOddities, layoutOddities)

// fault is the oddity as the only fault of an archive.
func (o oddity) fault() gen.Fault {
	f := breach{o.rule, func(k *kit) gen.Place { return o.change(k.drawing)(k) }, o.also}.fault()
	f.Milder = diag.NewRuleSet(sharcfb.Rules)[o.rule].Severity == diag.Error
	return f
}
