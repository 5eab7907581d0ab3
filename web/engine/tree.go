package engine

import (
	"fmt"
	"strings"
)

// parts is the structure of a file by the paths of its regions.
type parts struct {
	list   []part
	byPath map[string]int
}

// part is a record, a list or a field. Regions may share a path, as those of padding do.
type part struct {
	path     string
	name     string
	first    int // offset of its first byte
	end      int // offset behind its last byte
	regions  int // of its own path
	value    string
	children []int
	counts   Counts
}

// tree returns the structure of a file. It has at most a part for each byte of the paths of the regions.
func (f *file) tree() *parts {
	if f.parts != nil {
		return f.parts
	}
	t := &parts{list: []part{{}}, byPath: map[string]int{"": 0}}
	t.list[0].end = len(f.data)
	for _, r := range f.regions() {
		n := t.find(r.Path, r.Off)
		p := &t.list[n]
		p.regions++
		p.value = r.Value
		for path := r.Path; ; path, _ = split(path) {
			p := &t.list[t.byPath[path]]
			p.first, p.end = min(p.first, r.Off), max(p.end, r.Off+r.Len)
			if path == "" {
				break
			}
		}
	}
	for i := range f.list {
		x := &f.list[i]
		for path := x.Path; ; path, _ = split(path) {
			if n, ok := t.byPath[path]; ok {
				t.list[n].counts.add(x.Severity, 1+x.More)
			}
			if path == "" {
				break
			}
		}
	}
	f.parts = t
	return t
}

// find returns the part with a path. It makes it, and those that contain it, for a region at an offset.
func (t *parts) find(path string, offset int) int {
	if n, ok := t.byPath[path]; ok {
		return n
	}
	record, name := split(path)
	owner := t.find(record, offset)
	n := len(t.list)
	t.list = append(t.list, part{path: path, name: name, first: offset, end: offset})
	t.byPath[path] = n
	t.list[owner].children = append(t.list[owner].children, n)
	return n
}

func (e *Engine) tree(p TreeParams) (r TreeResult, err error) {
	f, err := e.files.get("file", p.File)
	if err != nil {
		return r, err
	}
	t := f.tree()
	n, ok := t.byPath[p.Path]
	if !ok {
		return r, fmt.Errorf("no part %q", p.Path)
	}
	children := t.list[n].children
	r.Nodes, r.Next = take(p.Window, len(children), room, func(i int) TreeNode {
		x := &t.list[children[i]]
		node := TreeNode{Path: x.path, Name: strings.Trim(x.name, "[]"), Value: x.value, Offset: x.first,
			Length: x.end - x.first, Children: len(x.children), Findings: x.counts}
		if x.regions > 1 {
			node.Value = fmt.Sprintf("%d ranges", x.regions)
		}
		return node
	})
	return r, nil
}
