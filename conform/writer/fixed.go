package writer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/pica"
)

// fixedSource is a source of the corpus, with the file that the dialect's own assembler wrote.
type fixedSource struct {
	name string
	text source.Text
	file *shbin.File
}

// unfit are fixed sources whose file shows a known defect of the dialect's assembler, or needs
// an option, so that it says nothing about another assembler.
var unfit = map[string]string{
	"p19_nonop":           "made with an option that leaves NOPs out",
	"n02_arith":           "mova, lit, rsq and dph are known defects",
	"n06_entry_not_first": "the entry is a known defect",
	"n07_geometry":        "labels behind setemitraw are a known defect",
	"n08_entry_option":    "the entry is a known defect",
}

// fixedSources returns the sources of a dialect in the corpus. Sources of one file share its
// number: p12a_merge.v.pica and p12b_merge.g.pica become p12_merge.shbin.
func fixedSources(d *source.Dialect) ([]fixedSource, error) {
	files := samples.Files()
	outputs, err := fs.Glob(files, d.Name+"/*.shbin")
	if err != nil || len(outputs) == 0 {
		return nil, fmt.Errorf("no fixed sources of %s (%v)", d.Name, err)
	}
	var list []fixedSource
	for _, output := range outputs {
		x := fixedSource{name: strings.TrimSuffix(path.Base(output), ".shbin")}
		data, err := fs.ReadFile(files, output)
		if err != nil {
			return nil, err
		}
		if x.file, err = shbin.Parse(data); err != nil && unfit[x.name] == "" {
			return nil, fmt.Errorf("%s: %w", output, err)
		}
		number, _, _ := strings.Cut(output, "_")
		inputs, _ := fs.Glob(files, number+"*"+d.Extension)
		for _, input := range inputs {
			text, err := fs.ReadFile(files, input)
			if err != nil {
				return nil, err
			}
			x.text.Files = append(x.text.Files, string(text))
		}
		if len(inputs) == 0 {
			return nil, fmt.Errorf("no source of %s", output)
		}
		x.text.Entry, x.text.Geometry = "main", x.file != nil && x.file.DVLEs[0].Type == shbin.GeometryShader
		if m := entryDirective.FindStringSubmatch(x.text.Files[0]); m != nil {
			x.text.Entry = m[1]
		}
		list = append(list, x)
	}
	return list, nil
}

var entryDirective = regexp.MustCompile(`(?m)^\.entry (\w+)`)

// meaning returns the meaning of a fixed source: the contents of its file, with the numbers and
// the free registers from its text.
func (x *fixedSource) meaning(d *source.Dialect) (*source.Meaning, error) {
	f, shaders := x.file, x.file.Shaders()
	m := &source.Meaning{Module: pica.Module{Program: shaders[0].Program}}
	for i := range shaders {
		m.Entries = append(m.Entries, entryOf(&f.DVLEs[i], &shaders[i]))
		if d.Labels {
			m.Labels = append(m.Labels, shaders[i].Labels...)
		}
	}
	return m, x.values(m)
}

// row is a line of a source that sets registers.
type row struct {
	class   byte
	block   int // the number of its array, or of the line; -1 if the text names the register
	numbers []string
}

// rows returns the lines of a source that set float and integer uniforms.
func rows(text string) (list []row) {
	block, size := 0, 0 // the open array, and the number of its rows still to come
	for n, line := range strings.Split(text, "\n") {
		directive, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		_, values, ok := strings.Cut(line, "(")
		if !ok {
			switch directive {
			case ".const": // of aemstro
				if list = append(list, row{class: rest[0], block: -1, numbers: strings.Split(rest, ",")[1:]}); rest[0] == 'b' {
					list = list[:len(list)-1]
				}
			case ".constfa":
				_, count, _ := strings.Cut(rest, "[")
				block = n
				size, _ = strconv.Atoi(strings.TrimSuffix(count, "]")) // 0 if no size is given
			case ".end":
				for ; size > 0; size-- { // missing rows are zero
					list = append(list, row{class: 'c', block: block, numbers: []string{"0", "0", "0", "0"}})
				}
			}
			continue
		}
		values, _, _ = strings.Cut(values, ")")
		r := row{numbers: strings.Split(values, ","), block: n}
		switch directive {
		case ".constf":
			r.class = 'c'
		case ".consti":
			r.class = 'i'
		case ".constfa":
			r.class, r.block = 'c', block
			size--
		case ".setf", ".seti":
			r.class, r.block = map[string]byte{".setf": 'c', ".seti": 'i'}[directive], -1
		case ".alias":
			r.class, r.block = strings.Fields(line)[2][0], -1
		default:
			continue
		}
		list = append(list, r)
	}
	return list
}

