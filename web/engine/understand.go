package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/listing"
	"github.com/picaproof/picaproof/formats/microcode"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/latte"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/asm"
	"github.com/picaproof/picaproof/pica/decode"
	"github.com/picaproof/picaproof/pica/explain"
	"github.com/picaproof/picaproof/pica/lint"
)

// ProgramsParams select programs.
type ProgramsParams struct {
	File int `json:"file"`
	Window
}

// ProgramsResult lists programs.
type ProgramsResult struct {
	Programs []Program `json:"programs"`
	Next
}

// Program is an entry point of a PICA200 program, or a GX2 program.
type Program struct {
	Program int    `json:"program"`
	Name    string `json:"name"` // the label of the entry point, or the path of the code
	Stage   string `json:"stage"`
	Kind    string `json:"kind"`  // "pica200", "gx2", or "words" for the code of a refused file
	Entry   int    `json:"entry"` // a word
	Words   int    `json:"words"`
	// CodeOf is the first program of the file with the same code.
	CodeOf int `json:"code_of"`
	// Error says why the program has no listing.
	Error string `json:"error,omitempty"`
}

// ListingParams select lines of a program.
type ListingParams struct {
	File    int `json:"file"`
	Program int `json:"program"`
	Window
}

// ListingResult lists lines.
type ListingResult struct {
	Lines []Line `json:"lines"`
	Next
}

// Line is an instruction, or a line about none.
type Line struct {
	Word    int    `json:"word"` // of the program; -1 for a line about no instruction
	Words   int    `json:"words"`
	Offset  int    `json:"offset"` // in the file, -1 if the instruction has no bytes of its own
	Bits    string `json:"bits,omitempty"`
	Label   string `json:"label,omitempty"`
	Text    string `json:"text"`
	Comment string `json:"comment,omitempty"` // the names of the registers
	Source  string `json:"source,omitempty"`  // the file and line of the source, if the file states it
	// Reached is false if no path from the entry point comes to the word.
	Reached bool     `json:"reached"`
	Lints   []string `json:"lints,omitempty"` // rules that lint reports here
}

// FlowResult lists ways of control flow.
type FlowResult struct {
	Edges []Edge `json:"edges"`
	Next
}

// Edge is a way of control flow other than to the next word.
type Edge struct {
	From int `json:"from"` // the word of the instruction
	To   int `json:"to"`
	// Kind is "jump", "call", "else" (to the else part of an IF), "end" (behind an IF or a LOOP) or "loop" (from the end
	// of a loop to its first word).
	Kind string `json:"kind"`
}

// LintsParams select findings of lint.
type LintsParams struct {
	File int `json:"file"`
	Window
}

// LintsResult lists findings of lint.
type LintsResult struct {
	Lints []Lint `json:"lints"`
	Next
}

// Lint is a finding about a program.
type Lint struct {
	Rule     string        `json:"rule"`
	Severity diag.Severity `json:"severity"`
	Program  int           `json:"program"`
	Word     int           `json:"word"`   // -1 if it is about the whole program
	Offset   int           `json:"offset"` // in the file, -1 if unknown
	Length   int           `json:"length"`
	Message  string        `json:"message"`
	Reason   string        `json:"reason"` // the title of the rule and its source
	More     int           `json:"more,omitempty"`
}

// ExplainParams name a word of a program.
type ExplainParams struct {
	File    int    `json:"file"`
	Program int    `json:"program"`
	Word    int    `json:"word"`
	Profile string `json:"profile,omitempty"` // f24 if empty
}

// Explanation explains an instruction of a PICA200 or GX2 program. Only the PICA200 has effects and rules of profiles.
type Explanation struct {
	Word     int    `json:"word"`
	Bits     string `json:"bits"`
	Text     string `json:"text"`
	Mnemonic string `json:"mnemonic"`
	// Sentence says what the instruction does, with its operands.
	Sentence string `json:"sentence"`
	// Effects has what each component becomes: "o0.x = c4.x + v0.w".
	Effects []string `json:"effects"`
	Source  string   `json:"source"` // who says so
	// Operands are the destination and the sources.
	Operands []Operand `json:"operands"`
	Fields   []Field   `json:"fields"` // of the word
	// Rules are the answers of the profile to questions about this instruction.
	Rules []Setting `json:"rules"`
	Lints []Lint    `json:"lints"`
}

