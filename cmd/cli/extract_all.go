package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/picaproof/picaproof/formats/bnsh"
)

// tableName is the file with the table of extract --all.
const tableName = "variations.json"

// mostTimes limits the files of extract --all to so many times the size of the BNSH: the texts of
// source arrays may be one in the file and many in the output.
const mostTimes = 16

// extracted is the report of extract --all.
type extracted struct {
	Form  string          `json:"form"`
	Files []extractedFile `json:"files"`
	Rows  []extractedRow  `json:"codes"`
}

// extractedFile is a file that was written.
type extractedFile struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
	write  func(w io.Writer) error
}

// extractedRow is a stage of a variation.
type extractedRow struct {
	Variation int    `json:"variation"`
	Program   string `json:"program"` // binary, intermediate or source
	Stage     string `json:"stage"`
	File      string `json:"file,omitempty"`
	Refused   string `json:"refused,omitempty"`
}

// extractAll writes each distinct code of a file of so many bytes into a directory.
func (a *app) extractAll(f *bnsh.File, form bnsh.Form, dir folder, size uint64) error {
	report, refused := distinctCodes(f, form)
	total, names := uint64(0), []string{tableName}
	for _, file := range report.Files {
		total += uint64(file.Bytes)
		names = append(names, file.Name)
	}
	if limit := mostTimes * size; total > limit {
		return failure{fmt.Sprintf("the texts would take %d bytes, more than %d times the file", total, mostTimes)}
	}
	if err := dir.prepare(names); err != nil {
		return fmt.Errorf("--all: %w", err)
	}
	for i := range report.Files {
		file := &report.Files[i]
		sum := sha256.New()
		if err := dir.write(file.Name, func(w io.Writer) error {
			return file.write(io.MultiWriter(w, sum))
		}); err != nil {
			return err
		}
		file.SHA256 = hex.EncodeToString(sum.Sum(nil))
	}
	if err := dir.write(tableName, asJSON(report)); err != nil {
		return err
	}
	return a.result(report, refused, func(w io.Writer, _ palette) { a.extractedText(w, report) })
}

// distinctCodes returns the stages of all variations and the files for their codes.
func distinctCodes(f *bnsh.File, form bnsh.Form) (report extracted, refused bool) {
	report = extracted{Form: form.String(), Files: []extractedFile{}, Rows: []extractedRow{}}
	files, taken := make(map[string]string), make(map[string]int)
	for c := range f.Codes() {
		row := extractedRow{Variation: c.Variation, Program: c.Slot.String(), Stage: c.Stage.String()}
		start, end, err := c.Cut(form)
		if err != nil {
			row.Refused, refused = err.Error(), true
			report.Rows = append(report.Rows, row)
			continue
		}
		key := fmt.Sprint(start, end, c.Offsets())
		if row.File = files[key]; row.File == "" {
			row.File = codeName(c, taken)
			files[key] = row.File
			report.Files = append(report.Files, extractedFile{Name: row.File, Bytes: c.Code.Size(),
				write: cutOf(c, form, start, end)})
			if form != bnsh.BlobForm {
				report.Files[len(report.Files)-1].Bytes = int64(end - start)
			}
		}
		report.Rows = append(report.Rows, row)
	}
	return report, refused
}

// codeName returns a name for a code that none has yet: its stage and its offset. Of a code with
// several texts it is the offset of its record.
func codeName(c bnsh.StageCode, taken map[string]int) string {
	off, extension := c.Layout.Code, "bin"
	if len(c.Code.Texts) > 0 {
		off, extension = c.Layout.Record, "txt"
	}
	name := fmt.Sprintf("%s-%08x", c.Stage, off)
	if taken[name]++; taken[name] > 1 { // controls differ about one code
		name += fmt.Sprintf("-%d", taken[name])
	}
	return name + "." + extension
}

func (a *app) extractedText(w io.Writer, report extracted) {
	var table bytes.Buffer
	t := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "VARIATION\tPROGRAM\tSTAGE\tFILE")
	for _, r := range report.Rows {
		file := r.File
		if r.Refused != "" {
			file = "refused: " + r.Refused
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", r.Variation, r.Program, r.Stage, file)
	}
	_ = t.Flush() // a buffer takes everything
	_, _ = table.WriteTo(w)
	if !a.quiet {
		fmt.Fprintf(w, "%s for %s\n", plural(len(report.Files), "file"), plural(len(report.Rows), "stage record"))
	}
}
