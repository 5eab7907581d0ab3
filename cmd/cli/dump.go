package cli

import (
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/microcode"
	"github.com/picaproof/picaproof/formats/reflection"
)

// dumpWidth is the number of bytes in a line of the annotated dump.
const dumpWidth = 8

// dumpFlags are the flags of dump.
type dumpFlags struct {
	source
	regions, code bool
}

func (a *app) dumpCommand() *cobra.Command {
	var flags dumpFlags
	cmd := &cobra.Command{
		Use:   "dump FILE",
		Short: "Print a hexdump in which every byte has an owner",
		Long: `dump prints an annotated hexdump in which every byte has an owner: a field, opaque
bytes, padding, or a gap that nothing refers to. A * stands for rows of a region that
repeat the row above. The table of interface follows. --format json prints the model
of the file with the table as field interface and the GX2 registers by name as field
registers, or with --regions the list of owners. If the strict parser refuses a file,
dump prints the fields that it can decode, with the findings in place; --format json
then prints an object with regions and findings. --format html writes the page with
this file, and all that the page can do, as one file.

Exit status: 0 the file was printed; 1 it was refused; 2 bad arguments or an unreadable
file.`,
		Example: `  picaproof dump shader.shbin
  picaproof dump --format json shader.shbin | jq .dvle[0].entry
  picaproof dump --format json --regions shader.shbin
  picaproof dump --code shader.gsh
  picaproof dump --format html shader.shbin -o shader.html`,
		Args:        arguments(1, 1),
		Annotations: map[string]string{formatsAnnotation: viewFormats},
		RunE:        func(_ *cobra.Command, args []string) error { return a.dump(&flags, args[0]) },
	}
	flags.source.flags(cmd)
	cmd.Flags().BoolVar(&flags.regions, "regions", false,
		"with --format json, print the owner of every byte instead of the model, e.g. "+
			"dump --format json --regions FILE")
	cmd.Flags().BoolVar(&flags.code, "code", false,
		"show each instruction of the programs of a GSH or SHARCFB beside its words, e.g. dump --code shader.gsh")
	return cmd
}

func (a *app) dump(flags *dumpFlags, name string) error {
	f, doc, err := a.parse(&flags.source, name)
	if a.format == "html" && f.known && f.data != nil {
		link, failed := linkOf(&flags.source, f, map[bool]string{false: "look", true: "code"}[flags.code], nil)
		if failed != nil {
			return failed
		}
		return a.standalone(err != nil, link)
	}
	if outline, ok := outlineOf(&flags.source, f, err); ok {
		return a.result(outline, true, func(w io.Writer, p palette) {
			a.dumpText(w, p, f.data, outline.Regions, outline.Findings)
		})
	}
	if err != nil {
		return err
	}
	table, _ := reflection.Of(doc.Model())
	v := withTable(doc.Model(), table, namedRegisters(doc.Regions()))
	owners := doc.Regions
	if flags.code {
		owners = func() []diag.Region { return microcode.Regions(doc.Model(), doc.Regions()) }
	}
	if a.json() && flags.regions {
		v = owners()
	}
	return a.result(v, false, func(w io.Writer, p palette) {
		a.dumpText(w, p, f.data, owners(), nil)
		if !a.quiet {
			tableText(w, &table)
		}
	})
}

// withTable returns a structure with the exported fields of a model, a pointer to a structure, and the fields
// interface and registers. A JSON encoder can write its parts one by one.
func withTable(model any, table reflection.Table, registers []namedRegister) any {
	var fields []reflect.StructField
	var values []reflect.Value
	for _, f := range reflect.VisibleFields(reflect.TypeOf(model).Elem()) {
		if f.IsExported() && !f.Anonymous {
			fields = append(fields, reflect.StructField{Name: f.Name, Type: f.Type, Tag: f.Tag})
			values = append(values, reflect.ValueOf(model).Elem().FieldByIndex(f.Index))
		}
	}
	fields = append(fields, reflect.StructField{
		Name: "Interface", Type: reflect.TypeFor[reflection.Table](), Tag: `json:"interface"`,
	}, reflect.StructField{
		Name: "Registers", Type: reflect.TypeFor[[]namedRegister](), Tag: `json:"registers,omitempty"`,
	})
	values = append(values, reflect.ValueOf(table), reflect.ValueOf(registers))
	to := reflect.New(reflect.StructOf(fields)).Elem()
	for i, v := range values {
		to.Field(i).Set(v)
	}
	return to.Interface()
}

// outlineOf returns the outline of a file that a strict parse refused; ok is false for another
// error.
func outlineOf(src *source, f file, err error) (outline diag.Outline, ok bool) {
	if err == nil || !f.known || f.data == nil {
		return outline, false
	}
	outline = f.format.Outline(f.data, src.opts(f.format)...)
	diag.SortByOffset(outline.Findings)
	return outline, true
}

// dumpText prints the regions of a file and, below a row, the findings whose bytes start in it. Rows
// of a region that repeat the row above are one row with an asterisk. Regions and findings are sorted
// by offset.
func (a *app) dumpText(w io.Writer, p palette, data []byte, regions []diag.Region, findings []diag.Finding) {
	report := func(before int) {
		for len(findings) > 0 && findings[0].Off < before {
			fmt.Fprintf(w, "        ^ %s %s\n", findings[0], p.severity(findings[0].Severity))
			findings = findings[1:]
		}
	}
	var size [diag.GapRegion + 1]int
	for _, r := range regions {
		size[r.Kind] += r.Len
		owner := r.Path
		if r.Kind != diag.FieldRegion {
			owner = fmt.Sprintf("%s (%v)", owner, r.Kind)
		}
		if r.Value != "" {
			owner += " = " + r.Value
		}
		owner += alsoOwned(r.Also)
		var before []byte // the row above
		folded := false
		for at := 0; at < r.Len; at += dumpWidth {
			line := data[r.Off+at : r.Off+min(at+dumpWidth, r.Len)]
			found := len(findings) > 0 && findings[0].Off < r.Off+at+len(line)
			if slices.Equal(line, before) && !found {
				if !folded {
					fmt.Fprintln(w, "*")
				}
				folded = true
				continue
			}
			before, folded = line, false
			fmt.Fprintf(w, "%s  %-*s  %-*s  %s\n", p.dim(fmt.Sprintf("%06x", r.Off+at)),
				3*dumpWidth-1, fmt.Sprintf("% x", line), dumpWidth, printable(line), owner)
			owner = ""
			report(r.Off + min(at+dumpWidth, r.Len))
		}
	}
	report(math.MaxInt)
	if a.quiet {
		return
	}
	fmt.Fprintf(w, "%s: %d in fields, %d opaque, %d padding, %d in gaps\n", plural(len(data), "byte"),
		size[diag.FieldRegion], size[diag.OpaqueRegion], size[diag.PaddingRegion], size[diag.GapRegion])
}

// alsoOwned names the further owners of bytes, at most a few.
func alsoOwned(owners []string) string {
	const few = 3
	s := ""
	for _, owner := range owners[:min(few, len(owners))] {
		s += ", also " + owner
	}
	if len(owners) > few {
		s += fmt.Sprintf(" and %d more", len(owners)-few)
	}
	return s
}

// printable returns the bytes as ASCII, with a dot for unprintable bytes.
func printable(b []byte) string {
	s := make([]byte, len(b))
	for i, c := range b {
		if c < ' ' || c > '~' {
			c = '.'
		}
		s[i] = c
	}
	return string(s)
}
