package main

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/corpus/samples"
)

// corruption is a file that differs from a sample of programs by one fault.
type corruption struct {
	Base  string
	Patch []struct {
		At       int
		Hex      string
		Truncate *int
		Append   string
	}
	Expect []struct {
		Rule   string
		Offset int
	}
}

// missing is how the vectors learn of a sample that is missing.
type missing struct{ err error }

func (*missing) Helper() {}

func (m *missing) Fatalf(format string, args ...any) { m.err = fmt.Errorf(format, args...) }

// programFaults makes the vectors of the rules about programs in files. A trigger is the first corruption of a sample
// that breaks the rule, a near miss the sample.
func programFaults(c *expect.Catalogue) (vectors, error) {
	var all []corruption
	var t missing
	if err := errors.Join(json.Unmarshal(samples.Read(&t, "latte/mutations.json"), &all), t.err); err != nil {
		return nil, err
	}
	list := vectors{}
	for _, r := range c.Rules {
		i := slices.IndexFunc(all, func(m corruption) bool { return m.Expect[0].Rule == r.ID })
		if i < 0 {
			return nil, fmt.Errorf("no corruption of a sample breaks %s", r.ID)
		}
		m := &all[i]
		base := samples.Read(&t, "latte/"+m.Base)
		data, err := m.apply(slices.Clone(base))
		err = errors.Join(err, t.err, list.pair(c, r, corpus.Vector{Offset: m.Expect[0].Offset, Data: data}, base,
			"the file without the fault"))
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// apply makes the changes of a corruption.
func (m *corruption) apply(b []byte) ([]byte, error) {
	for _, p := range m.Patch {
		if p.Truncate != nil {
			b = b[:*p.Truncate]
		}
		with, err := hex.DecodeString(p.Hex)
		if err != nil {
			return nil, err
		}
		more, err := hex.DecodeString(p.Append)
		if err != nil {
			return nil, err
		}
		copy(b[p.At:], with)
		b = append(b, more...)
	}
	return b, nil
}
