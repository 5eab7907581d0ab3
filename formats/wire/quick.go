package wire

// quickRule is the part of a rule that decides about nearly all records. It is small, so that the rules of a record are
// near each other in memory, and it needs no calls.
type quickRule struct {
	rule        *placedRule
	first, span uint64 // form ranged: values from first to first+span are allowed whatever is around the record
	off, other  uint32 // of the field, and of the second one
	factor      uint32 // form inside: of the second field
	size        uint8  // of the field
	slot        uint8  // forms atMostOuter and belowOuter
	form        quickForm
	guarded     bool // by a range of another field
	guard       quickGuard
}

// quickGuard is the range of a field without which the constraint of a rule allows every value.
type quickGuard struct {
	first, span uint64
	off         uint32
	size        uint8
}

// quickForm is a kind of constraint that a quickRule decides about.
type quickForm uint8

const (
	slow        quickForm = iota // the rule itself decides
	ranged                       // the value is in a range
	characters                   // the value is a text
	inside                       // Inside of a table behind the start of the record
	atMostOuter                  // AtMostOf a number from elsewhere
	belowOuter                   // BelowOf a number from elsewhere
	equalOuter                   // EqualTo a number from elsewhere
	aligned                      // MultipleOf a power of two
	aboveField                   // AboveOf another field of 4 bytes
	atIndex                      // EqualTo the Index
	ascending                    // AtLeastOf the Previous value
)

// quicken computes the quick parts of the rules.
func (r *Ruled) quicken() {
	r.all, r.grave = nil, nil
	for _, p := range r.rules {
		if p.apart {
			continue
		}
		q := p.quick()
		if r.all = append(r.all, q); !p.minor {
			r.grave = append(r.grave, q)
		}
	}
}

// quick returns the quick part of a rule.
func (p *placedRule) quick() quickRule {
	q := quickRule{rule: p, off: uint32(p.off), size: uint8(p.size)}
	first, last, ok := p.span(nil)
	switch {
	case p.text:
		q.form, q.first = characters, first
	case ok && p.Limit.source == constant:
		q.form, q.first, q.span = ranged, first, last-first
	case p.Limit.source == fromOuter && len(p.Plus) == 0 && p.Relation == NotAbove:
		q.form, q.slot = atMostOuter, uint8(p.Limit.outer.Slot)
	case p.Limit.source == fromOuter && len(p.Plus) == 0 && p.Relation == Less:
		q.form, q.slot = belowOuter, uint8(p.Limit.outer.Slot)
	case p.Limit == Room(0, 1) && p.Relation == NotAbove && p.size == 4 && len(p.Plus) == 2 &&
		p.Plus[0].source == fromStart && p.Plus[1].source == fromField && p.Plus[1].size == 4:
		q.form, q.other, q.factor = inside, uint32(p.Plus[1].off), uint32(p.Plus[1].n)
	case p.Limit.source == fromOuter && len(p.Plus) == 0 && p.Relation == Equal:
		q.form, q.slot = equalOuter, uint8(p.Limit.outer.Slot)
	case p.Relation == Multiple && p.Limit.n&(p.Limit.n-1) == 0 && len(p.Plus) == 0:
		q.form, q.span = aligned, p.Limit.n-1
	case p.Relation == Greater && p.Limit.source == fromField && p.Limit.size == 4 && p.Limit.n == 1 && len(p.Plus) == 0:
		q.form, q.other = aboveField, uint32(p.Limit.off)
	case p.Limit.source == fromIndex && p.Relation == Equal && len(p.Plus) == 0:
		q.form = atIndex
	case p.Limit.source == fromPrevious && p.Relation == NotBelow && len(p.Plus) == 0:
		q.form = ascending
	}
	for i := range p.Guards {
		g := &p.Guards[i]
		if g.Of.source != fromField || !g.Static() || g.Relation > Equal {
			continue
		}
		if first, last, ok := (&placedRule{fieldRule: fieldRule{Constraint: g.Constraint}}).span(nil); ok {
			q.guarded, q.guard = true, quickGuard{first, last - first, uint32(g.Of.off), uint8(g.Of.size)}
			break
		}
	}
	return q
}

// kept reports whether the record at x surely keeps the rule.
func (q *quickRule) kept(x *Around) bool {
	n := load(x, q.off, q.size)
	switch q.form {
	case ranged:
		if n-q.first <= q.span {
			return true
		}
	case characters:
		if n == q.first && !x.Big {
			return true
		}
	case inside:
		if n+x.Base+uint64(q.factor)*load(x, q.other, 4) <= uint64(len(x.B)) {
			return true
		}
	case atMostOuter:
		if n <= x.Outer[q.slot] {
			return true
		}
	case belowOuter:
		if n < x.Outer[q.slot] {
			return true
		}
	case equalOuter:
		if n == x.Outer[q.slot] {
			return true
		}
	case aligned:
		if n&q.span == 0 {
			return true
		}
	case aboveField:
		if n > load(x, q.other, 4) {
			return true
		}
	case atIndex:
		if n == x.Index {
			return true
		}
	case ascending:
		if x.Index == 0 || n >= x.Uint(x.Base+uint64(q.off)-q.rule.stride, int(q.size)) {
			return true
		}
	}
	if q.guarded && load(x, q.guard.off, q.guard.size)-q.guard.first > q.guard.span {
		return true
	}
	return q.rule.kept(x)
}

// load returns the integer of 1, 2, 4 or 8 bytes at an offset of the record; 0 if it is outside the view.
func load(x *Around, off uint32, size uint8) uint64 {
	at := x.Base + uint64(off)
	if at+uint64(size) > uint64(len(x.B)) {
		return 0
	}
	switch b := x.B[at:]; size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(u16(b, x.Big))
	case 4:
		return uint64(u32(b, x.Big))
	}
	return x.Uint(at, int(size))
}
