package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/formats/sharcfb"
	"github.com/picaproof/picaproof/formats/wire"
)

func (a *app) variationsCommand() *cobra.Command {
	var src source
	cmd := &cobra.Command{
		Use:   "variations FILE",
		Short: "List the variations of a shader archive",
		Long: `variations prints a row for each variation of a SHARCFB or BNSH file: its program,
its index, the macro values that select it, and the code of each stage. Of a GSH it
prints the shaders that are used together: the first of each type, the second, and
so on. Of a BNSH it also says where the code of each stage is, and which variations
have the same code in all stages.

Exit status: 0 the table was printed; 1 the file was refused, or has no variations; 2
bad arguments or an unreadable file.`,
		Example: `  picaproof variations archive.sharcfb
  picaproof variations --format json shaders.bnsh`,
		Args: arguments(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			_, doc, err := a.parse(&src, args[0])
			if err != nil {
				return err
			}
			list, ok := registry.Variations(doc)
			if !ok {
				return failure{"this format has no variations"}
			}
			return a.reportVariations(list)
		},
	}
	src.flags(cmd)
	return cmd
}

func (a *app) variationCommand() *cobra.Command {
	var src source
	var program string
	var set []string
	var base int
	cmd := &cobra.Command{
		Use:   "variation FILE",
		Short: "Find the variation that macro values select",
		Long: `variation prints the variation of a SHARCFB's program that the given macro values
select. Other macros have their values in the variation --base; in variation 0 each
macro has its first value. Names are written in the form of dump: a byte that is not
UTF-8 is \x and two digits.

Exit status: 0 the variation was printed; 1 the file was refused, or has no variations;
2 bad arguments, an unknown macro or value, or an unreadable file.`,
		Example: `  picaproof variation archive.sharcfb --program sky --set QUALITY=2 --set FOG=1`,
		Args:    arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			settings, err := parseSettings(set)
			if err != nil {
				return err
			}
			_, doc, err := a.parse(&src, args[0])
			if err != nil {
				return err
			}
			f, ok := doc.Model().(*sharcfb.File)
			if !ok {
				return failure{shown(args[0]) + ": only SHARCFB files select variations by macro values"}
			}
			i, err := chooseProgram(f, program, cmd.Flags().Changed("program"))
			if err != nil {
				return err
			}
			index, err := f.Programs[i].Index(settings, base)
			if err != nil {
				return err
			}
			return a.reportVariations(registry.VariationOf(f, i, index))
		},
	}
	src.flags(cmd)
	cmd.Flags().StringVar(&program, "program", "",
		"name of the program, if the archive has several, e.g. --program sky")
	cmd.Flags().StringArrayVar(&set, "set", nil, "a macro's value, e.g. --set QUALITY=2")
	cmd.Flags().IntVar(&base, "base", 0, "variation that gives the values of all other macros, e.g. --base 3")
	return cmd
}

// parseSettings reads MACRO=value pairs; a macro may be set only once.
func parseSettings(set []string) (map[string]string, error) {
	settings := make(map[string]string)
	for _, s := range set {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, fmt.Errorf("--set %q: want MACRO=value", s)
		}
		name, value = unescaped(name), unescaped(value)
		if _, again := settings[name]; again {
			return nil, fmt.Errorf("--set %q: the macro is set twice", s)
		}
		settings[name] = value
	}
	return settings, nil
}

// unescaped reads a name in the notation of dump; invalid notation stands for itself.
func unescaped(s string) string {
	var t wire.Text
	if t.UnmarshalText([]byte(s)) != nil {
		return s
	}
	return string(t)
}

// chooseProgram finds the program with a name, or the only one if no name is given.
func chooseProgram(f *sharcfb.File, name string, named bool) (int, error) {
	if !named && len(f.Programs) == 1 {
		return 0, nil
	}
	for _, spelling := range []string{name, unescaped(name)} {
		if i, ok := f.Program(spelling); ok && named {
			return i, nil
		}
	}
	const few = 8
	var names []string
	for _, p := range f.Programs[:min(few, len(f.Programs))] {
		names = append(names, shown(string(p.Name)))
	}
	if len(f.Programs) > few {
		names = append(names, "...")
	}
	if named {
		return 0, fmt.Errorf("--program %q: no such program among %s: %s", name, plural(len(f.Programs), "program"),
			strings.Join(names, ", "))
	}
	return 0, fmt.Errorf("name one of %s with --program: %s", plural(len(f.Programs), "program"),
		strings.Join(names, ", "))
}

// rowsAtOnce is the number of rows that are aligned together and in memory.
const rowsAtOnce = 1000

// reportVariations prints rows while it reads them: archives can have more variations than
// bytes.
func (a *app) reportVariations(list iter.Seq[registry.Variation]) error {
	if a.json() {
		return a.text(func(w io.Writer) error {
			separator := "{\"variations\":[\n"
			for r := range list {
				b, err := json.Marshal(r)
				if err != nil {
					return err
				}
				if _, err := fmt.Fprintf(w, "%s%s", separator, b); err != nil {
					return err
				}
				separator = ",\n"
			}
			if separator != ",\n" {
				fmt.Fprint(w, separator)
			}
			_, err := fmt.Fprintln(w, "\n]}")
			return err
		})
	}
	return a.text(func(w io.Writer) error {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "PROGRAM\tVARIATION\tSETTINGS\tCODE")
		n := 0
		for r := range list {
			fmt.Fprintln(t, variationText(r))
			if n++; n%rowsAtOnce == 0 {
				if err := t.Flush(); err != nil {
					return err
				}
			}
		}
		return t.Flush()
	})
}

func variationText(r registry.Variation) string {
	var settings, code []string
	for _, s := range r.Settings {
		settings = append(settings, shown(string(s.Macro))+"="+shown(string(s.Value)))
	}
	for _, s := range r.Shaders {
		text := s.Stage
		if s.Binary != nil {
			text += " binary " + strconv.Itoa(*s.Binary)
		}
		if s.Type != "" {
			text += " " + s.Type
		}
		size := plural(int(s.Bytes), "byte")
		if s.Offset != nil {
			size += fmt.Sprintf(" at 0x%x", *s.Offset)
		}
		code = append(code, fmt.Sprintf("%s (%s)", text, size))
	}
	same := ""
	if r.SameAs != nil {
		same = fmt.Sprintf("; variation %d has the code of variation %d", r.Index, *r.SameAs)
	}
	return fmt.Sprintf("%s\t%d\t%s\t%s%s", orDash(shown(string(r.Program))), r.Index,
		orDash(strings.Join(settings, " ")), orDash(strings.Join(code, ", ")), same)
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}
