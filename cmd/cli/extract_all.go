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
	Remark    string `json:"remark,omitempty"`
}

// extractAll writes each distinct code of a file of so many bytes into a directory.
func (a *app) extractAll(f *bnsh.File, form bnsh.Form, dir folder, size uint64) error {
	report, refused, ok := distinctCodes(f, form, mostTimes*size)
	if !ok {
		return failure{fmt.Sprintf("the texts would take more than %d times the bytes of the file", mostTimes)}
	}
	names := []string{tableName}
	for _, file := range report.Files {
		names = append(names, file.Name)
	}
	if err := dir.prepare(names); err != nil {
		return fmt.Errorf("--all: %w", err)
	}
	for i := range report.Files {
		if err := dir.write(report.Files[i].Name, report.Files[i].write); err != nil {
			return err
		}
	}
	if err := dir.write(tableName, asJSON(report)); err != nil {
		return err
	}
	return a.result(report, refused, func(w io.Writer, _ palette) { a.extractedText(w, report) })
}

// distinctCodes returns the stages of all variations and a file for each code with bytes of its own. ok is
// false if the codes, each that is stored once counted once, have more than limit bytes together.
func distinctCodes(f *bnsh.File, form bnsh.Form, limit uint64) (report extracted, refused, ok bool) {
	report = extracted{Form: form.String(), Files: []extractedFile{}, Rows: []extractedRow{}}
	byPlace, bySum, taken := make(map[string]string), make(map[string]string), make(map[string]int)
	for c := range f.Codes() {
		row := extractedRow{Variation: c.Variation, Program: c.Slot.String(), Stage: c.Stage.String(), Remark: c.Remark()}
		start, end, err := c.Cut(form)
		if err != nil {
			row.Refused, refused = err.Error(), true
			report.Rows = append(report.Rows, row)
			continue
		}
		key := fmt.Sprint(start, end, c.Offsets())
		if row.File = byPlace[key]; row.File == "" {
			file := extractedFile{Bytes: c.Code.Size(), write: cutOf(c, form, start, end)}
			if form != bnsh.BlobForm {
				file.Bytes = int64(end - start)
			}
			if limit < uint64(file.Bytes) {
				return report, refused, false
			}
			limit -= uint64(file.Bytes)
			sum := sha256.New()
			_ = file.write(sum) // a hash takes everything
			file.SHA256 = hex.EncodeToString(sum.Sum(nil))
			if file.Name = bySum[file.SHA256]; file.Name == "" {
				file.Name = codeName(c, taken)
				bySum[file.SHA256] = file.Name
				report.Files = append(report.Files, file)
			}
			row.File, byPlace[key] = file.Name, file.Name
		}
		report.Rows = append(report.Rows, row)
	}
	return report, refused, true
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
		if r.Remark != "" {
			file += "; " + r.Remark
		}
		fmt.Fprintf(t, "%d\t%s\t%s\t%s\n", r.Variation, r.Program, r.Stage, file)
	}
	_ = t.Flush() // a buffer takes everything
	_, _ = table.WriteTo(w)
	if !a.quiet {
		fmt.Fprintf(w, "%s for %s\n", plural(len(report.Files), "file"), plural(len(report.Rows), "stage record"))
	}
}
