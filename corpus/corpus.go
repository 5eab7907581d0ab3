// Package corpus holds test vectors: valid files of every shape; for each rule a file that
// triggers it and a near miss that does not; and programs with their outcome in each profile. A
// program in corpus/build makes all of them from readable input.
//
// Stable: names and meanings stay; the changelog announces every exception.
//
// Call [Vectors] for the files of a format, [Programs] for the programs, and [Seeds] in a fuzz
// target:
//
//	func FuzzMyParser(f *testing.F) {
//		corpus.Seeds(f, "shbin")
//		f.Fuzz(func(t *testing.T, b []byte) { myparser.Parse(b) })
//	}
//
// A vector is a file of header lines, an empty line, and the raw payload:
//
//	format: shbin
//	expect: finding
//	rule: DVLE007
//	offset: 0x0048
//	source: 3dbrew, picasso
//	comment: entry is the word behind the last one
//
// The header keys are the keys of [Vector], or of [Program] for executable vectors. Readers skip
// a vector with an unknown key.
//
// The files are in the folder vectors, to be read and reviewed. What the package embeds is a
// compressed archive for each format, which it unpacks when a vector of that format is first
// asked for: 1300 files of 3 MB would be 4 MB of every program that imports the package, and the
// archives are 0.15 MB. A change of a vector rewrites the archive of its format alone, 2 to 40 kB.
package corpus

//go:generate go -C .. run ./corpus/build

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"sync"

	"github.com/picaproof/picaproof/corpus/internal/archive"
)

//go:embed zvectors
var archives embed.FS

// Outcome is the expected outcome of a strict parser for a vector.
type Outcome string

// The outcomes.
const (
	OK          Outcome = "ok"          // accepted without a relevant finding
	Finding     Outcome = "finding"     // accepted, and the rule is reported
	Malformed   Outcome = "malformed"   // refused, and the rule is reported
	Unsupported Outcome = "unsupported" // refused as valid but not supported
	Limit       Outcome = "limit"       // refused as over the limit
)

// Vector is one test file with its expectation.
type Vector struct {
	Name     string // "shbin/DVLE007-trigger"
	Format   string // registry name of the format
	Expect   Outcome
	Rule     string // the reported rule, or the rule of a near miss
	Offset   int    // the offset of the finding, or of the near miss; at most the length of Data
	NearMiss bool   // the rule must stay silent
	// The rest of the finding of a trigger, if Path is not empty, and other rules that may be
	// reported.
	Length   int
	Severity string
	Path     string
	Also     []string
	Dialect  string // the dialect of assembly text; "" for the default
	Source   string // the source of the rule
	Comment  string // a sentence about the vector
	Data     []byte // shared; must not be changed
}

// read visits the files of a folder in the order of their names. It passes names like
// "shbin/DVLE007-trigger".
func read(folder string, visit func(name string, b []byte) error) error {
	packed, err := archives.Open("zvectors/" + folder + ".zip.gz")
	if err != nil {
		return err
	}
	files, err := archive.Open(packed)
	if err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return fmt.Errorf("%s: %w", folder, err)
	}
	for _, entry := range entries {
		b, err := fs.ReadFile(files, entry.Name())
		if err == nil {
			err = visit(folder+"/"+strings.TrimSuffix(entry.Name(), ".vec"), b)
		}
		if err != nil {
			return fmt.Errorf("%s/%s: %w", folder, entry.Name(), err)
		}
	}
	return nil
}

// loaded has a func() ([]Vector, error) for each format that was asked for.
var loaded sync.Map

