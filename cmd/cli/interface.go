package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/reflection"
)

// interfaceReport is the JSON report of interface about a file.
type interfaceReport struct {
	File   string `json:"file"`
	Format string `json:"format"`
	Error  string `json:"error,omitempty"` // why the file is refused
	reflection.Table
}

func (a *app) interfaceCommand() *cobra.Command {
	var src source
	cmd := &cobra.Command{
		Use:   "interface FILE...",
		Short: "Print the inputs, outputs, uniforms and samplers of shaders",
		Long: `interface reads files, and directories with their subdirectories, and prints a table
for each shader: inputs, outputs, uniforms, blocks, samplers and constants, with name,
type, register or location, block, and offset in bytes. For GX2 shaders that are used
together it prints which output feeds which input of the pixel shader. What a format
does not record is listed as unknown. Files of unknown formats are counted in
directories; a named one is an error. --format json prints an array with an object for
each file (formats/reflection/interface.schema.json).

Exit status: 0 all files were read; 1 a file is refused; 2 bad arguments, an
unreadable file, or a directory without files of known formats.`,
		Example: `  picaproof interface shader.shbin
  picaproof interface build/
  picaproof interface --format json shader.gsh | jq .[0].shaders[0].outputs`,
		Args: arguments(1, anyNumber),
		RunE: func(_ *cobra.Command, args []string) error {
			one := func(f file) interfaceReport { return interfaceOf(&src, f) }
			return overFiles(a, &src, args, one, func(reports []interfaceReport, unknown int) error {
				refused := slices.ContainsFunc(reports, func(r interfaceReport) bool { return r.Error != "" })
				return a.result(reports, refused, func(w io.Writer, p palette) {
					for i := range reports {
						interfaceText(w, p, &reports[i])
					}
					if unknown > 0 && !a.quiet {
						fmt.Fprintf(w, "%s%s\n", plural(len(reports), "file"), passedOver(unknown))
					}
				})
			})
		},
	}
	src.flags(cmd)
	src.gate.flags(cmd)
	return cmd
}

// interfaceOf returns the interface of a file, or why the file is refused.
func interfaceOf(src *source, f file) interfaceReport {
	r := interfaceReport{File: f.name, Table: reflection.Table{Shaders: []reflection.Shader{}}}
	if !f.known {
		r.Error = unsupported
		return r
	}
	r.Format = f.format.Name
	doc, err := f.format.Parse(f.data, src.opts(f.format)...)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	r.Table, _ = reflection.Of(doc.Model())
	return r
}

func interfaceText(w io.Writer, p palette, r *interfaceReport) {
	if r.Error != "" {
		fmt.Fprintf(w, "%s: %s %s\n", shown(r.File), r.Error, p.severity(diag.Error))
		return
	}
	fmt.Fprintf(w, "%s\n", p.bold(shown(r.File)+": "+r.Format))
	tableText(w, &r.Table)
}

// tableText prints the shaders of a file, and which output feeds which input.
func tableText(w io.Writer, t *reflection.Table) {
	for i := range t.Shaders {
		shaderText(w, &t.Shaders[i])
	}
	if len(t.Links)+len(t.Unread) == 0 {
		return
	}
	fmt.Fprintln(w, "links")
	for _, l := range t.Links {
		from := l.From
		if from == "" {
			from = "no output, reads " + l.Default
		}
		fmt.Fprintf(w, "  %s (semantic %s) <- %s\n", l.Input, l.Semantic, from)
	}
	for _, u := range t.Unread {
		fmt.Fprintf(w, "  %s -> no input of %s\n", u.Output, u.Pixel)
	}
}

func shaderText(w io.Writer, s *reflection.Shader) {
	head := []string{s.Stage}
	if s.Name != "" {
		head = append(head, shown(string(s.Name)))
	}
	if s.Entry != nil {
		head = append(head, "entry "+strconv.Itoa(*s.Entry))
	}
	if s.Mode != "" {
		head = append(head, "mode "+s.Mode)
	}
	if s.Geometry != "" {
		head = append(head, s.Geometry)
	}
	if s.GX2 != nil {
		if s.GX2.CodeBytes != nil {
			head = append(head, "code "+plural(*s.GX2.CodeBytes, "byte"))
		}
		head = append(head, fmt.Sprintf("NUM_GPRS %d", s.GX2.NumGPRs), fmt.Sprintf("STACK_SIZE %d", s.GX2.StackSize))
	}
	if s.WorkGroup != nil {
		head = append(head, fmt.Sprintf("work group %d, %d, %d", s.WorkGroup[0], s.WorkGroup[1], s.WorkGroup[2]))
	}
	fmt.Fprintf(w, "%s: %s\n", s.Path, strings.Join(head, ", "))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	exports, outputs := exportList(s.Outputs)
	rows := func(kind string, list []reflection.Variable) {
		for i := range list {
			fmt.Fprintf(t, "  %s\t%s\n", kind, variableText(&list[i]))
		}
	}
	rows("input", s.Inputs)
	if exports != "" {
		fmt.Fprintf(t, "  outputs\t%s\n", exports)
	}
	rows("output", outputs)
	rows("uniform", s.Uniforms)
	rows("block", s.Blocks)
	rows("sampler", s.Samplers)
	rows("buffer", s.Buffers)
	rows("image", s.Images)
	rows("texture", s.Textures)
	for _, c := range s.Constants {
		fmt.Fprintf(t, "  constant\t%s = %s\n", c.Register, c.Value)
	}
	if len(s.Unknown) > 0 {
		fmt.Fprintf(t, "  unknown\t%s\n", strings.Join(s.Unknown, ", "))
	}
	t.Flush() // t stores a failed write
}

// exportList returns the parameters of a GX2 shader as one text, "PARAM0-2 = 64 65 66", and the other outputs.
func exportList(outputs []reflection.Variable) (text string, others []reflection.Variable) {
	if len(outputs) == 0 || outputs[0].Register != "PARAM0" {
		return "", outputs
	}
	semantics := make([]string, len(outputs))
	for i, v := range outputs {
		semantics[i] = v.Semantic
	}
	register := "PARAM0"
	if len(outputs) > 1 {
		register += "-" + strconv.Itoa(len(outputs)-1)
	}
	return register + " = " + strings.Join(semantics, " "), nil
}

// variableText prints a row without its kind.
func variableText(v *reflection.Variable) string {
	var parts []string
	add := func(label, value string) {
		if value != "" {
			parts = append(parts, label+value)
		}
	}
	add("", shown(string(v.Name)))
	add("", v.Type)
	if v.Count > 1 {
		parts = append(parts, "count "+strconv.FormatUint(uint64(v.Count), 10))
	}
	add("", v.Register)
	add("", v.GPR)
	add("semantic ", v.Semantic)
	add("", v.Interpolation)
	if v.Location != nil {
		parts = append(parts, "location "+strconv.FormatInt(*v.Location, 10))
	}
	add("block ", shown(string(v.Block)))
	if v.Offset != nil {
		parts = append(parts, "offset "+strconv.FormatUint(*v.Offset, 10))
	}
	if v.Size != nil {
		parts = append(parts, "size "+strconv.FormatUint(*v.Size, 10))
	}
	add("else ", v.Default)
	return strings.Join(parts, "  ")
}
