package cli

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/internal/safetext"
)

// replaced is the report of replace.
type replaced struct {
	Changes  []bnsh.Change  `json:"changes"`
	Findings []diag.Finding `json:"findings"` // that the old file does not have
}

// replaceFlags are the flags of replace.
type replaceFlags struct {
	source
	stageFlags
	code, control string // names of files
}

func (a *app) replaceCommand() *cobra.Command {
	var flags replaceFlags
	cmd := &cobra.Command{
		Use:   "replace FILE -o OUT",
		Short: "Replace the code or the control of one stage of a variation",
		Long: `replace writes a BNSH in which one stage of a variation has other code (--code, in
form blob of extract), another control (--control), or both. Variations that share the
old bytes keep them. If no other stage shares them and the new ones are as long, all
other bytes stay. Else the file is laid out anew: offsets, sizes and relocations change,
and bytes that belong to no structure are dropped. If the code gets longer or shorter
and the control stays, the control's word about the size of the code follows.

Standard error lists each change, dropped bytes too: for records, strings and relocations
that move by the same distance the first and their number. It then lists findings of the
new file that the old one does not have.

Exit status: 0 the file was written; 1 the file was refused, or is no BNSH; 2 bad
arguments, or a file that cannot be read or written.`,
		Example: `  picaproof replace shaders.bnsh --variation 3 --stage pixel --code pixel.bin -o new.bnsh`,
		Args:    arguments(1, 1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.replace(&flags, args[0]) },
	}
	flags.source.flags(cmd)
	flags.stageFlags.flags(cmd)
	f := cmd.Flags()
	f.StringVar(&flags.code, "code", "", "file with the new code, e.g. --code pixel.bin")
	f.StringVar(&flags.control, "control", "", "file with the new control, e.g. --control pixel.control")
	return cmd
}

func (a *app) replace(flags *replaceFlags, name string) error {
	if flags.code == "" && flags.control == "" {
		return errors.New("name the new bytes with --code or --control")
	}
	if err := a.notToTerminal(); err != nil {
		return err
	}
	s, err := flags.ofBNSH()
	if err != nil {
		return err
	}
	f, doc, err := a.parse(&flags.source, name)
	if err != nil {
		return err
	}
	old, ok := doc.Model().(*bnsh.File)
	if !ok {
		return failure{shown(name) + ": code is replaced in BNSH files only"}
	}
	var r bnsh.Replacement
	for _, part := range []struct {
		file string
		to   *[]byte
	}{{flags.code, &r.Code}, {flags.control, &r.Control}} {
		if part.file == "" {
			continue
		}
		b, err := a.read(part.file)
		if err != nil {
			return err
		}
		*part.to = append([]byte{}, b...) // not nil: an empty file is refused
	}
	b, report, err := replaceStage(old, f.data, flags.variation, s, r)
	if err != nil {
		return fmt.Errorf("%s: %w", shown(name), err)
	}
	if err := a.replaceReport(report); err != nil {
		return err
	}
	return a.report(bytesOf(b))
}

// replaceStage returns the bytes of a file with a replaced stage, and what differs from the old
// bytes.
func replaceStage(old *bnsh.File, data []byte, variation int, stage bnsh.Stage, r bnsh.Replacement) (b []byte,
	report replaced, err error) {
	changed, err := old.Replace(variation, stage, r)
	if err != nil {
		return nil, report, err
	}
	if b, err = changed.AppendBinary(nil); err != nil {
		return nil, report, err
	}
	written, err := bnsh.Parse(b)
	if err != nil {
		return nil, report, err
	}
	report = replaced{append([]bnsh.Change{}, old.Changes(written)...), []diag.Finding{}}
	if len(b) != len(data) {
		report.Changes = append(report.Changes, bnsh.Change{Path: "file", What: "size", Count: 1,
			Old: uint64(len(data)), New: uint64(len(b))})
	}
	type cause struct{ rule, path string }
	before := make(map[cause]bool)
	for _, f := range bnsh.Check(data) {
		before[cause{f.Rule, f.Path}] = true
	}
	for _, f := range bnsh.Check(b) {
		if !before[cause{f.Rule, f.Path}] {
			report.Findings = append(report.Findings, f)
		}
	}
	return b, report, nil
}

// replaceReport prints what a replacement changed on standard error.
func (a *app) replaceReport(report replaced) error {
	if a.json() {
		return encoder(a.stderr, "  ").Encode(report)
	}
	for _, c := range report.Changes {
		fmt.Fprintln(a.stderr, safetext.Line(c.String()))
	}
	for _, f := range report.Findings {
		fmt.Fprintln(a.stderr, safetext.Line(f.String()), palette{}.severity(f.Severity))
	}
	if !a.quiet && len(report.Changes) == 0 {
		fmt.Fprintln(a.stderr, "no offset and no size changed")
	}
	return nil
}
