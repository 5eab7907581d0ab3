package cli

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/gsh"
)

// extractFlags are the flags of extract.
type extractFlags struct {
	source
	stageFlags
	form, all  string
	everything bool // all is set
}

func (a *app) extractCommand() *cobra.Command {
	var flags extractFlags
	cmd := &cobra.Command{
		Use:   "extract FILE -o OUT",
		Short: "Write the code of one stage of a variation to a file, or all code to a directory",
		Long: `extract copies the code of one stage of a variation out of a file. Of a BNSH it takes
the binary program, else the intermediate program, else the source. Of a GSH it takes
the code of a stage (vertex, pixel, geometry or copy) of the shaders that the command
variations lists.

--form says which bytes of the plain binary code of a BNSH: blob, all of them; full, the
program with its header of 0x50 bytes, as emulators' shader tools read it; code, the
instructions alone, as nvdisasm -b SM52 reads them. The compiler's constants behind the
program belong to neither. full and code are refused if the control does not say where
the program is. A remark says when the program header is that of another stage.

--all DIR writes all code of a BNSH: each distinct code once, in a file named by its stage
and its offset. The report is a table of the stages of every variation and their files,
which also is DIR/` + tableName + `. No file is replaced. A code that is refused has no file,
and the exit status is then 1.`,
		Example: `  picaproof extract shaders.bnsh --variation 0 --stage vertex -o vertex.bin
  picaproof extract shaders.bnsh --variation 0 --stage pixel --form code -o pixel.sm52
  picaproof extract shaders.bnsh --all shaders --form full
  picaproof extract shader.gsh --stage pixel -o pixel.bin`,
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.everything = cmd.Flags().Changed("all")
			return a.extract(&flags, args[0])
		},
	}
	flags.source.flags(cmd)
	flags.stageFlags.flags(cmd, gsh.CopyStage)
	f := cmd.Flags()
	f.StringVar(&flags.form, "form", "blob", "bytes of a BNSH's code: blob, full or code, e.g. --form code")
	f.StringVar(&flags.all, "all", "", "write all code of a BNSH into this directory, e.g. --all shaders")
	cmd.MarkFlagsMutuallyExclusive("all", "variation")
	cmd.MarkFlagsMutuallyExclusive("all", "stage")
	closedList(cmd, "form", "blob", "full", "code")
	return cmd
}

func (a *app) extract(flags *extractFlags, name string) error {
	if a.json() && !flags.everything {
		return errors.New("--format json: extract prints json with --all only")
	}
	var form bnsh.Form
	if err := form.UnmarshalText([]byte(flags.form)); err != nil {
		return fmt.Errorf("--form: %w", err)
	}
	f, doc, err := a.parse(&flags.source, name)
	if err != nil {
		return err
	}
	switch m := doc.Model().(type) {
	case *bnsh.File:
		if flags.everything {
			return a.extractAll(m, form, folder(flags.all), uint64(len(f.data)))
		}
		return a.extractStage(name, m, &flags.stageFlags, form)
	case *gsh.File:
		if flags.everything || form != bnsh.BlobForm {
			return failure{shown(name) + ": --all and --form are for BNSH files only"}
		}
		code, err := m.Code(flags.variation, flags.stage)
		if err != nil {
			return err
		}
		return a.code(fmt.Sprintf("variation %d, %s", flags.variation, flags.stage), "", bytesOf(code))
	}
	return failure{shown(name) + ": code is extracted from BNSH and GSH files only"}
}

// stageFlags name a stage of a variation.
type stageFlags struct {
	variation int
	stage     string
}

// flags adds the flags. The stages are those of a BNSH, of which a GSH has some, and others.
func (s *stageFlags) flags(cmd *cobra.Command, others ...string) {
	cmd.Flags().IntVar(&s.variation, "variation", 0, "index of the variation, e.g. --variation 3")
	cmd.Flags().StringVar(&s.stage, "stage", "vertex", "stage of the code, e.g. --stage pixel")
	var names []string
	for s := range bnsh.Stage(bnsh.NumStages) {
		names = append(names, s.String())
	}
	closedList(cmd, "stage", append(names, others...)...)
}

// ofBNSH returns the stage of a BNSH.
func (s *stageFlags) ofBNSH() (stage bnsh.Stage, err error) {
	if err := stage.UnmarshalText([]byte(s.stage)); err != nil {
		return stage, fmt.Errorf("--stage: %w", err)
	}
	return stage, nil
}

// extractStage writes the code of one stage of a variation.
func (a *app) extractStage(name string, m *bnsh.File, of *stageFlags, form bnsh.Form) error {
	s, err := of.ofBNSH()
	if err != nil {
		return err
	}
	c, err := m.Stage(of.variation, s)
	if err != nil {
		return err
	}
	start, end, err := c.Cut(form)
	if err != nil {
		return failure{shown(name) + ": " + err.Error()}
	}
	where := ""
	if form != bnsh.BlobForm {
		where = fmt.Sprintf(", 0x%x to 0x%x of the blob", start, end-1)
	}
	if remark := c.Remark(); remark != "" {
		where += "; " + remark
	}
	return a.code(fmt.Sprintf("variation %d, %v", of.variation, s), where, cutOf(c, form, start, end))
}

// code writes the code of a stage, and says on standard error how long it is, its hash, and where it was.
func (a *app) code(name, where string, write func(w io.Writer) error) error {
	sum := sha256.New()
	var size length
	if err := a.binary(func(w io.Writer) error { return write(io.MultiWriter(w, sum, &size)) }); err != nil {
		return err
	}
	if !a.quiet {
		fmt.Fprintf(a.stderr, "%s: %s, sha256 %x%s\n", name, plural(int(size), "byte"), sum.Sum(nil), where)
	}
	return nil
}

// length is the number of bytes that were written to it.
type length int

func (n *length) Write(b []byte) (int, error) {
	*n += length(len(b))
	return len(b), nil
}

// cutOf returns a function that writes the part of a code that Cut found.
func cutOf(c bnsh.StageCode, form bnsh.Form, start, end int) func(w io.Writer) error {
	return func(w io.Writer) error {
		if form != bnsh.BlobForm {
			return bytesOf(c.Code.Code[start:end])(w)
		}
		_, err := c.Code.WriteTo(w)
		return err
	}
}