// Operand is an operand as the instruction writes it.
type Operand struct {
	Role     string `json:"role"`           // "destination", "source 1"
	Text     string `json:"text"`           // "-c4[a0.x].xyzz"
	Register string `json:"register"`       // "c4"
	Name     string `json:"name,omitempty"` // "projection"
}

// Field is a bit field of an instruction word.
type Field struct {
	Name  string `json:"name"`
	Low   int    `json:"low"` // the lowest bit
	Width int    `json:"width"`
	Value int    `json:"value"`
}

// TextParams select a program and the form of its text.
type TextParams struct {
	File    int    `json:"file"`
	Program int    `json:"program"`
	Form    string `json:"form,omitempty"` // "flat", "structured" or "pretty"; flat if empty
	From    int    `json:"from,omitempty"` // the byte of the text with which the answer begins
}

// TextResult is a part of a text.
type TextResult struct {
	Text    Long   `json:"text"`
	Dialect string `json:"dialect"` // "default" or "latte"
	Next
}

// AssembleParams have a source.
type AssembleParams struct {
	Name    string `json:"name,omitempty"`
	Text    string `json:"text"`
	Dialect string `json:"dialect,omitempty"` // "default", "picasso" or "latte"
}

// AssembleResult has a file, or errors. A latte program has bytes but no format.
type AssembleResult struct {
	Info   *FileInfo     `json:"info,omitempty"`
	Errors []SourceError `json:"errors"` // at most a hundred
	// Lines has the line of the source, from 1, of each word.
	Lines []int `json:"lines"`
}

