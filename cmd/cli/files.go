package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
)

// source selects the format of the files a command reads.
type source struct {
	as      string
	options []string
	// also reports whether the command reads a file that no format recognises. It
	// may be nil.
	also func(f file) bool
}

func (s *source) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.as, "as", "", "treat the file as this format, or revision of one, whatever it looks like, e.g. --as shbin, --as zpsh@3")
	cmd.Flags().StringSliceVar(&s.options, "accept", nil, "accept a known deviation, e.g. --accept emulator-dump")
	var names, leniencies []string
	for f := range registry.All() {
		names = append(names, f.Name)
		for _, v := range f.Variants {
			names = append(names, f.Name+"@"+v.Name)
		}
		for _, l := range f.Leniencies {
			leniencies = append(leniencies, string(l.Option)+"\t"+l.Text)
		}
	}
	must(cmd.RegisterFlagCompletionFunc("as", words(names...)))
	must(cmd.RegisterFlagCompletionFunc("accept", words(leniencies...)))
}

// file is one input with the format it was found to have.
type file struct {
	name   string
	data   []byte
	format registry.Format
	known  bool // false: no format recognises it
}

// opts returns the variant asked for and the leniencies asked for that the
// file's format knows.
func (s *source) opts(f registry.Format) []registry.Option {
	var opts []registry.Option
	_, name, _ := strings.Cut(s.as, "@")
	if option, ok := f.Variant(name); ok {
		opts = append(opts, option)
	}
	for _, name := range s.options {
		for _, l := range f.Leniencies {
			if string(l.Option) == name {
				opts = append(opts, l.Option)
			}
		}
	}
	return opts
}

// formatNamed returns the format of a name, one that a test adds included.
func (a *app) formatNamed(name string) (registry.Format, bool) {
	for _, f := range a.Formats {
		if f.Name == name {
			return f.Format, true
		}
	}
	return registry.ByName(name)
}

// generator returns the generator of a format.
func (a *app) generator(name string) (gen.Format, bool) {
	for _, f := range a.Formats {
		if f.Name == name {
			return f.Generator, true
		}
	}
	return files.ByName(name)
}

// validate refuses formats, variants and deviations that do not exist.
func (a *app) validate(s *source) error {
	if s.as != "" {
		name, variant, hasVariant := strings.Cut(s.as, "@")
		f, ok := a.formatNamed(name)
		if !ok {
			return fmt.Errorf("--as %q: no such format", s.as)
		}
		if _, ok := f.Variant(variant); hasVariant && !ok {
			return fmt.Errorf("--as %q: %s has no variant %q", s.as, name, variant)
		}
	}
	for _, name := range s.options {
		known := false
		for f := range registry.All() {
			for _, l := range f.Leniencies {
				known = known || string(l.Option) == name
			}
		}
		if !known {
			return fmt.Errorf("--accept %q: no such deviation", name)
		}
	}
	return nil
}

// open reads one named file; "-" is standard input.
func (a *app) open(s *source, name string) (file, error) {
	if err := a.validate(s); err != nil {
		return file{}, err
	}
	data, err := a.read(name)
	if err != nil {
		return file{}, err
	}
	return a.identify(s, name, data), nil
}

func (a *app) read(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(a.stdin)
	}
	return os.ReadFile(name)
}

func (a *app) identify(s *source, name string, data []byte) file {
	f := file{name: name, data: data}
	if s.as != "" {
		name, _, _ := strings.Cut(s.as, "@")
		f.format, f.known = a.formatNamed(name)
	} else {
		f.format, f.known = registry.Detect(name, data)
	}
	return f
}

// parse opens and parses one named file; err says what is wrong with it.
func (a *app) parse(s *source, name string) (file, registry.Document, error) {
	f, err := a.open(s, name)
	if err != nil {
		return f, nil, err
	}
	doc, err := f.parse(s)
	return f, doc, err
}

// parse parses a file; err says what is wrong with it.
func (f *file) parse(s *source) (registry.Document, error) {
	if !f.known {
		return nil, failure{shown(f.name) + ": " + unsupported}
	}
	doc, err := f.format.Parse(f.data, s.opts(f.format)...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", shown(f.name), err)
	}
	return doc, nil
}

// each calls do with every file named and every file that the command reads below
// the directories named, links to files included, and returns how many files of
// unknown format the directories hold. A file that cannot be read is reported
// on standard error and does not keep the others from being judged; the error
// then says how many there were.
func (a *app) each(s *source, names []string, do func(f file)) (unknown int, err error) {
	if err := a.validate(s); err != nil {
		return 0, err
	}
	unread := 0
	try := func(name string, named bool) {
		f, err := a.open(s, name)
		switch {
		case err != nil:
			unread++
			fmt.Fprintln(a.stderr, "picaproof:", err)
		case named || f.known || s.also != nil && s.also(f):
			do(f)
		default:
			unknown++
		}
	}
	for _, name := range names {
		if info, err := os.Stat(name); name == "-" || err != nil || !info.IsDir() {
			try(name, true)
			continue
		}
		_ = fs.WalkDir(os.DirFS(name), ".", func(path string, entry fs.DirEntry, err error) error {
			path = filepath.Join(name, filepath.FromSlash(path))
			if err != nil {
				unread++
				fmt.Fprintln(a.stderr, "picaproof:", err)
				return nil
			}
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				try(path, false)
			}
			return nil
		})
	}
	if unread > 0 {
		return unknown, fmt.Errorf("%s could not be read", plural(unread, "file"))
	}
	return unknown, nil
}

// overFiles judges files one by one as each does, and then reports on all of
// them. Files that could not be read fail the command, too.
func (a *app) overFiles(s *source, names []string, judge func(f file), report func(unknown int) error) error {
	judged := false
	unknown, unread := a.each(s, names, func(f file) {
		judged = true
		judge(f)
	})
	if !judged && unread != nil {
		return unread
	}
	err := report(unknown)
	if unread != nil && (err == nil || errors.As(err, new(failure))) {
		return unread
	}
	return err
}

// passedOver says how many files of directories were not judged.
func passedOver(unknown int) string {
	if unknown == 0 {
		return ""
	}
	return "; " + plural(unknown, "file") + " of unknown format passed over"
}

// unsupported says that no format recognises a file.
const unsupported = "unsupported: no known magic or extension"
