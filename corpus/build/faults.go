package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// rules adds a trigger and a near miss of every rule of the format. The rule's fault makes both
// without any choices, so that they are nearly minimal and the same in every build. The fault
// also gives the expectation.
func (k *kit) rules() {
	from, ok := files.ByName(k.format.Name)
	if !ok {
		k.fail("%s has no generator", k.format.Name)
		return
	}
	for _, r := range k.format.Rules {
		if r.Retired {
			continue
		}
		f, ok := clearest(from.Faults(), r.ID)
		if !ok {
			k.fail("no fault breaks %s", r.ID)
			continue
		}
		k.trigger(f, r)
	}
}

// clearest returns the fault of a rule that breaks the fewest other rules; of several, the
// first.
func clearest(faults []gen.Fault, rule string) (f gen.Fault, ok bool) {
	for _, other := range faults {
		if other.Rule == rule && (!ok || len(other.Also) < len(f.Also)) {
			f, ok = other, true
		}
	}
	return f, ok
}

// none is an empty stream of choices.
func none() *gen.Choices { return gen.From(gen.NewBytes(nil)) }

// trigger adds the two vectors of a fault.
func (k *kit) trigger(f gen.Fault, r diag.Rule) {
	b, at := f.File(none())
	x := f.Expect(k.format.Rules, at)
	k.add(corpus.Vector{
		Name: r.ID + "-trigger", Expect: k.outcome(x), Rule: r.ID, Offset: at.Off,
		Length: at.Len, Severity: x.Severity.String(), Path: at.Path, Also: f.Also,
		Comment: r.Title, Data: b,
	})
	if key, text := x.Differs(k.format.Check(b)); key != "" {
		k.fail("%s: %s", r.ID, text)
	}
	near := f.NearMiss(none())
	k.add(corpus.Vector{
		Name: r.ID + "-near-miss", Expect: corpus.OK, Rule: r.ID, NearMiss: true,
		Offset:  min(at.Off, len(near)), // a file without the fault may end before its offset
		Comment: changed(b, near), Data: near,
	})
}

// outcome returns the outcome of a parser for a file that breaks a rule, and perhaps others.
func (k *kit) outcome(x gen.Expected) corpus.Outcome {
	kind := error(nil)
	for _, r := range k.format.Rules {
		besides := r.Severity == diag.Error && len(r.Also) == 0 && slices.Contains(x.Also, r.ID)
		if r.ID == x.Rule && x.Severity == diag.Error || besides {
			kind = errors.Join(kind, r.Kind, diag.ErrMalformed)
		}
	}
	switch {
	case kind == nil:
		return corpus.Finding
	case errors.Is(kind, diag.ErrLimit):
		return corpus.Limit
	case errors.Is(kind, diag.ErrUnsupported):
		return corpus.Unsupported
	}
	return corpus.Malformed
}

// changed describes the difference between a near miss and the file that breaks the rule.
func changed(wrong, right []byte) string {
	const few = 16
	if len(wrong) != len(right) {
		return fmt.Sprintf("%d bytes instead of %d", len(right), len(wrong))
	}
	first := 0
	for first < len(wrong) && wrong[first] == right[first] {
		first++
	}
	end := len(wrong)
	for end > first && wrong[end-1] == right[end-1] {
		end--
	}
	if end-first > few {
		return fmt.Sprintf("%d other bytes at %#04x", end-first, first)
	}
	return fmt.Sprintf("% x instead of % x at %#04x", right[first:end], wrong[first:end], first)
}
