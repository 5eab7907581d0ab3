package lint

import "github.com/picaproof/picaproof/pica"

// stacks are the console's three rings (T. Karras, 3dbrew).
type stacks struct {
	ifs   ring[ifEntry]
	calls ring[callEntry]
	loops ring[loopEntry]
}

type ifEntry struct{ orElse, end uint16 }

type callEntry struct{ end, back uint16 }

type loopEntry struct {
	body, end uint16
	once      bool // one pass: the count is known to be 0
}

// ring holds entries, the newest last. Slots behind it are zero, so that rings
// of equal entries are equal.
type ring[E comparable] struct {
	entries [pica.IfDepth]E // the deepest of the three
	n       int8
}

// push adds an entry to a ring of a depth; on a full one it drops the oldest
// and reports so.
func (r *ring[E]) push(e E, depth int) (dropped bool) {
	if int(r.n) == depth {
		copy(r.entries[:], r.entries[1:depth])
		r.n--
		dropped = true
	}
	r.entries[r.n] = e
	r.n++
	return dropped
}

// pop removes the newest entry.
func (r *ring[E]) pop() {
	var none E
	r.n--
	r.entries[r.n] = none
}

// all returns the entries, the newest last.
func (r *ring[E]) all() []E { return r.entries[:r.n] }

// top returns the newest entry; the ring must not be empty.
func (r *ring[E]) top() E { return r.entries[r.n-1] }
