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
	// with [Choices.Wrong].
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

// Place is where a finding is expected.
type Place struct {
	Off, Len int
	Path     string
}

// File draws a file that breaks the rule.
func (f Fault) File(c *Choices) ([]byte, Place) { return f.Spoil(c) }

// NearMiss draws a file that nearly breaks the rule. With the same choices it is
// the file of [Fault.File] with the value that breaks the rule replaced by the
// nearest right one, or, if the rule has no such value, without the fault.
func (f Fault) NearMiss(c *Choices) []byte {
	c.miss = new(miss)
	defer func() { c.miss = nil }()
	b, _ := f.Spoil(c)
	if c.miss.decided {
		return b
	}
	return c.miss.valid
}

// miss is what is known of a near miss while it is drawn.
type miss struct {
	valid   []byte // the file without the fault
	decided bool   // a right value took the place of a wrong one
}

// Valid notes the valid file that is about to be spoilt. Only a near miss needs
// its bytes; write must leave what is spoilt as it is.
func (c *Choices) Valid(write func() []byte) {
	if c.miss != nil {
		c.miss.valid = write()
	}
}

// Nearer is Valid for a file that is nearer to the spoilt one than the file that was
// noted before: it has what the fault needs. It is not noted when ok is false.
func (c *Choices) Nearer(write func() (b []byte, ok bool)) {
	if c.miss == nil {
		return
	}
	if b, ok := write(); ok {
		c.miss.valid = b
	}
}

// Wrong draws a value from low to high that breaks a rule. In a near miss it is
// right, the nearest value that does not.
func (c *Choices) Wrong(low, high, right uint64) uint64 {
	return c.Breach(c.Within(low, high), right)
}

// Breach returns a value that breaks a rule, however it was drawn. In a near miss it
// returns right, the nearest value that does not.
func (c *Choices) Breach(wrong, right uint64) uint64 {
	if c.miss != nil {
		c.miss.decided = true
		return right
	}
	return wrong
}

// Inner draws the file of a fault that is to be embedded in another file: what
// is a near miss of the inner one is one of the outer one.
func (c *Choices) Inner(f Fault) []byte {
	outer := c.miss
	if outer == nil {
		b, _ := f.Spoil(c)
		return b
	}
	b := f.NearMiss(c)
	c.miss, outer.decided = outer, len(f.Instead) == 0
	return b
}
