package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
)

// roundtrippedFile is one entry of the JSON report of roundtrip.
type roundtrippedFile struct {
	File      string `json:"file"`
	Format    string `json:"format"`
	Accepted  bool   `json:"accepted"`
	Identical bool   `json:"identical"`
	Canonical bool   `json:"canonical"`
	Stable    bool   `json:"stable"`
	Error     string `json:"error,omitempty"`
}

func (a *app) roundtripCommand() *cobra.Command {
	var src source
	cmd := &cobra.Command{
		Use:   "roundtrip FILE...",
		Short: "Parse, write, and compare the bytes",
		Long: `roundtrip parses each file, writes it back and compares byte for byte. Then it
writes the canonical form, the layout we would choose, says whether the file
already has it, and whether the canonical form is stable: parsed and written
again it must not change.

Exit status: 0 every file is accepted, identical and stable; 1 one is not; 2 bad
arguments or a file that cannot be read.`,
		Example: `  picaproof roundtrip shader.shbin
  picaproof roundtrip --format json build/`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			files := []roundtrippedFile{}
			failed := false
			unknown, unread := a.each(&src, args, func(f file) {
				r := roundtrip(&src, f)
				files = append(files, r)
				failed = failed || r.Error != "" || !r.Identical || !r.Stable
			})
			if len(files) == 0 && unread != nil {
				return unread
			}
			var err error
			if a.json() {
				err = a.reportJSON(map[string]any{"files": files, "unknown": unknown})
			} else {
				err = a.report(func(w io.Writer) error { return a.roundtripText(w, files, unknown) })
			}
			if err = cmp.Or(err, unread); err == nil && failed {
				return errFindings
			}
			return err
		},
	}
	src.flags(cmd)
	return cmd
}

func roundtrip(src *source, f file) roundtrippedFile {
	r := roundtrippedFile{File: f.name}
	if !f.known {
		r.Error = "unsupported: no known magic or extension"
		return r
	}
	r.Format = f.format.Name
	opts := src.opts(f.format)
	doc, err := f.format.Parse(f.data, opts...)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	r.Accepted = true
	written, err := doc.AppendBinary(nil)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	r.Identical = bytes.Equal(written, f.data)
	if !r.Identical {
		r.Error = firstDifference(f.data, written)
		return r
	}
	canonical, err := doc.Canonical().AppendBinary(nil)
	if err != nil {
		r.Error = "canonical form: " + err.Error()
		return r
	}
	r.Canonical = bytes.Equal(canonical, f.data)
	again, err := f.format.Parse(canonical, opts...)
	if err == nil {
		var second []byte
		if second, err = again.Canonical().AppendBinary(nil); err == nil && !bytes.Equal(second, canonical) {
			err = errors.New(firstDifference(canonical, second))
		}
	}
	if err != nil {
		r.Error = "canonical form is not stable: " + err.Error()
		return r
	}
	r.Stable = true
	return r
}

// firstDifference says where two byte strings part.
func firstDifference(want, got []byte) string {
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			return fmt.Sprintf("0x%04x: wrote %02x, read %02x", i, got[i], want[i])
		}
	}
	return fmt.Sprintf("wrote %s, read %s", plural(len(got), "byte"), plural(len(want), "byte"))
}

func (a *app) roundtripText(w io.Writer, files []roundtrippedFile, unknown int) error {
	p := a.palette(w)
	counts := struct{ accepted, identical, canonical, stable int }{}
	count := func(n *int, ok bool) {
		if ok {
			*n++
		}
	}
	for _, r := range files {
		count(&counts.accepted, r.Accepted)
		count(&counts.identical, r.Identical)
		count(&counts.canonical, r.Canonical)
		count(&counts.stable, r.Stable)
		switch {
		case r.Error != "":
			fmt.Fprintf(w, "%s: %s\n", shown(r.File), p.bad(r.Error))
		case r.Canonical:
			fmt.Fprintf(w, "%s: %s: %s, canonical\n", shown(r.File), r.Format, p.good("identical"))
		default:
			fmt.Fprintf(w, "%s: %s: %s, not in canonical form\n", shown(r.File), r.Format, p.good("identical"))
		}
	}
	if a.quiet {
		return nil
	}
	fmt.Fprintf(w, "%s: %d accepted, %d identical, %d canonical, %d stable", plural(len(files), "file"),
		counts.accepted, counts.identical, counts.canonical, counts.stable)
	if unknown > 0 {
		fmt.Fprintf(w, "; %s of unknown format passed over", plural(unknown, "file"))
	}
	_, err := fmt.Fprintln(w)
	return err
}

func (a *app) canonCommand() *cobra.Command {
	var src source
	cmd := &cobra.Command{
		Use:   "canon FILE -o OUT",
		Short: "Rewrite a file in its canonical form",
		Long: `canon parses a file and writes the same content in the layout we would choose:
tables in a fixed order, no gaps, minimal padding.`,
		Example: `  picaproof canon old.shbin -o new.shbin
  picaproof canon - < old.shbin > new.shbin`,
		Args:        cobra.ExactArgs(1),
		Annotations: map[string]string{formatsAnnotation: "text"},
		RunE: func(_ *cobra.Command, args []string) error {
			_, doc, err := a.parse(&src, args[0])
			if err != nil {
				return err
			}
			b, err := doc.Canonical().AppendBinary(nil)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			if a.output == "" && terminal(a.stdout) {
				return errors.New("not writing a binary file to a terminal: name it with -o, e.g. -o new.shbin")
			}
			return a.report(func(w io.Writer) error { _, err := w.Write(b); return err })
		},
	}
	src.flags(cmd)
	return cmd
}
