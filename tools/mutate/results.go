package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// A result is what the repository keeps of the mutants of one package.
type result struct {
	score       []string // the cells of its line; nil before all drawn mutants have an outcome
	equivalents []entry
}

// results are those of all packages, as one text file:
//
//	package  killed  equivalent  interval  date        commit
//	oracle   287/287 13          98.7-100% 2026-01-02  0123456789ab
//
//	oracle → file → unit → operator → ordinal → hash of the unit
//	→ the line before => the line after
//	→ why no test can tell
//
// where an arrow is a tab. Lines that begin with # are comments.
type results map[string]*result

// readResults reads the file; one that does not exist has no results.
func readResults(path string) (results, error) {
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	all := results{}
	var last *entry // which still needs its change or its reason
	for n, line := range strings.Split(string(text), "\n") {
		wrong := fmt.Errorf("%s:%d: %q is no line of results", path, n+1, line)
		cells := strings.Split(line, "\t")
		switch {
		case line == "" || line[0] == '#':
		case cells[0] == "":
			switch {
			case last == nil || len(cells) != 2 || last.Reason != "":
				return nil, wrong
			case last.Change == "":
				last.Change = cells[1]
			default:
				last.Reason = cells[1]
			}
		case len(cells) > 1:
			if len(cells) != 6 {
				return nil, wrong
			}
			ordinal, err := strconv.Atoi(cells[4])
			if err != nil {
				return nil, wrong
			}
			r := all.of(cells[0])
			r.equivalents = append(r.equivalents, entry{Outcome: equivalent, identity: identity{
				File: cells[1], Unit: cells[2], Operator: cells[3], Ordinal: ordinal, Hash: cells[5]}})
			last = &r.equivalents[len(r.equivalents)-1]
		default:
			if cells = strings.Fields(line); len(cells) != len(scoreCells) {
				return nil, wrong
			}
			all.of(cells[0]).score = cells
		}
	}
	return all, nil
}

// scoreCells are the columns of scores.
var scoreCells = []string{"package", "killed", "equivalent", "interval", "date", "commit"}

// of returns the result of a package.
func (all results) of(pkg string) *result {
	if all[pkg] == nil {
		all[pkg] = &result{}
	}
	return all[pkg]
}

// text returns the file, sorted.
func (all results) text() []byte {
	var b bytes.Buffer
	b.WriteString("# Scores and equivalents of the mutants. docs/mutation.md says how to read and to write them.\n\n")
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "# "+strings.Join(scoreCells, "\t"))
	packages := slices.Sorted(maps.Keys(all))
	for _, pkg := range packages {
		if score := all[pkg].score; score != nil {
			fmt.Fprintln(table, strings.Join(score, "\t"))
		}
	}
	table.Flush()
	for _, pkg := range packages {
		list := slices.SortedFunc(slices.Values(all[pkg].equivalents),
			func(a, b entry) int { return a.compare(b.identity) })
		for _, e := range list {
			fmt.Fprintf(&b, "\n%s\t%s\t%s\t%s\t%d\t%s\n\t%s\n\t%s\n", pkg, e.File, e.Unit, e.Operator, e.Ordinal, e.Hash,
				e.Change, e.Reason)
		}
	}
	return b.Bytes()
}

// keep changes the result of a package in the file.
func keep(path, pkg string, change func(*result)) error {
	all, err := readResults(path)
	if err != nil {
		return err
	}
	change(all.of(pkg))
	return os.WriteFile(path, all.text(), 0o666)
}

// conclude keeps the score of a package if every mutant that the plan draws has an outcome, and
// the run has judged one or the score is another. Then it also drops the equivalents whose place is gone, or whose mutant of today is dead.
func (o *options) conclude(p *population) error {
	t := count(p)
	if !t.complete() || o.sample > 0 || o.seed != defaultSeed {
		return nil
	}
	alive := map[identity]bool{}
	for _, m := range p.all {
		e, _ := p.record.of(m)
		alive[m.place()] = e.Outcome != killed && e.Outcome != timeout
	}
	return keep(o.results, p.pkg, func(r *result) {
		score := []string{p.pkg, fmt.Sprintf("%d/%d", t.killed(), t.different()), fmt.Sprint(t.outcomes[equivalent]),
			t.interval()}
		if p.judged == 0 && r.score != nil && slices.Equal(score, r.score[:len(score)]) {
			return
		}
		r.score = append(score, time.Now().UTC().Format(time.DateOnly), commit(o.module))
		r.equivalents = slices.DeleteFunc(r.equivalents, func(e entry) bool { return !alive[e.place()] })
	})
}

// commit returns the short name of the commit in a directory, or "unknown".
func commit(dir string) string {
	git := exec.Command("git", "rev-parse", "--short=12", "HEAD")
	git.Dir = dir
	name, err := git.Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(name))
}
