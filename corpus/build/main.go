// Command build makes the vectors of the corpus from readable input, and the archives that the
// packages of the corpus embed. Before it writes a folder, it checks every vector with the format
// packages:
//
//	go run ./corpus/build
package main

import (
	"encoding"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/gen"
)

// builders makes the valid files of each format, and other files with their own names, by
// registry name. The vectors of rules follow from the generators' faults.
var builders = map[string]func(k *kit){}

// dir is the folder of the corpus, from the root of the repository.
const dir = "corpus"

func main() {
	if err := run(dir); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

// run packs the archives even if vectors cannot be made: some are made from the packed samples, and the next run
// has those.
func run(dir string) error {
	var errs []error
	for folder, build := range folders() {
		vectors, err := build()
		if err == nil {
			err = write(filepath.Join(dir, "vectors", folder), vectors)
		}
		if err != nil {
			errs = append(errs, err)
			continue
		}
		fmt.Printf("%s: %d vectors\n", folder, len(vectors))
	}
	return errors.Join(append(errs, pack(dir))...)
}

// vectors are the files of a folder by their names in the corpus.
type vectors map[string]encoding.TextAppender

// add adds a vector. A second vector with the same name is an error.
func (v vectors) add(name string, vector encoding.TextAppender) error {
	if v[name] != nil {
		return fmt.Errorf("%s: made twice", name)
	}
	v[name] = vector
	return nil
}

// folders returns a function for each folder that makes its vectors.
func folders() map[string]func() (vectors, error) {
	list := map[string]func() (vectors, error){"pica": programs}
	for format := range builders {
		list[format] = func() (vectors, error) { return build(format) }
	}
	for _, c := range expect.Catalogues() {
		switch {
		case c.Text:
			list[c.Name] = func() (vectors, error) { return sources(&c) }
		case builders[c.Name] == nil:
			list[c.Name] = func() (vectors, error) { return programFaults(&c) }
		}
	}
	return list
}

// build makes and verifies the vectors of one format.
func build(format string) (vectors, error) {
	f, ok := registry.ByName(format)
	if !ok {
		return nil, fmt.Errorf("no format %q", format)
	}
	k := &kit{format: f, vectors: vectors{}}
	builders[format](k)
	k.rules()
	return k.vectors, errors.Join(k.errs...)
}

// write replaces the folder's vectors.
func write(dir string, list vectors) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, v := range list {
		b, err := v.AppendText(nil)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, path.Base(name)+".vec"), b, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// kit collects the vectors of one format and verifies each one.
type kit struct {
	format  registry.Format
	vectors vectors
	errs    []error
}

func (k *kit) fail(format string, args ...any) { k.errs = append(k.errs, fmt.Errorf(format, args...)) }

// seed adds an accepted file.
func (k *kit) seed(name, comment string, data []byte) {
	k.add(corpus.Vector{Name: name, Expect: corpus.OK, Comment: comment, Data: data})
}

// more adds files with their own names. They trigger their rule or, without a rule, are
// accepted.
func (k *kit) more(vectors []corpus.Vector) {
	for _, v := range vectors {
		if v.Expect = corpus.OK; v.Rule != "" {
			v.Expect = k.outcome(gen.Fault{Rule: v.Rule, Also: v.Also}.Expect(k.format.Rules, gen.Place{}))
		}
		k.add(v)
	}
}

func (k *kit) add(v corpus.Vector) {
	v.Format = k.format.Name
	v.Name = v.Format + "/" + v.Name
	if v.Rule != "" {
		i := slices.IndexFunc(k.format.Rules, func(r diag.Rule) bool { return r.ID == v.Rule })
		if i < 0 {
			k.fail("%s: %s is no rule of the format", v.Name, v.Rule)
			return
		}
		v.Source = k.format.Rules[i].Source
	}
	if err := k.vectors.add(v.Name, v); err != nil {
		k.fail("%v", err)
	}
	_, err := k.format.Parse(v.Data)
	if accepted := v.Expect == corpus.OK || v.Expect == corpus.Finding; accepted != (err == nil) {
		k.fail("%s: want %s, got %v", v.Name, v.Expect, err)
	}
	findings := k.format.Check(v.Data)
	at := slices.IndexFunc(findings, func(f diag.Finding) bool { return f.Rule == v.Rule })
	switch {
	case v.Rule != "" && !v.NearMiss && at < 0:
		k.fail("%s: the rule is silent; reported: %v", v.Name, findings)
	case v.Rule != "" && v.NearMiss && at >= 0:
		k.fail("%s: reported: %v", v.Name, findings[at])
	case v.Rule != "" && !v.NearMiss &&
		!slices.ContainsFunc(findings, func(f diag.Finding) bool { return f.Rule == v.Rule && f.Off == v.Offset }):
		k.fail("%s: reported at %#x, want %#x", v.Name, findings[at].Off, v.Offset)
	}
}
