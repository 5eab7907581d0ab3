package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/pattern"
	"github.com/picaproof/picaproof/internal/nearest"
)

// recordForms are the tools for which the record tables are written.
var recordForms = []struct {
	name, tool, ending string
	write              func(d *pattern.Description, w io.Writer) error
}{
	{"hexpat", "a pattern of ImHex", "hexpat", (*pattern.Description).WriteHexpat},
	{"ksy", "a type of Kaitai Struct", "ksy", (*pattern.Description).WriteKSY},
}

func (a *app) exportCommand() *cobra.Command {
	var list []*cobra.Command
	for _, form := range recordForms {
		var order string
		cmd := &cobra.Command{
			Use:   form.name + " FORMAT [FILE]",
			Short: "Write the records of a format as " + form.tool,
			Long: form.name + ` writes the record tables of a format as ` + form.tool + `: every record with
names, sizes and meanings of its fields. The tables do not say where records lie, so only
the first one is placed. With a file of the format all records of this file are placed.

Exit status: 0 the records were written; 2 bad arguments, or a file that cannot be read or
written.`,
			Example: fmt.Sprintf("  picaproof export %s shbin -o shbin.%s\n"+
				"  picaproof export %[1]s shbin shader.shbin -o shader.%[2]s", form.name, form.ending),
			Args:        arguments(1, 2),
			ValidArgs:   pattern.Names(),
			Annotations: map[string]string{formatsAnnotation: "text"},
			RunE: func(_ *cobra.Command, args []string) error {
				d, ok := pattern.Of(args[0])
				if !ok {
					return fmt.Errorf("%q has no records: want %s%s", args[0], alternatives(pattern.Names()),
						nearest.Hint(args[0], pattern.Names()))
				}
				if order != "" {
					d.Big = order == "big"
				}
				if len(args) == 2 {
					f, err := a.open(&source{as: args[0]}, args[1])
					if err != nil {
						return err
					}
					d.Place(f.format.Outline(f.data).Regions)
				}
				return a.text(func(w io.Writer) error { return form.write(&d, w) })
			},
		}
		cmd.Flags().StringVar(&order, "order", "", "byte order: little or big; default the usual one, e.g. --order little")
		closedList(cmd, "order", "little", "big")
		list = append(list, cmd)
	}
	return group("export", "Write the records of a format for other tools",
		"  picaproof export hexpat shbin -o shbin.hexpat", list...)
}
