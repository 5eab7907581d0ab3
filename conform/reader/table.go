package reader

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// ErrTable reports a name that no table of the formats has.
var ErrTable = errors.New("no such table")

// Tables returns the names of the tables of formats that a reader may leave out, sorted: the parts
// of a file that an offset leads to.
func Tables(formats ...string) (names []string) {
	for _, format := range formats {
		if from, ok := files.ByName(format); ok {
			names = append(names, tablesOf(from).names...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// tables are the tables of a format, as the regions of valid files show them.
type tables struct {
	names []string
	// byPath has the name of the table of a path without numbers: "dvle[].labels" is labels.
	byPath map[string]string
	into   []reference
}

// reference is a field with the offset of a name in another table.
type reference struct {
	record, field, table string
	off, size            int // of the field in the record
}

// leads are the names of the fields that lead to a table; extents tell how long it is.
var leads, extents = []string{"offset", "pointer"}, []string{"offset", "pointer", "count", "size"}

var knownTables sync.Map // by name of the format

// tablesOf returns the tables of a format.
func tablesOf(from gen.Format) *tables {
	if t, ok := knownTables.Load(from.Name); ok {
		return t.(*tables)
	}
	format, _ := registry.ByName(from.Name)
	t := &tables{byPath: map[string]string{}}
	var outlines [][]diag.Region
	for k := range uint64(maxBases) {
		outlines = append(outlines, format.Outline(from.File(gen.From(gen.Seed(1, k)))).Regions)
	}
	var paths []string
	seen := map[string]bool{}
	for _, r := range slices.Concat(outlines...) {
		if path := generic(r.Path); !seen[path] {
			seen[path] = true
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		table, field := cutLast(path)
		if !slices.Contains(leads, field) || strings.HasSuffix(table, "]") {
			continue
		}
		t.add(table, paths)
	}
	for _, regions := range outlines {
		t.refer(regions)
	}
	known, _ := knownTables.LoadOrStore(from.Name, t)
	return known.(*tables)
}

// add adds a table with its content, which is below the path of the fields that lead to it, or
// has a path of its own: the labels of "header.labels.offset" are "labels[]".
func (t *tables) add(table string, paths []string) {
	_, name := cutLast(table)
	is := func(path, of string) bool {
		rest, ok := strings.CutPrefix(path, of)
		return ok && (rest == "" || rest[0] == '[' || rest[0] == '.' && !slices.Contains(extents, rest[1:]))
	}
	own := slices.ContainsFunc(paths, func(p string) bool { return is(p, table) })
	apart := !own && slices.ContainsFunc(paths, func(p string) bool { return is(p, name) })
	if !own && !apart {
		return
	}
	if t.byPath[table] = name; apart {
		t.byPath[name] = name
	}
	if !slices.Contains(t.names, name) {
		t.names = append(t.names, name)
	}
}

// refer notes the fields of a file that refer to a name: the region at their value, counted from
// the first byte of a table, shows the same text.
func (t *tables) refer(regions []diag.Region) {
	starts, records := map[string]int{}, map[string]int{} // of tables and of records
	texts := map[string][]diag.Region{}                   // the items of tables, by their texts
	table := func(r diag.Region) string {                 // whose item the region is
		path := strings.TrimRight(r.Path, "0123456789[]")
		if path == r.Path || t.byPath[generic(path)] == "" {
			return ""
		}
		return path
	}
	for _, r := range regions {
		if path := table(r); path != "" {
			note(starts, path, r.Off)
			texts[r.Value] = append(texts[r.Value], r)
		}
		record, _ := cutLast(r.Path)
		note(records, record, r.Off)
	}
	for _, r := range regions {
		number, text, ok := strings.Cut(r.Value, " ")
		v, err := strconv.ParseUint(number, 0, 32)
		if !ok || err != nil || text == `""` { // many tables have an empty name at offset 0
			continue
		}
		record, field := cutLast(r.Path)
		for _, to := range texts[text] {
			path := table(to)
			if to.Off != starts[path]+int(v) {
				continue
			}
			x := reference{generic(record), field, t.byPath[generic(path)], r.Off - records[record], r.Len}
			if !slices.Contains(t.into, x) {
				t.into = append(t.into, x)
			}
		}
	}
}

// note keeps the first value of a key.
func note(of map[string]int, key string, value int) {
	if _, known := of[key]; !known {
		of[key] = value
	}
}

// cutLast cuts a path before its last name.
func cutLast(path string) (before, last string) {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)], path[i+1:]
}

// around returns the names of the tables that a path is in, the innermost first; a field with the
// name of a table leads to it.
func (t *tables) around(path string) (names []string) {
	path = generic(path)
	if _, field := cutLast(path); t.byPath[field] != "" {
		names = append(names, t.byPath[field])
	}
	for ; path != ""; path, _ = cutLast(path) {
		if name := t.byPath[strings.TrimSuffix(path, "[]")]; name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// about returns the tables that a reader must read to notice a finding: those that have the field
// or record, and the one that the field refers to. If a finding is about a record, the value that it
// shows tells the field.
func (t *tables) about(data []byte, f *diag.Finding) (names []string) {
	names = t.around(f.Path)
	at := generic(f.Path)
	for _, x := range t.into {
		is := at == x.record+"."+x.field || at == x.record && f.Off+x.off+x.size <= len(data) &&
			holds(data[f.Off+x.off:f.Off+x.off+x.size], f.Found)
		if is && !slices.Contains(names, x.table) {
			names = append(names, x.table)
		}
	}
	return names
}

// holds reports whether bytes are the integer that a text begins with, in either order.
func holds(b []byte, text string) bool {
	text, _, _ = strings.Cut(text, " ")
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		return false
	}
	want := make([]byte, len(b))
	return slices.ContainsFunc([]binary.ByteOrder{binary.LittleEndian, binary.BigEndian},
		func(order binary.ByteOrder) bool {
			put(want, n, order)
			return bytes.Equal(b, want)
		})
}

// breach is a finding for which a file must be refused.
type breach struct {
	rule   string
	tables []string // that a reader must read to notice it
}

// standards are the requirements for the readers of a format.
type standards struct {
	format registry.Format
	rules  diag.RuleSet
	tables *tables
	// unread are the tables that the reader does not read: breaches about them say nothing.
	unread map[string]bool
}

func newStandards(from gen.Format) *standards {
	format, _ := registry.ByName(from.Name)
	return &standards{format: format, rules: diag.NewRuleSet(format.Rules), tables: tablesOf(from),
		unread: map[string]bool{}}
}

// breaches returns those findings of a file for which it must be refused, one for each rule and
// table. besides are the others for which a reader may refuse it.
func (s *standards) breaches(data []byte, findings []diag.Finding) (list, besides []breach) {
	seen := map[string]bool{}
	for _, f := range findings {
		rule := s.rules[f.Rule]
		if rule == nil || f.Severity == diag.Info {
			continue
		}
		b := breach{f.Rule, s.tables.about(data, &f)}
		key := fmt.Sprint(b)
		switch {
		case seen[key]:
		case rule.Readers(f.Severity) == diag.MustRefuse:
			list = append(list, b)
		default:
			besides = append(besides, b)
		}
		seen[key] = true
	}
	return list, besides
}

// class returns what the reader has to do with a file, and the rule for which it must refuse it.
func (s *standards) class(data []byte) (class diag.ReaderClass, because string) {
	findings := s.format.Check(data)
	class, because = files.ClassIn(s.format, findings)
	if class == diag.MustRefuse && len(s.unread) > 0 {
		list, _ := s.breaches(data, findings)
		return s.judged(list)
	}
	return class, because
}

// judged returns the class of a file with breaches: only those count that the reader could notice.
func (s *standards) judged(list []breach) (class diag.ReaderClass, because string) {
	for _, b := range list {
		if !slices.ContainsFunc(b.tables, func(name string) bool { return s.unread[name] }) {
			return diag.MustRefuse, b.rule
		}
	}
	return diag.Either, ""
}

// notRead returns the tables that the reader does not read: some damage that any reader of the
// table notices was accepted, all of it was, and nothing else happened. Only files whose control was
// accepted say something, and a refusal only if all that is wrong with the file is in the table. A
// table of which the reader notices some damage is read: what it accepts is a failure.
func (s *standards) notRead(all []shownCase) (names []string) {
	accepted := acceptedFiles(all)
	ignored, noticed := map[string]int{}, map[string]bool{}
	for i := range all {
		c := &all[i]
		if len(c.breaches) == 0 {
			continue
		}
		for _, name := range s.tables.names {
			in := func(b breach) bool { return slices.Contains(b.tables, name) }
			out := func(b breach) bool { return !in(b) }
			switch {
			case c.Outcome == Crashed || c.Outcome == Hung:
				noticed[name] = noticed[name] || slices.ContainsFunc(c.breaches, in)
			case c.control == nil || !accepted[string(c.control)] || slices.ContainsFunc(c.breaches, out):
			case c.Outcome == Accepted:
				ignored[name]++
			case !slices.ContainsFunc(c.besides, out):
				noticed[name] = true
			}
		}
	}
	for _, name := range s.tables.names {
		if ignored[name] >= leastIgnored && !noticed[name] {
			names = append(names, name)
		}
	}
	return names
}

// leastIgnored is the number of damaged files that a reader must accept before a table counts as
// not read.
const leastIgnored = 3

// acceptedFiles returns the files that the reader accepted.
func acceptedFiles(all []shownCase) map[string]bool {
	accepted := map[string]bool{}
	for i := range all {
		if all[i].Outcome == Accepted {
			accepted[string(all[i].Data)] = true
		}
	}
	return accepted
}
