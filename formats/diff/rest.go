package diff

import (
	"encoding/hex"
	"iter"
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/picaproof/picaproof/formats/shbin"
)

// Rest lists the bytes of a file outside its fields: gaps, unreferenced names,
// content of unknown meaning. Several parts may have one path.
type Rest []part

type part struct {
	path  string
	bytes []byte
}

// add appends a part unless its bytes are all zero.
func (r *Rest) add(path string, b []byte) {
	if strings.Trim(string(b), "\x00") != "" {
		*r = append(*r, part{path, b})
	}
}

func (r *Rest) gaps(list []shbin.Gap) {
	for _, g := range list {
		r.add("layout.gaps", g.Bytes)
	}
}

func restOf(parts iter.Seq2[string, []byte]) Rest {
	var r Rest
	for path, b := range parts {
		r = append(r, part{path, b})
	}
	return r
}

// String formats a text in quotes and other bytes in hex.
func (p *part) String() string {
	b := p.bytes[:min(len(p.bytes), maxShown+1)]
	if utf8.Valid(b) && strings.IndexFunc(string(b), unicode.IsControl) < 0 {
		return strconv.Quote(string(b))
	}
	return hex.EncodeToString(b)
}

// compare reports the parts that differ. Parts with one path are compared in
// their order.
func (r Rest) compare(w *walker, path string, o Rest) {
	type pair struct{ a, b []part }
	pairs := make(map[string]*pair)
	var order []string
	group := func(list Rest, side func(*pair) *[]part) {
		for _, p := range list {
			at, ok := pairs[p.path]
			if !ok {
				at = new(pair)
				pairs[p.path] = at
				order = append(order, p.path)
			}
			*side(at) = append(*side(at), p)
		}
	}
	group(r, func(p *pair) *[]part { return &p.a })
	group(o, func(p *pair) *[]part { return &p.b })
	for _, name := range order {
		p := pairs[name]
		same := func(i, j int) bool { return string(p.a[i].bytes) == string(p.b[j].bytes) }
		first, lastA, lastB := trim(len(p.a), len(p.b), same)
		for k := first; k < max(lastA, lastB); k++ {
			at := join(path, name)
			if max(len(p.a), len(p.b)) > 1 {
				at = index(at, k)
			}
			switch {
			case k >= lastB:
				w.leaf(at, p.a[k].String(), "")
			case k >= lastA:
				w.leaf(at, "", p.b[k].String())
			case !same(k, k):
				w.leaf(at, p.a[k].String(), p.b[k].String())
			}
		}
	}
}

var restType = reflect.TypeFor[Rest]()
