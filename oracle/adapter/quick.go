package adapter

import (
	"github.com/picaproof/picaproof/pica"
)

// quickAnswer reads plain answers of status ok, nearly all answers, without the JSON
// library: ASCII, no escapes, no field twice, no unknown field. It reports false for
// every other line.
func quickAnswer(line []byte, q *request) (a Answer, ok bool) {
	c := cursor{rest: line}
	seen := fieldSet(0)
	c.expect('{')
	for more := true; more && !c.bad; more = c.next('}') {
		switch name := string(c.name()); { // no copy: the string is only compared
		case name == "id" && seen.add(0):
			c.require(c.digits() == q.id)
		case name == "status" && seen.add(1):
			c.require(string(c.text()) == string(StatusOK))
		case name == "log" && seen.add(2):
			a.Log = c.texts()
		case name == "remarks" && seen.add(3):
			a.Remarks = c.texts()
		case name == "out" && seen.add(4):
			a.Outcome, a.Unreported = c.outcome(q)
		default:
			return Answer{}, false
		}
	}
	return a, !c.bad && c.peek() == 0 && len(c.rest) == 0 && seen&0b10011 == 0b10011
}

// fieldSet is the set of the fields of an object.
type fieldSet uint

// add adds a field and reports whether it is new.
func (s *fieldSet) add(n int) bool {
	old := *s
	*s |= 1 << n
	return *s != old
}

// cursor reads JSON. Once it is bad, its results are invalid.
type cursor struct {
	rest []byte
	bad  bool
}

// peek returns the next byte that is no blank, or 0 at the end.
func (c *cursor) peek() byte {
	for len(c.rest) > 0 {
		switch b := c.rest[0]; b {
		case ' ', '\t', '\r', '\n':
			c.rest = c.rest[1:]
		default:
			return b
		}
	}
	return 0
}

// require makes the cursor bad unless a condition is true.
func (c *cursor) require(condition bool) {
	if !condition {
		c.bad = true
	}
}

func (c *cursor) expect(b byte) {
	if c.peek() != b || len(c.rest) == 0 {
		c.bad = true
		return
	}
	c.rest = c.rest[1:]
}

// next reads a comma or the given end, and reports which.
func (c *cursor) next(end byte) bool {
	if c.peek() == ',' {
		c.rest = c.rest[1:]
		return true
	}
	c.expect(end)
	return false
}

// empty reports whether a list is empty; it then reads the end of the list.
func (c *cursor) empty() bool {
	if c.peek() != ']' {
		return false
	}
	c.rest = c.rest[1:]
	return true
}

func (c *cursor) name() []byte {
	s := c.text()
	c.expect(':')
	return s
}

// text returns a string that is plain ASCII.
func (c *cursor) text() []byte {
	c.expect('"')
	for k, b := range c.rest {
		switch {
		case b == '"':
			s := c.rest[:k]
			c.rest = c.rest[k+1:]
			return s
		case b < ' ' || b >= 0x7F || b == '\\':
			c.bad = true
			return nil
		}
	}
	c.bad = true
	return nil
}

func (c *cursor) texts() (list []string) {
	c.expect('[')
	if c.empty() {
		return []string{}
	}
	for more := true; more && !c.bad; more = c.next(']') {
		list = append(list, string(c.text()))
	}
	return list
}

// digits returns a number without sign, fraction and exponent.
func (c *cursor) digits() (n uint64) {
	c.peek()
	k := 0
	for ; k < len(c.rest) && c.rest[k]-'0' <= 9; k++ {
		n = n*10 + uint64(c.rest[k]-'0')
	}
	c.require(k == 1 || k > 1 && k <= 18 && c.rest[0] != '0')
	c.rest = c.rest[k:]
	return n
}

// signed returns a number of 32 bits without fraction and exponent.
func (c *cursor) signed() int32 {
	negative := c.peek() == '-'
	if negative {
		c.rest = c.rest[1:]
		if len(c.rest) == 0 || c.rest[0]-'0' > 9 {
			c.bad = true
		}
	}
	n := int64(c.digits())
	if negative {
		n = -n
	}
	c.require(n == int64(int32(n)))
	return int32(n)
}

// bank reads sixteen registers.
func (c *cursor) bank(bank *[16]pica.Vec4) {
	c.expect('"')
	if c.bad || len(c.rest) <= bankDigits || !decodeBank(bank, c.rest[:bankDigits]) {
		c.bad = true
		return
	}
	c.rest = c.rest[bankDigits:]
	c.require(c.rest[0] == '"')
	c.rest = c.rest[1:]
}

// outcome reads the vertices of an answer, exactly as many as the request has.
func (c *cursor) outcome(q *request) (out pica.Outcome, unreported pica.Registers) {
	out = pica.Outcome{Storage: pica.Float32, Vertices: make([]pica.VertexOutcome, q.vertices)}
	c.expect('[')
	if q.vertices == 0 {
		c.expect(']')
		return out, 0
	}
	for i := range out.Vertices {
		unreported |= c.vertex(&out.Vertices[i], q.stage)
		c.require(c.next(']') == (i+1 < q.vertices))
		if c.bad {
			break
		}
	}
	return out, unreported
}

// vertex reads a VertexReply and returns the registers that it leaves out.
func (c *cursor) vertex(v *pica.VertexOutcome, stage pica.Stage) (unreported pica.Registers) {
	seen := fieldSet(0)
	unreported = temporaries | addresses | flags
	c.expect('{')
	for more := true; more && !c.bad; more = c.next('}') {
		switch name := string(c.name()); {
		case name == "o" && seen.add(0):
			c.bank(&v.O)
		case name == "r" && seen.add(1):
			c.bank(&v.R)
			unreported &^= temporaries
		case name == "a" && seen.add(2):
			unreported &^= addresses
			c.expect('[')
			for k, p := range [3]*int32{&v.Address[0], &v.Address[1], &v.AL} {
				*p = c.signed()
				c.require(c.next(']') == (k < 2))
			}
		case name == "cc" && seen.add(3):
			n := c.digits()
			unreported &^= flags
			c.require(n <= 3)
			v.CC = [2]bool{n&1 != 0, n&2 != 0}
		case name == "prims" && stage == pica.Geometry && seen.add(4):
			v.Primitives = c.primitives()
		default:
			c.bad = true
		}
	}
	c.require(seen&1 != 0)
	return unreported
}

func (c *cursor) primitives() (list []pica.Primitive) {
	c.expect('[')
	if c.empty() {
		return []pica.Primitive{}
	}
	for more := true; more && !c.bad; more = c.next(']') {
		if len(list) == pica.MaxPrimitives {
			c.bad = true
			break
		}
		list = append(list, pica.Primitive{})
		c.primitive(&list[len(list)-1])
	}
	return list
}

func (c *cursor) primitive(p *pica.Primitive) {
	seen := fieldSet(0)
	c.expect('{')
	for more := true; more && !c.bad; more = c.next('}') {
		switch name := string(c.name()); {
		case name == "w" && seen.add(0):
			n := c.digits()
			c.require(n <= 1)
			p.Inverted = n == 1
		case name == "v" && seen.add(1):
			c.expect('[')
			for slot := range p.Vertices {
				c.bank(&p.Vertices[slot])
				c.require(c.next(']') == (slot < 2))
			}
		default:
			c.bad = true
		}
	}
	c.require(seen == 3)
}
