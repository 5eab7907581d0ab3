package gen

// Fault makes files that break one rule, and near misses: similar files that keep the rule. No other code breaks the
// rule; the tests of the format packages and the vectors of the corpus use the fault.
type Fault struct {
	Rule string
	// Spoil draws a file in which Check reports Rule once, at a place, and no other rule. It passes the valid file that
	// it spoils to [Choices.Valid]. It decides between breach and near miss with [Breach], or with one of the functions
	// that call it.
	Spoil func(c *Choices) ([]byte, Place)
	// Also names the rules that break together with this one; a comment gives the reason. It is empty for nearly all
	// faults.
	Also []string
	// Milder says that the finding has the other severity that the rule can have.
	Milder bool
	// MissBreaks names the rules that a near miss may break. Nearly every near miss is a valid file.
	MissBreaks []string
}

// MissBreaking returns a fault whose near misses break other rules now and then.
func MissBreaking(f Fault, rules ...string) Fault {
	f.MissBreaks = rules
	return f
}

// Place is the place of an expected finding.
type Place struct {
	Off, Len int
	Path     string
}

// File draws a file that breaks the rule.
func (f Fault) File(c *Choices) ([]byte, Place) { return f.Spoil(c) }

// NearMiss draws a near miss: with the same choices it is the file of [Fault.File] with the nearest right value instead
// of the wrong one.
func (f Fault) NearMiss(c *Choices) []byte { return f.Miss(c).Bytes }

// Miss is a near miss.
type Miss struct {
	Bytes []byte
	Valid []byte // the file that the fault spoils
	// Only says that Bytes may equal Valid, because no other value is allowed at the place of the fault.
	Only bool

	replaced  bool // the near miss has a right value at the place of the fault
	other     bool // and other right values are possible there
	onlyValid bool // the valid file is the near miss
}

// Miss draws a near miss. It panics if Spoil never decides between breach and near miss.
func (f Fault) Miss(c *Choices) Miss {
	m := new(Miss)
	c.miss = m
	defer func() { c.miss = nil }()
	if m.Bytes, _ = f.Spoil(c); !m.replaced {
		m.Bytes = m.Valid
	}
	if !m.replaced && !m.onlyValid {
		panic("gen: a fault of " + f.Rule + " has no near miss")
	}
	m.Only = !m.other
	return *m
}

// Valid notes the valid file that the fault is about to spoil, for a near miss. write must not change the model.
func (c *Choices) Valid(write func() []byte) {
	if c.miss != nil {
		c.miss.Valid = write()
	}
}

// Breach returns wrong, a value that breaks the rule, or right, the nearest value that keeps it, in a near miss.
func Breach[T any](c *Choices, wrong, right T) T {
	if c.miss != nil {
		c.miss.other = true
	}
	return Only(c, wrong, right)
}

// Near reports whether the file becomes a near miss.
func (c *Choices) Near() bool { return Breach(c, false, true) }

// Wrong draws a value from low to high, all of which break the rule. In a near miss it returns right.
func (c *Choices) Wrong(low, high, right uint64) uint64 { return Breach(c, c.Within(low, high), right) }

// Only is Breach for a field with one right value: a constant, or a value that follows from the rest of the file.
func Only[T any](c *Choices, wrong, right T) T {
	if c.miss == nil {
		return wrong
	}
	c.miss.replaced = true
	return right
}

// OnlyValid makes the valid file the near miss: no right value is nearer to the wrong one.
func (c *Choices) OnlyValid() {
	if c.miss != nil {
		c.miss.onlyValid = true
	}
}

// Nonzero draws a number from 1 to most for a field that must be 0.
func (c *Choices) Nonzero(most uint64) uint64 { return Only(c, c.Within(1, most), 0) }

// Cut ends a file too early.
func (c *Choices) Cut(b []byte, end int) []byte { return b[:Only(c, end, len(b))] }

// Flip draws some bits of a mask for a field in which all of them must be 0.
func (c *Choices) Flip(mask uint64) uint64 { return Only(c, c.Some(mask), 0) }

// Inner draws the file of a fault, to be embedded in another file. Its near misses become near misses of the outer
// file.
func (c *Choices) Inner(f Fault) []byte {
	outer := c.miss
	if outer == nil {
		b, _ := f.Spoil(c)
		return b
	}
	inner := f.Miss(c)
	c.miss, outer.replaced, outer.other = outer, true, !inner.Only
	return inner.Bytes
}
