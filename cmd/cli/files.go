package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/fuzz/gen/files"
	"github.com/picaproof/picaproof/internal/nearest"
	"github.com/picaproof/picaproof/internal/pool"
)

// source selects the format of the files a command reads.
type source struct {
	as      string
	options []string
	// also reports whether the command reads a file of unknown format. It may be nil.
	also func(f file) bool
	gate gate
}

func (s *source) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.as, "as", "",
		"format of the file, or revision of a format; default by its magic, e.g. --as shbin, --as zpsh@3")
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

// file is one input with its recognised format.
type file struct {
	name   string
	data   []byte
	format registry.Format
	known  bool // a format recognises it
}

// opts returns the requested variant and leniencies, as far as the file's format has them.
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

// formatNamed returns the format with a name, also one that a test adds.
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
			known := formatNames()
			return fmt.Errorf("--as %q: want %s%s", s.as, alternatives(known), nearest.Hint(name, known))
		}
		if _, ok := f.Variant(variant); hasVariant && !ok {
			known := []string{name}
			for _, v := range f.Variants {
				known = append(known, name+"@"+v.Name)
			}
			return fmt.Errorf("--as %q: want %s", s.as, alternatives(known))
		}
	}
	for _, name := range s.options {
		if known := deviations(); !slices.Contains(known, name) {
			return fmt.Errorf("--accept %q: want %s%s", name, alternatives(known),
				nearest.Hint(name, known))
		}
	}
	return nil
}

func formatNames() (names []string) {
	for f := range registry.All() {
		names = append(names, f.Name)
	}
	return names
}

