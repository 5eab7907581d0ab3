package testscript_test

import (
	"context"
	"regexp"
	"strings"
	"time"

	"github.com/picaproof/picaproof/cmd/cli"
	"github.com/picaproof/picaproof/conform/reader"
	"github.com/picaproof/picaproof/conform/source"
	"github.com/picaproof/picaproof/conform/writer"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica/asm"
)

// programs stand for foreign programs in scenarios, which would otherwise start thousands of
// processes: --exec 'inside oracle PROFILE' is a core, 'inside reader KIND' a reader, 'inside
// picasso' an assembler.
var programs = cli.Programs{
	Core: func(line string) adapter.Core {
		name, ok := strings.CutPrefix(line, "inside oracle ")
		if !ok {
			return nil
		}
		p, err := profile.Parse(name)
		if err != nil {
			panic(err)
		}
		return adapter.InProcess(line, p, impl.New)
	},
	Reader: func(line string) reader.Reader {
		kind, ok := strings.CutPrefix(line, "inside reader ")
		if !ok {
			return nil
		}
		return insideReader(kind)
	},
	Writer: func(line string) writer.Tool {
		if line != "inside picasso" {
			return nil
		}
		return writer.Func(assemble)
	},
}

// insideReader is a reader of every format: "strict", "accepts", "refuses", or "loads", which passes
// over labels, lines and all names.
type insideReader string

func (insideReader) Shared() bool                    { return true }
func (insideReader) Reproduce(string, []byte) string { return "" }

func (r insideReader) Read(_ context.Context, format string, data []byte, _ time.Duration) (reader.Reply, error) {
	reply := reader.Reply{Outcome: reader.Accepted}
	switch r {
	case "refuses":
		reply.Outcome = reader.Refused
	case "strict":
		f, _ := registry.ByName(format)
		if _, err := f.Parse(data); err != nil {
			reply = reader.Reply{Outcome: reader.Refused, Message: err.Error()}
		}
	case "loads":
		f, _ := registry.ByName(format)
		for _, x := range f.Check(data) {
			if x.Severity == diag.Error && !unread.MatchString(x.Path) && x.Rule != "DVLE062" {
				reply = reader.Reply{Outcome: reader.Refused, Message: x.String()}
			}
		}
	}
	return reply, nil
}

// unread is the path of what a loader passes over; DVLE062 is about the names of uniforms.
var unread = regexp.MustCompile(`lines|labels|names|symbols`)

func (r insideReader) Measure(ctx context.Context, format string, data []byte, limit time.Duration) (reader.Reply, error) {
	return r.Read(ctx, format, data, limit)
}

// assemble is our assembler in picasso's dialect.
func assemble(t *source.Text) ([]byte, error) {
	var files []asm.Source
	for _, text := range t.Files {
		files = append(files, asm.Source{Name: "in", Text: text})
	}
	a, err := asm.Assemble(files, asm.AssembleOptions{Dialect: asm.Picasso})
	if err != nil {
		return nil, err
	}
	f, err := shbin.FromModule(&a.Module)
	if err != nil {
		return nil, err
	}
	return f.AppendUnchecked(nil)
}
