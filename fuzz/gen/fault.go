package gen

// Fault makes files that break one rule, and near misses: files that differ
// little from these and keep the rule. It is the only place that says how a rule
// is broken and what is then reported; the tests of the format packages and the
// vectors of the corpus follow from it.
type Fault struct {
	Rule string
	// Spoil draws a file in which Check reports Rule once, at a place, and
	// nothing else. It tells the choices the valid file that it spoils
	// ([Choices.Valid]), and draws what decides between breach and near miss
	// with [Breach] or one of the calls that are made of it.
	Spoil func(c *Choices) ([]byte, Place)
	// Also names the rules that cannot stay silent when this one is broken, with
	// the reason in a comment; it is empty for nearly all.
	Also []string
	// Milder says that the finding has not the rule's severity but the other one
	// that the rule can have.
	Milder bool
	// Instead names the rules that a near miss breaks: nearly every near miss
	// is a valid file.
	Instead []string
}

// OrElse returns a fault whose near misses break other rules now and then.
func OrElse(f Fault, instead ...string) Fault {
	f.Instead = instead
	return f
}

// Place is where a finding is expected.
type Place struct {
	Off, Len int
	Path     string
}

// File draws a file that breaks the rule.
func (f Fault) File(c *Choices) ([]byte, Place) { return f.Spoil(c) }

// NearMiss draws a file that nearly breaks the rule: with the same choices it is
// the file of [Fault.File] with the nearest right value in the place of the wrong one.
func (f Fault) NearMiss(c *Choices) []byte { return f.Miss(c).Bytes }

// Miss is a near miss.
type Miss struct {
	Bytes []byte
	Valid []byte // the file that the fault spoils
	// Only says that Bytes may be that file, because nothing else is allowed in the
	// place of what is wrong.
	Only bool

	replaced bool // something right took the place of what is wrong
	other    bool // and is not the only thing allowed there
	whole    bool // the valid file is the near miss
}

// Miss draws a near miss. It panics for a fault that calls nothing that decides
// between breach and near miss.
func (f Fault) Miss(c *Choices) Miss {
	m := new(Miss)
	c.miss = m
	defer func() { c.miss = nil }()
	if m.Bytes, _ = f.Spoil(c); !m.replaced {
		m.Bytes = m.Valid
	}
	if !m.replaced && !m.whole {
		panic("gen: a fault of " + f.Rule + " has no near miss")
	}
	m.Only = !m.other
	return *m
}

// Valid notes the valid file that is about to be spoilt. Only a near miss needs
// its bytes; write must leave what is spoilt as it is.
func (c *Choices) Valid(write func() []byte) {
	if c.miss != nil {
		c.miss.Valid = write()
	}
}

// Breach returns what breaks a rule. In a near miss it returns the right that is
// nearest to it.
func Breach[T any](c *Choices, wrong, right T) T {
	if c.miss != nil {
		c.miss.other = true
	}
	return Only(c, wrong, right)
}

// Near reports whether what follows is to be right, as in a near miss.
func (c *Choices) Near() bool { return Breach(c, false, true) }

// Wrong draws a value from low to high that breaks a rule. In a near miss it is
// right, the nearest value that does not.
func (c *Choices) Wrong(low, high, right uint64) uint64 { return Breach(c, c.Within(low, high), right) }

// Only is Breach where nothing but right is allowed: a constant, or what follows from
// the rest of the file.
func Only[T any](c *Choices, wrong, right T) T {
	if c.miss == nil {
		return wrong
	}
	c.miss.replaced = true
	return right
}

// OnlyValid says that the valid file is the near miss: no right part is nearer to the
// wrong one.
func (c *Choices) OnlyValid() {
	if c.miss != nil {
		c.miss.whole = true
	}
}

// Nonzero draws what must be 0: a number up to most.
func (c *Choices) Nonzero(most uint64) uint64 { return Only(c, c.Within(1, most), 0) }

// Cut ends a file too early.
func (c *Choices) Cut(b []byte, end int) []byte { return b[:Only(c, end, len(b))] }

// Flip draws bits of a mask of which none may be different.
func (c *Choices) Flip(mask uint64) uint64 { return Only(c, c.Some(mask), 0) }

// Inner draws the file of a fault that is to be embedded in another file: what
// is a near miss of the inner one is one of the outer one.
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