// deviations lists the names for --accept.
func deviations() (names []string) {
	for f := range registry.All() {
		for _, l := range f.Leniencies {
			names = append(names, string(l.Option))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
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

// openCandidate reads a named file. Of a file in a directory it first reads the head: if it and the name show that the
// command does not read the file, it does not either. Directories may contain disk images.
func (a *app) openCandidate(s *source, c *candidate) (f file, read bool, err error) {
	if c.err != nil {
		return file{}, false, c.err
	}
	if c.dir == "" {
		f, err = a.open(s, c.name)
		return f, err == nil && !s.gate.passes(s, f), err
	}
	h, err := openRegular(c.name)
	if err != nil {
		return file{}, false, err
	}
	head := make([]byte, registry.Head)
	n, err := io.ReadFull(h, head)
	_ = h.Close() // nothing was written
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return file{}, false, err
	}
	if !s.reads(a.identify(s, c.name, head[:n])) {
		return file{}, false, nil
	}
	f, err = a.open(s, c.name)
	return f, err == nil && s.reads(f), err
}

// reads reports whether the command reads a file that was found in a directory.
func (s *source) reads(f file) bool {
	return (f.known || s.also != nil && s.also(f)) && !s.gate.passes(s, f)
}

// maxInput is the largest file that is read as a whole.
const maxInput = 1 << 28

// read reads a file that has an end: a regular file, or standard input.
func (a *app) read(name string) ([]byte, error) {
	switch name {
	case "-":
		return readAll(a.stdin, "standard input", 0)
	case os.DevNull:
		return nil, nil
	}
	f, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return readAll(f, shown(name), info.Size())
}

// readAll reads up to maxInput bytes; size is a guess of their number.
func readAll(r io.Reader, name string, size int64) ([]byte, error) {
	b := bytes.NewBuffer(make([]byte, 0, min(size, maxInput)+bytes.MinRead))
	if _, err := b.ReadFrom(io.LimitReader(r, maxInput+1)); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if b.Len() > maxInput {
		return nil, fmt.Errorf("%s: more than %d MiB", name, maxInput>>20)
	}
	return b.Bytes(), nil
}

// openRegular opens a regular file. It does not wait for the other end of a pipe.
func openRegular(name string) (*os.File, error) {
	if info, err := os.Stat(name); err == nil {
		if err := regular(name, info); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = regular(name, info)
	}
	if err != nil {
		_ = f.Close() // nothing was written
		return nil, err
	}
	return f, nil
}

// regular returns an error about what is no regular file.
func regular(name string, info os.FileInfo) error {
	kind := "a device, not a file"
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		kind = "a directory, not a file"
	case mode&os.ModeNamedPipe != 0:
		kind = "a pipe, not a file: let it be standard input, and name -"
	case mode&os.ModeSocket != 0:
		kind = "a socket, not a file"
	}
	return fmt.Errorf("%s: %s", shown(name), kind)
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

// parse opens and parses a named file.
func (a *app) parse(s *source, name string) (file, registry.Document, error) {
	f, err := a.open(s, name)
	if err != nil {
		return f, nil, err
	}
	doc, err := f.parse(s)
	return f, doc, err
}

// parse parses a file.
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

// candidate is a file that a command may read.
type candidate struct {
	name string
	dir  string      // the named directory in which it was found; empty for a named file
	info os.FileInfo // of a file found in a directory
	err  error       // it cannot be read
}

// candidates returns every named file, and every file below the named directories, links to
// files included, in the order of the names. It also returns the names of the directories.
func candidates(names []string) (list []candidate, dirs []string) {
	for _, name := range names {
		if info, err := os.Stat(name); name == "-" || err != nil || !info.IsDir() {
			list = append(list, candidate{name: name})
			continue
		}
		dirs = append(dirs, name)
		_ = fs.WalkDir(os.DirFS(name), ".", func(path string, _ fs.DirEntry, err error) error {
			path = filepath.Join(name, filepath.FromSlash(path))
			if err != nil {
				list = append(list, candidate{name: path, dir: name, err: err})
			} else if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				list = append(list, candidate{name: path, dir: name, info: info})
			}
			return nil
		})
	}
	return list, dirs
}

// overFiles judges every named file and every file that the command reads below the named
// directories, several at a time. Then it reports on all of them in the order of their names,
// with the number of files of unknown format in the directories. A file that cannot be read is
// reported on standard error and fails the command; the other files are still judged. So does a
// directory without a judged file, if the gate is closed.
func overFiles[R any](a *app, s *source, names []string, judge func(f file) R,
	report func(list []R, unknown int) error) error {
	if err := a.validate(s); err != nil {
		return err
	}
	files, dirs := candidates(names)
	type outcome struct {
		result R
		judged bool
	}
	outcomes := make([]outcome, len(files))
	line := a.statusLine()
	var done atomic.Int64
	_ = pool.Each(context.Background(), 0, len(files), func(_ context.Context, i int) error {
		f, read, err := a.openCandidate(s, &files[i])
		if files[i].err = err; err == nil && read {
			outcomes[i] = outcome{judge(f), true}
		}
		line.show("%s of %s files", thousands(int(done.Add(1))), thousands(len(files)))
		return nil
	})
	line.clear()
	list, unknown, unread := make([]R, 0, len(files)), 0, 0
	judged := map[string]bool{}
	output := regularFile(a.output)
	for i, c := range files {
		judged[c.dir] = judged[c.dir] || outcomes[i].judged && recognised(outcomes[i].result)
		switch {
		case outcomes[i].judged && c.dir != "" && sameFile(output, c.info):
			return overwrites("output", a.output, shown(c.name))
		case c.err != nil:
			unread++
			a.say(messageOf(c.err))
		case outcomes[i].judged:
			list = append(list, outcomes[i].result)
		default:
			unknown++
		}
	}
	incomplete := s.gate.empty(dirs, judged)
	if unread > 0 {
		incomplete = fmt.Errorf("%s could not be read", plural(unread, "file"))
		if len(list) == 0 {
			return incomplete
		}
	}
	if incomplete == nil {
		return report(list, unknown)
	}
	if err := report(list, unknown); err != nil && !errors.As(err, new(failure)) {
		return err
	}
	return incomplete
}

// recognised reports whether a command recognised a file that it judged. Only some commands judge others.
func recognised(result any) bool {
	r, ok := result.(interface{ recognised() bool })
	return !ok || r.recognised()
}

// passedOver returns a line about the files of directories that were not judged.
func passedOver(unknown int) string {
	if unknown == 0 {
		return ""
	}
	return "; " + plural(unknown, "file") + " of unknown format passed over"
}

// unsupported is the message about a file of unknown format.
const unsupported = "unsupported: no known magic or extension"
