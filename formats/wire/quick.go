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
}

// quickForm is a kind of constraint that a quickRule decides about.
type quickForm uint8

const (
	slow        quickForm = iota // the rule itself decides
	ranged                       // the value is in a range
	inside                       // Inside of a table behind the start of the record
	atMostOuter                  // AtMostOf a number from elsewhere
	belowOuter                   // BelowOf a number from elsewhere
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
	case ok && p.Limit.source == constant:
		q.form, q.first, q.span = ranged, first, last-first
	case p.Limit.source == fromOuter && len(p.Plus) == 0 && p.Relation == NotAbove:
		q.form, q.slot = atMostOuter, uint8(p.Limit.outer.Slot)
	case p.Limit.source == fromOuter && len(p.Plus) == 0 && p.Relation == Less:
		q.form, q.slot = belowOuter, uint8(p.Limit.outer.Slot)
	case p.Limit == Room(0, 1) && p.Relation == NotAbove && p.size == 4 && len(p.Plus) == 2 &&
		p.Plus[0].source == fromStart && p.Plus[1].source == fromField && p.Plus[1].size == 4:
		q.form, q.other, q.factor = inside, uint32(p.Plus[1].off), uint32(p.Plus[1].n)
	}
	return q
}

// kept reports whether the record at x surely keeps the rule.
func (q *quickRule) kept(x *Around) bool {
	at := x.Base + uint64(q.off)
	if q.form == slow || at+uint64(q.size) > uint64(len(x.B)) {
		return q.rule.kept(x)
	}
	var n uint64
	switch q.size {
	case 1:
		n = uint64(x.B[at])
	case 2:
		n = uint64(u16(x.B[at:], x.Big))
	case 4:
		n = uint64(u32(x.B[at:], x.Big))
	default:
		n = x.Uint(at, int(q.size))
	}
	switch q.form {
	case ranged:
		if n-q.first <= q.span {
			return true
		}
	case inside:
		if n+x.Base+uint64(q.factor)*uint64(x.U32(x.Base+uint64(q.other))) <= uint64(len(x.B)) {
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
	}
	return q.rule.kept(x)
}