// SourceError is an error at a place in a source.
type SourceError struct {
	Rule    string `json:"rule,omitempty"`
	Line    int    `json:"line"`   // from 1; 0 for an error of the whole program
	Column  int    `json:"column"` // in bytes, from 1
	Length  int    `json:"length"` // in bytes
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

// program is an entry point of a PICA200 program, a GX2 program, or the words of a refused file.
type program struct {
	shader *pica.Shader
	gx2    *microcode.Program
	words  []diag.Region
	path   string // of words
	codeOf int
	err    error // why it has no listing

	lines []Line
	edges []Edge
}

// findPrograms finds the programs of a parsed or refused file.
func (f *file) findPrograms() {
	if f.doc == nil {
		f.findWords()
		return
	}
	if holder, ok := f.doc.(registry.Shaders); ok {
		shaders := holder.Shaders()
		for i, first := range listing.Programs(shaders) {
			f.programs = append(f.programs, &program{shader: &shaders[i], codeOf: first})
		}
		return
	}
	list, _ := microcode.Of(f.doc.Model())
	for i := range list {
		p := &program{gx2: &list[i], codeOf: i}
		_, p.err = latte.Decode(list[i].Code)
		f.programs = append(f.programs, p)
	}
}

// findWords finds the code of a refused file.
func (f *file) findWords() {
	for _, r := range listing.Refused(f.format.Name, f.data, f.regions()) {
		path, _ := split(r.Path)
		if n := len(f.programs); n == 0 || f.programs[n-1].path != path {
			f.programs = append(f.programs, &program{path: path, codeOf: n})
		}
		p := f.programs[len(f.programs)-1]
		p.words = append(p.words, r)
	}
}

// shaders returns the PICA200 programs of a file.
func (f *file) shaders() (list []pica.Shader) {
	for _, p := range f.programs {
		if p.shader != nil {
			list = append(list, *p.shader)
		}
	}
	return list
}

// describe returns a program for a list.
func (p *program) describe(n int) Program {
	x := Program{Program: n, CodeOf: p.codeOf}
	switch {
	case p.shader != nil:
		x.Name, x.Stage, x.Kind, x.Entry, x.Words = p.shader.Name, p.shader.Stage.String(), "pica200", p.shader.Entry,
			len(p.shader.Code)
	case p.gx2 != nil:
		x.Name, x.Stage, x.Kind, x.Words = p.gx2.Path, p.gx2.Stage.String(), "gx2", len(p.gx2.Code)/latte.WordBytes
	default:
		x.Name, x.Kind, x.Words = p.path, "words", len(p.words)
	}
	if p.err != nil {
		x.Error = p.err.Error()
	}
	return x
}

func (e *Engine) programs(p ProgramsParams) (r ProgramsResult, err error) {
	f, err := e.files.get("file", p.File)
	if err != nil {
		return r, err
	}
	r.Programs, r.Next = take(p.Window, len(f.programs), room, func(i int) Program { return f.programs[i].describe(i) })
	return r, nil
}

// program returns a program of a file.
func (e *Engine) program(n, of int) (*file, *program, error) {
	f, err := e.files.get("file", n)
	if err != nil {
		return nil, nil, err
	}
	if of < 0 || of >= len(f.programs) {
		return nil, nil, fmt.Errorf("no program %d in a file with %d", of, len(f.programs))
	}
	return f, f.programs[of], nil
}

func (e *Engine) listing(p ListingParams) (r ListingResult, err error) {
	f, x, err := e.program(p.File, p.Program)
	if err != nil {
		return r, err
	}
	if x.err != nil {
		return r, x.err
	}
	if x.lines == nil {
		x.lines = f.linesOf(p.Program)
	}
	r.Lines, r.Next = take(p.Window, len(x.lines), room, func(i int) Line { return x.lines[i] })
	return r, nil
}

// linesOf lists a program.
func (f *file) linesOf(n int) []Line {
	p, lines := f.programs[n], []Line{}
	switch {
	case p.shader != nil:
		reached := reachedBy(p.shader)
		for l := range asm.Lines(p.shader) {
			x := Line{Word: l.PC, Words: 1, Offset: -1, Bits: fmt.Sprintf("%08x", l.Word), Label: l.Label, Text: l.Text,
				Comment: l.Comment, Source: listing.LineOf(f.doc, l.PC), Reached: reached == nil || reached[l.PC]}
			if at := f.place(n, l.PC); at != nil {
				x.Offset = at.Off
			}
			lines = append(lines, x)
		}
	case p.gx2 != nil:
		lines = f.microcodeLines(p.gx2)
	default:
		for i, r := range p.words {
			x := Line{Word: i, Words: 1, Offset: r.Off, Text: r.Value, Reached: true}
			if word, ok := listing.WordOf(r.Value); ok {
				x.Bits = fmt.Sprintf("%08x", word)
				_, x.Text, _ = strings.Cut(r.Value, " ")
			}
			lines = append(lines, x)
		}
	}
	f.mark(n, lines)
	return lines
}

// mark adds the rules of lint to the lines of a program.
func (f *file) mark(n int, lines []Line) {
	rules := map[int][]string{}
	for _, l := range f.lintList() {
		if l.Program == n && l.Word >= 0 && !slices.Contains(rules[l.Word], l.Rule) {
			rules[l.Word] = append(rules[l.Word], l.Rule)
		}
	}
	for i := range lines {
		lines[i].Lints = rules[lines[i].Word]
	}
}

// microcodeLines lists a GX2 program.
func (f *file) microcodeLines(p *microcode.Program) []Line {
	lines, offset := []Line{}, -1
	for _, r := range f.regions() {
		if r.Path == p.Path && r.Len == len(p.Code) {
			offset = r.Off
		}
	}
	decoded, err := latte.Decode(p.Code)
	if err != nil {
		return lines
	}
	for _, l := range latte.Lines(decoded) {
		x := Line{Word: -1, Offset: -1, Text: l.Text, Reached: true}
		if l.Instruction {
			x.Word, x.Words = l.Off/latte.WordBytes, l.Len/latte.WordBytes
			if l.Off+l.Len <= len(p.Code) {
				x.Bits = fmt.Sprintf("%x", p.Code[l.Off:l.Off+l.Len])
			}
			if offset >= 0 {
				x.Offset = offset + l.Off
			}
		}
		lines = append(lines, x)
	}
	return lines
}

// place returns the bytes of a word of a PICA200 program, or nil.
func (f *file) place(program, word int) *diag.Region {
	if f.doc == nil {
		return nil
	}
	if f.places == nil {
		places := listing.NewPlaces(f.doc, f.shaders())
		f.places = &places
	}
	return f.places.Bytes(program, word)
}

// reachedBy reports for each word whether a path from the entry point comes to it; nil if that is not known. An
// application may replace the constants that decide branches.
func reachedBy(s *pica.Shader) []bool {
	free := *s
	free.Floats, free.Ints, free.Bools = nil, nil, nil
	reached := lint.NewGraph(&free).Reached()
	if len(reached) < len(s.Code) {
		return nil
	}
	return reached
}

func (e *Engine) flow(p ListingParams) (r FlowResult, err error) {
	_, x, err := e.program(p.File, p.Program)
	if err != nil {
		return r, err
	}
	if x.edges == nil {
		x.edges = []Edge{}
		if x.shader != nil {
			x.edges = edgesOf(x.shader.Code)
		}
	}
	r.Edges, r.Next = take(p.Window, len(x.edges), room, func(i int) Edge { return x.edges[i] })
	return r, nil
}

// edgesOf lists the ways of control flow that the words name.
func edgesOf(code []uint32) []Edge {
	list := []Edge{}
	for pc, word := range code {
		i := decode.Decode(word)
		to, end := int(i.Dst), int(i.Dst)+int(i.Num)
		switch pica.Opcodes[i.Op].Flow {
		case pica.FlowJump:
			list = append(list, Edge{pc, to, "jump"})
		case pica.FlowCall:
			list = append(list, Edge{pc, to, "call"})
		case pica.FlowIf:
			list = append(list, Edge{pc, to, "else"})
			if i.Num > 0 {
				list = append(list, Edge{to - 1, end, "end"})
			}
		case pica.FlowLoop:
			list = append(list, Edge{to, pc + 1, "loop"}, Edge{to, to + 1, "end"})
		}
	}
	return list
}

// lintList returns what lint finds in the programs of a file.
func (f *file) lintList() []Lint {
	if f.lintOK {
		return f.linted
	}
	f.lintOK, f.linted = true, []Lint{}
	shaders := f.shaders()
	if len(shaders) == 0 && f.doc != nil {
		f.linted = f.microcodeLints()
		return f.linted
	}
	for _, found := range lint.Check(shaders) {
		rule := lint.RuleOf(found.Rule)
		x := Lint{Rule: rule.ID, Severity: diag.Info, Program: max(found.Entry, 0), Word: found.PC, Offset: -1,
			Message: found.Message, Reason: rule.Title + " (" + rule.Source + ")", More: found.More}
		if found.Hazard {
			x.Severity = diag.Warning
		}
		word := found.PC
		if word < 0 {
			word = shaders[x.Program].Entry
		}
		if at := f.place(x.Program, word); at != nil {
			x.Offset, x.Length = at.Off, at.Len
		}
		f.linted = append(f.linted, x)
	}
	return f.linted
}

// microcodeLints returns what is wrong with the GX2 programs of a file.
func (f *file) microcodeLints() []Lint {
	list := []Lint{}
	for _, found := range microcode.Check(f.doc.Model(), f.regions()) {
		x := Lint{Rule: found.Rule, Severity: found.Severity, Word: -1, Offset: found.Off, Length: found.Len,
			Message: found.Text(), Reason: microcode.Reason(found.Rule), More: found.More}
		path, word, ok := microcode.Word(found.Path)
		if ok {
			x.Word = word
		} else {
			path = found.Path
		}
		x.Program = max(slices.IndexFunc(f.programs, func(p *program) bool { return p.gx2 != nil && p.gx2.Path == path }), 0)
		list = append(list, x)
	}
	return list
}

func (e *Engine) lints(p LintsParams) (r LintsResult, err error) {
	f, err := e.files.get("file", p.File)
	if err != nil {
		return r, err
	}
	list := f.lintList()
	r.Lints, r.Next = take(p.Window, len(list), room, func(i int) Lint { return list[i] })
	return r, nil
}

func (e *Engine) explain(p ExplainParams) (r Explanation, err error) {
	f, x, err := e.program(p.File, p.Program)
	if err != nil {
		return r, err
	}
	if x.gx2 != nil {
		r, err = f.explainMicrocode(&p, x.gx2)
		r.Lints = f.lintsAt(p.Program, p.Word)
		return r, err
	}
	if x.shader == nil && p.Word >= 0 && p.Word < len(x.words) {
		return f.explainWord(&p, x)
	}
	if x.shader == nil || p.Word < 0 || p.Word >= len(x.shader.Code) {
		return r, fmt.Errorf("no instruction at word %d of program %d", p.Word, p.Program)
	}
	set, err := profile.Parse(cmp.Or(p.Profile, defaultProfile))
	if err != nil {
		return r, err
	}
	word := x.shader.Code[p.Word]
	found := explain.Of(word, x.shader.Descriptors)
	r = explanationOf(&found, p.Word, word, x.shader.Descriptors)
	r.Lints = f.lintsAt(p.Program, p.Word)
	for _, o := range found.Operands {
		r.Operands = append(r.Operands, Operand{o.Role, o.Text, o.Register, x.nameOf(o.Class, o.Number)})
	}
	for _, s := range profile.Describe(set) {
		if slices.Contains(found.Knobs, s.Knob) {
			r.Rules = append(r.Rules, s)
		}
	}
	return r, nil
}

// explanationOf returns the part of an explanation that the word and its descriptors give.
func explanationOf(found *explain.Explanation, at int, word uint32, descriptors []uint32) Explanation {
	r := Explanation{Word: at, Bits: fmt.Sprintf("%08x", word), Text: asm.Format(word, descriptors), Mnemonic: found.Mnemonic,
		Sentence: found.Sentence, Effects: found.Effects, Source: found.Source, Operands: []Operand{}, Fields: fieldsOf(word),
		Rules: []Setting{}, Lints: []Lint{}}
	if r.Effects == nil {
		r.Effects = []string{}
	}
	return r
}

// explainWord explains a word of the code of a refused file. Without operand descriptors nobody knows its operands.
func (f *file) explainWord(p *ExplainParams, x *program) (r Explanation, err error) {
	word, ok := listing.WordOf(x.words[p.Word].Value)
	if !ok || f.format.Name == "gsh" || f.format.Name == "sharcfb" {
		return r, fmt.Errorf("the file is refused, and word %d of its code cannot be explained alone", p.Word)
	}
	descriptors := listing.Descriptors(f.regions())[strings.TrimSuffix(x.path, "code")]
	found := explain.Of(word, descriptors)
	r = explanationOf(&found, p.Word, word, descriptors)
	if descriptors == nil {
		r.Effects = []string{}
		return r, nil
	}
	for _, o := range found.Operands {
		r.Operands = append(r.Operands, Operand{Role: o.Role, Text: o.Text})
	}
	return r, nil
}

// lintsAt returns what lint finds in a word.
func (f *file) lintsAt(program, word int) []Lint {
	list := []Lint{}
	for _, l := range f.lintList() {
		if l.Program == program && l.Word == word {
			list = append(list, l)
		}
	}
	return list
}

// explainMicrocode explains an instruction of a GX2 program.
func (f *file) explainMicrocode(p *ExplainParams, of *microcode.Program) (r Explanation, err error) {
	decoded, err := latte.Decode(of.Code)
	if err != nil {
		return r, err
	}
	found, ok := decoded.Explain(p.Word)
	if !ok {
		return r, fmt.Errorf("no instruction starts at word %d of program %d", p.Word, p.Program)
	}
	r = Explanation{Word: p.Word, Mnemonic: found.Mnemonic, Sentence: strings.Join(found.Sentences, " "), Effects: []string{},
		Source: found.Source, Operands: []Operand{}, Fields: []Field{}, Rules: []Setting{}}
	for _, l := range f.microcodeLines(of) {
		if l.Word == p.Word {
			r.Text, r.Bits = strings.Join(strings.Fields(l.Text), " "), l.Bits
		}
	}
	for _, o := range found.Operands {
		r.Operands = append(r.Operands, Operand{Role: o.Role, Text: o.Text})
	}
	const bits = 32
	for _, v := range found.Fields {
		r.Fields = append(r.Fields, Field{v.Name, int(v.Word)*bits + int(v.Low), int(v.Width), int(v.Value)})
	}
	return r, nil
}

// nameOf returns the name that the file gives a register, or "".
func (p *program) nameOf(class byte, n int) string {
	if class == 'o' {
		var names []string
		for _, o := range p.shader.Outputs {
			if o.Register == n {
				names = append(names, o.Semantic)
			}
		}
		return strings.Join(names, ", ")
	}
	for _, list := range [][]pica.Symbol{p.shader.Inputs, p.shader.Uniforms} {
		for _, s := range list {
			if s.Class == class && s.First <= n && n <= s.Last {
				return s.Name
			}
		}
	}
	return ""
}

// fieldsOf lists the bit fields of a word, the highest first.
func fieldsOf(word uint32) []Field {
	list := []Field{{"opcode", 26, 6, int(word >> 26)}}
	l := pica.OpcodeOf(word).Layout()
	for _, f := range []struct {
		name string
		pica.Field
	}{{"descriptor", l.Desc}, {"source 1", l.Src[0]}, {"source 2", l.Src[1]}, {"source 3", l.Src[2]},
		{"address", l.Index}, {"destination", l.Dest}, {"compare x", l.CmpX}, {"compare y", l.CmpY}, {"length", l.Num},
		{"target", l.Dst}, {"condition", l.CondOp}, {"reference x", l.RefX}, {"reference y", l.RefY}, {"boolean", l.Bool},
		{"integer", l.Int}, {"winding", l.Winding}, {"primitive", l.Primitive}, {"vertex", l.Vertex}} {
		if f.Width > 0 {
			list = append(list, Field{f.name, int(f.Lo), int(f.Width), int(f.Get(word))})
		}
	}
	slices.SortStableFunc(list, func(a, b Field) int { return cmp.Compare(b.Low, a.Low) })
	return list
}

func (e *Engine) text(p TextParams) (r TextResult, err error) {
	_, x, err := e.program(p.File, p.Program)
	if err != nil {
		return r, err
	}
	var text string
	switch r.Dialect = "default"; {
	case x.gx2 != nil:
		decoded, err := latte.Decode(x.gx2.Code)
		if err != nil {
			return r, err
		}
		text, r.Dialect = latte.Format(decoded), "latte"
	case x.shader != nil:
		var b strings.Builder
		_ = asm.Disassemble(&b, x.shader, asm.Options{Structured: p.Form != "" && p.Form != "flat",
			Pretty: p.Form == "pretty"}) // a strings.Builder does not fail
		text = b.String()
	default:
		return r, errors.New("a refused file has no text that assembles")
	}
	r.Total, r.Next.Next = len(text), -1
	rest := text[min(max(p.From, 0), len(text)):]
	for part := min(len(rest), room/2); ; part /= 2 {
		for part < len(rest) && part > 0 && rest[part]&0xC0 == 0x80 {
			part-- // at the beginning of a character
		}
		if r.Text = Long(rest[:part]); size(r.Text) <= room {
			if part < len(rest) {
				r.Next.Next = len(text) - len(rest) + part
			}
			return r, nil
		}
	}
}

// maxErrors is the largest number of errors of a source in a result.
const maxErrors = 50

func (e *Engine) assemble(p AssembleParams) (r AssembleResult, err error) {
	r.Errors, r.Lines = []SourceError{}, []int{}
	name := cmp.Or(p.Name, "source.pica")
	if p.Dialect == "latte" {
		program, err := latte.Parse(p.Text)
		if err != nil {
			r.Errors = append(r.Errors, latteError(err))
			return r, nil
		}
		info, err := e.open(OpenParams{Name: name + ".bin", Data: Data{program.Encode()}})
		r.Info = &info
		return r, err
	}
	dialect := asm.Default
	if p.Dialect == "picasso" {
		dialect = asm.Picasso
	}
	assembly, err := asm.Assemble([]asm.Source{{Name: name, Text: p.Text}}, asm.AssembleOptions{Dialect: dialect})
	var wrong asm.Errors
	if errors.As(err, &wrong) {
		for _, x := range wrong[:min(len(wrong), maxErrors)] {
			r.Errors = append(r.Errors, SourceError{x.Rule, x.Line, x.Column, x.Length, x.Message, x.Hint})
		}
		return r, nil
	}
	if err != nil {
		return r, err
	}
	f, err := shbin.FromModule(&assembly.Module)
	if err != nil {
		return r, err
	}
	write := f.AppendBinary
	if dialect == asm.Picasso {
		write = f.AppendUnchecked // picasso writes files that readers refuse
	}
	data, err := write(nil)
	if err != nil {
		return r, err
	}
	for _, place := range assembly.Places {
		r.Lines = append(r.Lines, place.Line)
	}
	info, err := e.open(OpenParams{Name: strings.TrimSuffix(name, ".pica") + ".shbin", As: "shbin", Data: Data{data}})
	r.Info = &info
	return r, err
}

// latteError returns the error of the text of a GX2 program.
func latteError(err error) SourceError {
	e := SourceError{Message: err.Error()}
	var wrong *latte.SyntaxError
	if errors.As(err, &wrong) {
		e.Line, e.Column, e.Message = wrong.Line, 1, wrong.Err.Error()
	}
	var refused *latte.DecodeError
	if errors.As(err, &refused) {
		e.Rule = refused.Rule
	}
	return e
}
