package asm

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/decode"
)

// block is a range of words that structured text writes as a scope. The
// instruction that opens it is the word at start, unless it is a procedure.
type block struct {
	kind       scopeKind
	start, end int
	orElse     int // first word of the else part, or end
}

// blocks finds the scopes of a program: scopes that its instructions open, procedures
// that it calls, and for the words outside of these further procedures. Two blocks
// lie one in the other or apart; an instruction whose scope crosses another one, or
// leaves the program, has no block. The blocks are sorted by start, outer ones first.
func blocks(s *pica.Shader) []block {
	seen := map[block]bool{}
	var all []block
	for pc, word := range s.Code {
		if b, ok := blockOf(pc, word); ok && b.end <= len(s.Code) && !seen[b] {
			seen[b] = true
			all = append(all, b)
		}
	}
	sortBlocks(all)
	nested := all[:0]
	var open []block
	for _, b := range all {
		for len(open) > 0 && open[len(open)-1].end <= b.start {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && !open[len(open)-1].contains(b) || len(open) >= maxScopes-1 {
			continue
		}
		open, nested = append(open, b), append(nested, b)
	}
	nested = append(nested, enclosing(nested, len(s.Code), s.Entry)...)
	sortBlocks(nested)
	return nested
}

// sortBlocks orders blocks by start: empty procedures first, then outer ones.
func sortBlocks(list []block) {
	slices.SortStableFunc(list, func(a, b block) int {
		switch {
		case a.start != b.start:
			return a.start - b.start
		case a.empty() != b.empty():
			return cmp.Compare(a.end, b.end)
		}
		return cmp.Or(b.end-a.end, cmp.Compare(a.kind, b.kind))
	})
}

func (a block) empty() bool { return a.start == a.end }

// enclosing returns a procedure for each run of words outside of all blocks. A run
// ends where the entry point starts, unless a scope is open there.
func enclosing(nested []block, words, entry int) (runs []block) {
	at := 0 // where the next run starts
	enclose := func(end int) {
		if at < end {
			runs = append(runs, block{procScope, at, end, end})
		}
	}
	inside := 0 // end of the outermost block
	for _, b := range nested {
		if b.start < inside {
			continue
		}
		if inside <= entry && entry < b.start && at < entry {
			enclose(entry)
			at = entry
		}
		inside = b.end
		switch {
		case b.kind == procScope:
			enclose(b.start)
			at = b.end
		case b.start == entry:
			enclose(entry)
			at = entry
		}
	}
	if inside <= entry && at < entry && entry < words {
		enclose(entry)
		at = entry
	}
	enclose(words)
	return runs
}

// blockOf returns the scope that a word opens or the procedure that it calls.
func blockOf(pc int, word uint32) (b block, ok bool) {
	i := decode.Decode(word)
	dst, num := int(i.Dst), int(i.Num)
	switch pica.Opcodes[i.Op].Flow {
	case pica.FlowIf:
		return block{ifScope, pc, dst + num, dst}, dst > pc
	case pica.FlowLoop:
		return block{loopScope, pc, dst + 1, dst + 1}, dst >= pc
	case pica.FlowCall:
		return block{procScope, dst, dst + num, dst + num}, true
	}
	return b, false
}

// contains reports whether b lies within one part of the block a.
func (a block) contains(b block) bool {
	from := a.start
	if a.kind != procScope {
		from++ // the instruction itself
	}
	return b.start >= from && b.end <= a.end && (b.end <= a.orElse || b.start >= a.orElse) ||
		b == a
}

// structure finds the scopes of a program and names its procedures.
func (l *listing) structure() {
	l.byStart, l.named, l.taken = map[int]block{}, map[block]string{}, map[string]bool{}
	l.blocks = blocks(l.shader)
	own := map[int]string{l.shader.Entry: cmp.Or(l.shader.Name, "main")}
	for _, label := range l.shader.Labels {
		own[label.Word] = label.Name
	}
	for _, b := range l.blocks {
		if b.kind != procScope {
			l.byStart[b.start] = b
			continue
		}
		if _, again := l.named[b]; again {
			continue
		}
		name := own[b.start]
		if l.taken[name] || !isName(name) {
			name = fmt.Sprintf("P%d", b.start)
		}
		for l.taken[name] {
			name = fmt.Sprintf("P%d_%d", b.start, b.end-b.start)
		}
		l.named[b], l.taken[name] = name, true
	}
}

// procedure returns the name of the procedure of a range of words, or "".
func (l *listing) procedure(start, end int) string {
	return l.named[block{procScope, start, end, end}]
}

// entryProcedure returns the name of the outermost procedure that starts at the
// entry point, or "".
func (l *listing) entryProcedure() string {
	for _, b := range l.blocks {
		if b.kind == procScope && b.start == l.shader.Entry {
			return l.named[b]
		}
	}
	return ""
}

// structured reports whether a word opens a scope or calls a named procedure instead of naming a target.
func (l *listing) structured(pc int, word uint32) bool {
	b, ok := blockOf(pc, word)
	if !ok || !l.Structured {
		return false
	}
	if b.kind == procScope {
		return l.named[b] != ""
	}
	_, opens := l.byStart[pc]
	return opens
}

// closeBlocks writes the .end and .else lines in front of a word.
func (l *listing) closeBlocks(out *bufio.Writer, pc int) {
	for len(l.open) > 0 {
		top := l.open[len(l.open)-1]
		if top.end > pc {
			if top.kind == ifScope && top.orElse == pc {
				fmt.Fprintf(out, "%s.else\n", strings.Repeat("\t", len(l.open)-1))
			}
			return
		}
		l.open = l.open[:len(l.open)-1]
		fmt.Fprintf(out, "%s.end\n", strings.Repeat("\t", len(l.open)))
	}
}

// openProcedures writes the procedures that start at a word.
func (l *listing) openProcedures(out *bufio.Writer, pc int) {
	for l.next < len(l.blocks) && l.blocks[l.next].start == pc && l.blocks[l.next].kind == procScope {
		b := l.blocks[l.next]
		l.next++
		indent := strings.Repeat("\t", len(l.open))
		fmt.Fprintf(out, "%s.proc %s\n", indent, l.named[b])
		if b.end == pc {
			fmt.Fprintf(out, "%s.end\n", indent)
			continue
		}
		l.open = append(l.open, b)
	}
}

// openScope enters the scope that the instruction at a word opens.
func (l *listing) openScope(pc int) {
	if l.next < len(l.blocks) && l.blocks[l.next].start == pc {
		l.open = append(l.open, l.blocks[l.next])
		l.next++
	}
}
