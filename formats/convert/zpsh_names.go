package convert

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/formats/wire"
)

// makeUnique invents missing names and changes repeated ones: readers of a ZPSH take
// the first entry with a name.
func makeUnique(names []string, r *Report) {
	taken := make(map[string]bool, len(names))
	repeated := make([]bool, len(names))
	for i, name := range names {
		repeated[i] = taken[name]
		taken[name] = name != ""
	}
	free := func(stem string, n int) (string, int) {
		name := stem
		for ; taken[name]; n++ {
			name = stem + strconv.Itoa(n+1)
		}
		taken[name] = true
		return name, n
	}
	next := make(map[string]int)
	for i, name := range names {
		switch {
		case name == "":
			names[i], next["main"] = free("main", max(next["main"], 1))
			r.invented(item("entries", i, "name"), quote(names[i]),
				"no label names the entry point, and a ZPSH finds entries by name")
		case repeated[i]:
			names[i], next[name] = free(name, max(next[name], 1))
			r.changed(item("dvle", i, "labels"), quote(name), quote(names[i]),
				"an earlier entry point has the name, and a ZPSH finds entries by name")
		}
	}
}

// defaultLabel returns the label for the name of an entry that starts at this word.
func defaultLabel(word uint32) shbin.Label {
	return shbin.Label{Flags: 1, Word: word, Length: shbin.NoLength}
}

// labels names the entry by the last label at its first word. Earlier labels at that
// word may mark the end of the preceding procedure.
func (e *entryToZPSH) labels() {
	table := e.dvle.Labels
	naming := -1
	for k, l := range table {
		if l.Word == e.dvle.Entry {
			naming = k
		}
	}
	for k, l := range table {
		b, _ := wire.NameAt(e.dvle.Symbols, uint64(l.Name))
		plain := defaultLabel(l.Word)
		plain.Name = l.Name
		switch {
		case k != naming:
			e.dropped(e.at("labels", k, ""), showLabel(b, l), "ZPSH names entries only")
			continue
		case k > 0 || l != plain:
			e.dropped(e.at("labels", k, ""), showLabel(b, l), "ZPSH keeps the name only")
		}
		if e.name = strings.ToValidUTF8(string(b), "\uFFFD"); e.name != string(b) {
			e.changed(e.at("labels", k, "name"), quote(b), quote(e.name), "names in a ZPSH are UTF-8")
		}
	}
}

func showLabel(name []byte, l shbin.Label) string {
	length := "no length"
	if l.Length != shbin.NoLength {
		length = fmt.Sprintf("length %d", l.Length)
	}
	return fmt.Sprintf("%s at word %d, id %d, flags %d, %s", quote(name), l.Word, l.ID, l.Flags, length)
}

// uniforms reports the names of registers as lost.
func (e *entryToZPSH) uniforms() {
	for k, u := range e.dvle.Uniforms {
		name, _ := wire.NameAt(e.dvle.Symbols, uint64(u.Name))
		registers := u.First.String()
		if u.Last != u.First {
			registers += "-" + u.Last.String()
		}
		e.dropped(e.at("uniforms", k, ""), quote(name)+" "+registers, "ZPSH names entries only")
	}
	references := tableReferences(&shbin.Tables{Labels: slices.Clone(e.dvle.Labels),
		Uniforms: slices.Clone(e.dvle.Uniforms)})
	if n := len(e.dvle.Symbols) - len(referenced(e.dvle.Symbols, references)); n > 0 {
		e.dropped(e.path("symbols"), count(n, "byte"), "no name uses them")
	}
}

// tableReferences returns the name offsets of labels and uniforms.
func tableReferences(t *shbin.Tables) []*uint32 {
	var list []*uint32
	for i := range t.Labels {
		list = append(list, &t.Labels[i].Name)
	}
	for i := range t.Uniforms {
		list = append(list, &t.Uniforms[i].Name)
	}
	return list
}
