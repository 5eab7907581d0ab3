package report

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Case has the inputs that show a cause, as files, and a command that gives them to the judged program.
type Case struct {
	Files []CaseFile
	// Output is what the judged program wrote, nil if it wrote nothing.
	Output *CaseFile
	// Command returns the command line for files with the given names, in the order of Files. It may be
	// nil.
	Command func(names []string) string
}

// CaseFile is a file of a case; its name is a plain one.
type CaseFile struct {
	Name string
	Data []byte
}

// command returns the command line for the given names, "" if there is none.
func (c *Case) command(names []string) string {
	if c.Command == nil || len(names) < len(c.Files) {
		return ""
	}
	return c.Command(names[:len(c.Files)])
}

// names returns the names of the files in the current directory.
func (c *Case) names() (list []string) {
	for _, f := range c.Files {
		list = append(list, f.Name)
	}
	return list
}

// longCommand is the length from which a command names files instead of their contents.
const longCommand = 200

// byNumber returns the command of a deviation with a reference to a report in the place of the job, "" if
// it has no such command.
func (d *Deviation) byNumber(file string) string {
	const flag = " --job "
	at := strings.LastIndex(d.Reproduce, flag)
	if file == "" || len(d.Job) == 0 || at < 0 || !strings.HasPrefix(d.Reproduce, "picaproof compare ") {
		return ""
	}
	return d.Reproduce[:at] + flag + fmt.Sprintf("@%s#%d", file, d.Number)
}

// Repeat returns a command for display that repeats the failure. A long one names the files of
// [Report.WriteCases], or files that the reader has to make.
func (d *Deviation) Repeat() string {
	if d.short != "" {
		return d.short
	}
	if len(d.Reproduce) < longCommand {
		return d.Reproduce
	}
	if named := d.Case.command(d.Files); named != "" {
		return named
	}
	names := d.Case.names()
	if named := d.Case.command(names); named != "" {
		return fmt.Sprintf("%s # --cases-dir DIR writes %s", named, strings.Join(names, " and "))
	}
	return d.Reproduce
}

// WriteCases writes the files of each cause into a directory of its own below dir, and notes their
// names in the report. It replaces files of the same names, and follows no link out of dir.
func (r *Report) WriteCases(dir string) (err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	taken := map[string]bool{}
	for i := range r.Deviations {
		d := &r.Deviations[i]
		if len(d.Case.Files) == 0 {
			continue
		}
		base := plainName(string(d.Verdict) + " " + strings.TrimPrefix(d.Bucket, string(d.Verdict)))
		name := base
		for n := 2; taken[name]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		taken[name] = true
		if err := root.Mkdir(name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		d.Files = nil
		files := d.Case.Files
		if d.Case.Output != nil {
			files = append(slices.Clone(files), *d.Case.Output)
		}
		for _, f := range files {
			if err := root.WriteFile(filepath.Join(name, f.Name), f.Data, 0o666); err != nil {
				return err
			}
			d.Files = append(d.Files, filepath.Join(dir, name, f.Name))
		}
	}
	return nil
}

// plainName returns a text as a name of a file: lower case letters, digits and hyphens.
func plainName(text string) string {
	const most = 60
	words := strings.FieldsFunc(strings.ToLower(text),
		func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	name := strings.Join(words, "-")
	return cmp.Or(strings.Trim(name[:min(len(name), most)], "-"), "cause")
}
