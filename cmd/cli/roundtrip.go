package cli

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/registry"
)

// roundtrippedFile is one entry of the JSON report of roundtrip.
type roundtrippedFile struct {
	File   string `json:"file"`
	Format string `json:"format"`
	registry.RoundTrip
}

func (a *app) roundtripCommand() *cobra.Command {
	var src source
	cmd := &cobra.Command{
		Use:   "roundtrip FILE...",
		Short: "Parse, write, and compare the bytes",
		Long: `roundtrip parses each file, writes it back and compares byte for byte. Then it
writes the canonical form, picaproof's own layout. It reports whether the file
already has that form, and whether the form is stable: parsed and written again, it
must not change.

Exit status: 0 every file is accepted, identical and stable; 1 one is not; 2 bad
arguments, an unreadable file, or a directory without files of known formats.`,
		Example: `  picaproof roundtrip shader.shbin
  picaproof roundtrip --format json build/`,
		Args: arguments(1, anyNumber),
		RunE: func(_ *cobra.Command, args []string) error {
			return overFiles(a, &src, args, func(f file) roundtrippedFile {
				if !f.known {
					return roundtrippedFile{f.name, "", registry.Refused(unsupported)}
				}
				return roundtrippedFile{f.name, f.format.Name, f.format.RoundTrip(f.data, src.opts(f.format)...)}
			}, func(list []roundtrippedFile, unknown int) error {
				failed := slices.ContainsFunc(list, func(r roundtrippedFile) bool { return !r.OK() })
				report := map[string]any{"files": list, "unknown": unknown}
				return a.result(report, failed, func(w io.Writer, p palette) { a.roundtripText(w, p, list, unknown) })
			})
		},
	}
	src.flags(cmd)
	src.gate.flags(cmd)
	return cmd
}

func (a *app) roundtripText(w io.Writer, p palette, files []roundtrippedFile, unknown int) {
	counts := struct{ accepted, identical, canonical, stable int }{}
	count := func(n *int, ok *bool) {
		if ok != nil && *ok {
			*n++
		}
	}
	for _, r := range files {
		count(&counts.accepted, &r.Accepted)
		count(&counts.identical, &r.Identical)
		count(&counts.canonical, r.Canonical)
		count(&counts.stable, r.Stable)
		switch {
		case r.Error != "":
			fmt.Fprintf(w, "%s: %s\n", shown(r.File), p.bad(r.Error))
		case r.Canonical == nil:
			fmt.Fprintf(w, "%s: %s: %s, without a canonical form\n", shown(r.File), r.Format, p.good("identical"))
		case *r.Canonical:
			fmt.Fprintf(w, "%s: %s: %s, canonical\n", shown(r.File), r.Format, p.good("identical"))
		default:
			fmt.Fprintf(w, "%s: %s: %s, not in canonical form\n", shown(r.File), r.Format, p.good("identical"))
		}
	}
	if a.quiet {
		return
	}
	fmt.Fprintf(w, "%s: %d accepted, %d identical, %d canonical, %d stable%s\n", plural(len(files), "file"),
		counts.accepted, counts.identical, counts.canonical, counts.stable, passedOver(unknown))
}

func (a *app) canonCommand() *cobra.Command {
	var src source
	cmd := &cobra.Command{
		Use:   "canon FILE -o OUT",
		Short: "Rewrite a file in its canonical form",
		Long: `canon parses a file and writes the same content in canonical form, picaproof's own
layout: tables in a fixed order, no gaps, minimal padding.

Exit status: 0 the file was written; 1 the file has no canonical form (a GSH with
opaque blocks has none); 2 bad arguments, or an unreadable file.`,
		Example: `  picaproof canon old.shbin -o new.shbin
  picaproof canon - < old.shbin > new.shbin`,
		Args:        arguments(1, 1),
		Annotations: map[string]string{formatsAnnotation: "text"},
		RunE: func(_ *cobra.Command, args []string) error {
			_, doc, err := a.parse(&src, args[0])
			if err != nil {
				return err
			}
			b, err := doc.Canonical().AppendBinary(nil)
			switch {
			case err != nil && !registry.HasCanonical(doc):
				return failure{fmt.Sprintf("%s: has no canonical form, only its own layout: %v", shown(args[0]), err)}
			case err != nil:
				return fmt.Errorf("%s: %w", shown(args[0]), err)
			}
			return a.binary(bytesOf(b))
		},
	}
	src.flags(cmd)
	return cmd
}