// Vectors returns the vectors of a format in the order of their names. It returns an error if
// there are none.
func Vectors(format string) ([]Vector, error) {
	load, _ := loaded.LoadOrStore(format, sync.OnceValues(func() (list []Vector, err error) {
		if format == programs {
			return nil, fs.ErrNotExist
		}
		err = read(format, func(name string, b []byte) error {
			v, known, err := ParseVector(b)
			if known {
				v.Name = name
				list = append(list, v)
			}
			return err
		})
		return list, err
	}))
	list, err := load.(func() ([]Vector, error))()
	switch {
	case errors.Is(err, fs.ErrNotExist) || err == nil && len(list) == 0:
		return nil, fmt.Errorf("corpus: no vectors of format %q", format)
	case err != nil:
		return nil, fmt.Errorf("corpus: %w", err)
	}
	return list, nil
}

// F is the part of *testing.F that Seeds uses.
type F interface {
	Helper()
	Add(args ...any)
	Fatalf(format string, args ...any)
}

// Seeds adds the payload of every vector of a format to a fuzz target with one []byte argument.
// It fails the target if there are none, so that a renamed folder does not go unnoticed.
func Seeds(f F, format string) {
	f.Helper()
	vectors, err := Vectors(format)
	if err != nil {
		f.Fatalf("%v", err)
		return
	}
	for _, v := range vectors {
		f.Add(v.Data)
	}
}

// ParseVector reads a vector file. known is false if the header has a key that this version does
// not know; callers should skip such a vector.
func ParseVector(b []byte) (v Vector, known bool, err error) {
	known = true
	v.Data, err = header(b, func(key, value string) error {
		switch key {
		case "format":
			v.Format = value
		case "expect":
			v.Expect = Outcome(value)
		case "rule":
			v.Rule = value
		case "near-miss":
			v.Rule, v.NearMiss = value, true
		case "offset":
			n, err := strconv.ParseUint(value, 0, 31)
			if err != nil {
				return fmt.Errorf("offset %q: %w", value, err)
			}
			v.Offset = int(n)
		case "length":
			n, err := strconv.ParseUint(value, 0, 31)
			if err != nil {
				return fmt.Errorf("length %q: %w", value, err)
			}
			v.Length = int(n)
		case "severity":
			v.Severity = value
		case "path":
			v.Path = value
		case "also":
			v.Also = strings.Fields(value)
		case "dialect":
			v.Dialect = value
		case "source":
			v.Source = value
		case "comment":
			v.Comment = value
		default:
			known = false
		}
		return nil
	})
	return v, known, err
}

// header passes the lines of a header to set, and returns the text after the empty line.
func header(b []byte, set func(key, value string) error) (payload []byte, err error) {
	for {
		line, rest, ok := bytes.Cut(b, []byte("\n"))
		if !ok {
			return nil, errors.New("header without an empty line at its end")
		}
		if b = rest; len(line) == 0 {
			return b, nil
		}
		key, value, ok := strings.Cut(string(line), ": ")
		if !ok {
			return nil, fmt.Errorf("header line %q is not key: value", line)
		}
		if err := set(key, value); err != nil {
			return nil, err
		}
	}
}

// AppendText appends the vector in the form that ParseVector reads.
func (v Vector) AppendText(b []byte) ([]byte, error) {
	b = fmt.Appendf(b, "format: %s\nexpect: %s\n", v.Format, v.Expect)
	switch {
	case v.NearMiss:
		b = fmt.Appendf(b, "near-miss: %s\noffset: %#04x\n", v.Rule, v.Offset)
	case v.Rule != "":
		b = fmt.Appendf(b, "rule: %s\noffset: %#04x\n", v.Rule, v.Offset)
	}
	if v.Path != "" {
		b = fmt.Appendf(b, "length: %d\nseverity: %s\npath: %s\n", v.Length, v.Severity, v.Path)
	}
	if len(v.Also) > 0 {
		b = fmt.Appendf(b, "also: %s\n", strings.Join(v.Also, " "))
	}
	if v.Dialect != "" {
		b = fmt.Appendf(b, "dialect: %s\n", v.Dialect)
	}
	if v.Source != "" {
		b = fmt.Appendf(b, "source: %s\n", v.Source)
	}
	b = fmt.Appendf(b, "comment: %s\n\n", v.Comment)
	return append(b, v.Data...), nil
}