// values adds the values to a meaning. Tables of constants have the order of the source.
func (x *fixedSource) values(m *source.Meaning) error {
	for i := range m.Entries {
		rows := rows(x.text.Files[min(i, len(x.text.Files)-1)])
		first := map[int]int{} // the first register of each array
		size := map[int]int{}
		for _, r := range rows {
			size[r.block]++
		}
		for _, c := range m.Entries[i].Constants {
			v := source.Value{Entry: i, Class: c.Class, Register: c.Register, Value: c.Value}
			if c.Class != 'b' {
				if len(rows) == 0 || rows[0].class != c.Class {
					return fmt.Errorf("%s: the text says nothing about %c%d", x.name, c.Class, c.Register)
				}
				r := rows[0]
				rows = rows[1:]
				if _, ok := first[r.block]; !ok {
					first[r.block] = c.Register
				}
				if r.block >= 0 {
					v.First, v.Size = first[r.block], size[r.block]
				}
				if c.Class == 'c' {
					v.Also = []pica.Vec4{c.Value}
					for k, text := range r.numbers {
						n, err := strconv.ParseFloat(strings.TrimSpace(text), 32)
						if err != nil && !errors.Is(err, strconv.ErrRange) {
							return fmt.Errorf("%s: %w", x.name, err)
						}
						v.Value[k] = math.Float32bits(float32(n))
					}
				}
			}
			m.Values = append(m.Values, v)
		}
	}
	return nil
}

// adapted returns a source in the dialect's frame, and adds to its meaning what that adds.
func (s *session) adapted(x *fixedSource, m *source.Meaning) (t *source.Text, lack string) {
	t, added, lack := s.Dialect.Adapt(&x.text, len(m.Entries))
	for i, line := range added {
		if line != "" {
			m.Entries[i].Outputs = append(m.Entries[i].Outputs,
				pica.Output{Register: 0, Mask: 0xF, Semantic: "position"})
			m.Entries[i].OutputMask |= 1
		}
	}
	return t, lack
}

// fixed gives the tool the sources of the corpus.
func (s *session) fixed(ctx context.Context, counts *report.Counts) []sighting {
	sources, err := fixedSources(s.Dialect)
	if err != nil {
		s.fail(err)
		return nil
	}
	list := s.sightings(ctx, len(sources), func(k uint64) (list []sighting, err error) {
		x := &sources[k]
		lack := s.tool.Lacks(&x.text)
		switch {
		case unfit[x.name] != "":
			lack = unfit[x.name]
		case len(x.text.Files) > 2:
			lack = "more than two sources"
		}
		var model *source.Meaning
		var text *source.Text
		if lack == "" {
			var err error
			if model, err = x.meaning(s.Dialect); err != nil {
				return nil, err
			}
			text, lack = s.adapted(x, model)
		}
		if lack != "" {
			s.note("source of the corpus: " + lack)
			return nil, nil
		}
		shown, err := s.judge(false).text(ctx, text, model)
		if err != nil {
			return nil, err
		}
		s.count(counts, shown.first())
		for _, f := range shown {
			list = append(list, sighting{finding: f, text: text, title: f.title() + " (a source of the corpus)",
				note: x.name + " of the corpus"})
		}
		return list, nil
	})
	s.first.asked += counts.Run
	for _, x := range list {
		if x.level == report.RefusesValid && x.answer.Fate == Refused {
			s.first.refused++
		}
	}
	return list
}
