// Libfuzzer links native fuzz targets with libFuzzer:
//
//	go -C tools run ./libfuzzer -o ../dist/fuzzers                       all targets
//	go -C tools run ./libfuzzer -o ../dist/fuzzers -only '^shbin/'       folder/target, a regular expression
//	go -C tools run ./libfuzzer -list
//
// Each target becomes a program FOLDER_TARGET, and its seeds become FOLDER_TARGET_seed_corpus.zip. The
// target's test files are copied to a folder beside them, and built as an archive of C with counters for
// libFuzzer in this module's packages. CXX, CXXFLAGS and LIB_FUZZING_ENGINE have their usual meanings; without CXX the
// first clang of the path links.
package main

import (
	"archive/zip"
	"cmp"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

const module = "github.com/picaproof/picaproof"

// entry is the main file of a target TARGET.
//
//go:embed entry.txt
var entry string

// target is a native target.
type target struct {
	folder, name string
	files        []string // test files of the folder, absolute
}

// String returns folder/name.
func (t target) String() string { return t.folder + "/" + t.name }

func main() {
	output := flag.String("o", "", "directory for the programs")
	only := flag.String("only", "", "link the targets that match this regular expression")
	list := flag.Bool("list", false, "print the names of the targets")
	flag.Parse()
	if (*output == "") != *list || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run("..", *output, *only); err != nil {
		fmt.Fprintln(os.Stderr, "libfuzzer:", err)
		os.Exit(1)
	}
}

// run links the targets of a clone that match into a directory, or prints their names without one.
func run(root, output, only string) error {
	pattern, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	root, err = filepath.Abs(root)
	if err != nil {
		return err
	}
	targets, err := find(root)
	if err != nil {
		return err
	}
	linked := 0
	for _, t := range targets {
		if !pattern.MatchString(t.String()) {
			continue
		}
		linked++
		if output == "" {
			fmt.Println(t)
		} else if err := t.link(root, output); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	if linked == 0 {
		return fmt.Errorf("no target matches %q", only)
	}
	return nil
}

var declaration = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)

// find returns all native targets of a clone.
func find(root string) (list []target, err error) {
	folders, err := filepath.Glob(filepath.Join(root, "fuzz", "target", "*"))
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			for _, m := range declaration.FindAllSubmatch(b, -1) {
				list = append(list, target{filepath.Base(folder), string(m[1]), files})
			}
		}
	}
	return list, nil
}

var packageClause = regexp.MustCompile(`(?m)^package \w+$`)

// write writes the files of a target's program into a directory of this module.
func (t target) write(dir string) error {
	for _, file := range t.files {
		b, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(file), "_test.go") + ".go"
		b = packageClause.ReplaceAll(b, []byte("package main"))
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			return err
		}
	}
	text := strings.ReplaceAll(entry, "TARGET", t.name)
	return os.WriteFile(filepath.Join(dir, "zentry.go"), []byte(text), 0o666)
}

// link writes the program of a target and its seeds.
func (t target) link(root, output string) error {
	dir, err := os.MkdirTemp("", "libfuzzer")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	source, err := os.MkdirTemp(filepath.Join(root, "fuzz", "target", t.folder), "zlibfuzzer")
	if err != nil {
		return err
	}
	defer os.RemoveAll(source)
	if err := t.write(source); err != nil {
		return err
	}
	linker, err := clang()
	if err != nil {
		return err
	}
	program, err := filepath.Abs(filepath.Join(output, t.folder+"_"+t.name))
	if err != nil {
		return err
	}
	archive, seeds := filepath.Join(dir, "target.a"), filepath.Join(dir, "seeds")
	if err := errors.Join(os.MkdirAll(output, 0o777), os.Mkdir(seeds, 0o777)); err != nil {
		return err
	}
	err = command(source, []string{"CGO_ENABLED=1"}, "go", "build", "-buildmode=c-archive", "-tags=libfuzzer",
		"-gcflags="+module+"/...=-d=libfuzzer", "-o", archive, ".")
	if err != nil {
		return err
	}
	args := strings.Fields(os.Getenv("CXXFLAGS"))
	args = append(args, strings.Fields(cmp.Or(os.Getenv("LIB_FUZZING_ENGINE"), "-fsanitize=fuzzer"))...)
	if err := command(dir, nil, linker, append(args, archive, "-o", program)...); err != nil {
		return err
	}
	if err := command(dir, []string{"PICAPROOF_SEEDS=" + seeds}, program, "-runs=0"); err != nil {
		return err
	}
	return pack(program+"_seed_corpus.zip", seeds)
}

// clang returns the C++ compiler that links.
func clang() (string, error) {
	if name := os.Getenv("CXX"); name != "" {
		return name, nil
	}
	for _, name := range []string{"clang++", "clang", "clang++-14", "clang-14"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New("no clang (Debian: apt-get install clang libclang-rt-14-dev)")
}

// pack writes a ZIP archive of the files of a directory.
func pack(name, dir string) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := zip.NewWriter(f)
	if err := w.AddFS(os.DirFS(dir)); err != nil {
		return err
	}
	return w.Close()
}

// command runs a program; its output is part of the error.
func command(dir string, environment []string, name string, args ...string) error {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), environment...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, out)
	}
	return nil
}
