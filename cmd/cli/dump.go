package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/diag"
)

// dumpWidth is how many bytes a line of the annotated dump shows.
const dumpWidth = 8

func (a *app) dumpCommand() *cobra.Command {
	var src source
	var regions bool
	cmd := &cobra.Command{
		Use:   "dump FILE",
		Short: "Show every byte of a file with its owner",
		Long: `dump prints an annotated hexdump in which every byte has an owner: a field, an
opaque run, padding, or a gap that nothing refers to. As JSON it is the model of
the file, or with --regions the list of owners.`,
		Example: `  picaproof dump shader.shbin
  picaproof dump --format json shader.shbin | jq .dvle[0].entry
  picaproof dump --format json --regions shader.shbin`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			f, doc, err := a.parse(&src, args[0])
			if err != nil {
				return err
			}
			switch {
			case a.json() && regions:
				return a.reportJSON(doc.Regions())
			case a.json():
				return a.reportJSON(doc.Model())
			}
			return a.report(func(w io.Writer) error { return a.dumpText(w, f.data, doc.Regions()) })
		},
	}
	src.flags(cmd)
	cmd.Flags().BoolVar(&regions, "regions", false, "as JSON, the owner of every byte instead of the model, e.g. dump --format json --regions FILE")
	return cmd
}

func (a *app) dumpText(w io.Writer, data []byte, regions []diag.Region) error {
	p := a.palette(w)
	var bytes [diag.GapRegion + 1]int
	for _, r := range regions {
		bytes[r.Kind] += r.Len
		owner := r.Path
		if r.Kind != diag.FieldRegion {
			owner = fmt.Sprintf("%s (%v)", owner, r.Kind)
		}
		if r.Value != "" {
			owner += " = " + r.Value
		}
		owner += alsoOwned(r.Also)
		for at := 0; at < r.Len; at += dumpWidth {
			line := data[r.Off+at : r.Off+min(at+dumpWidth, r.Len)]
			fmt.Fprintf(w, "%s  %-*s  %-*s  %s\n", p.dim(fmt.Sprintf("%06x", r.Off+at)),
				3*dumpWidth-1, spaced(line), dumpWidth, printable(line), owner)
			owner = ""
		}
	}
	if a.quiet {
		return nil
	}
	_, err := fmt.Fprintf(w, "%s: %d in fields, %d opaque, %d padding, %d in gaps\n", plural(len(data), "byte"),
		bytes[diag.FieldRegion], bytes[diag.OpaqueRegion], bytes[diag.PaddingRegion], bytes[diag.GapRegion])
	return err
}

// alsoOwned names the further owners of bytes, the first few of many.
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

// printable returns the bytes as ASCII, a dot for what does not print.
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
