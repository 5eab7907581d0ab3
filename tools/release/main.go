// Release builds the archives of a release from the commit that is checked out, with their SBOMs and
// checksums:
//
//	go -C tools run ./release -o ../dist
//	go -C tools run ./release -o ../dist -twice    builds all again, and compares
//
// It needs Node and npm, which build the page. An archive holds the program with the page, the manual pages, the completions of four shells and the licences of all
// that is linked. Its bytes depend on the commit and on the version of Go alone: it is built in a fresh
// clone without cgo, paths and symbols, and carries the time of the commit. SHA256SUMS becomes
// action/SHA256SUMS in a commit after the release.
package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// platforms lists the systems and architectures of a release.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

func main() {
	output := flag.String("o", "", "directory for the archives, which must not exist")
	twice := flag.Bool("twice", false, "build everything a second time, without a cache, and compare the bytes")
	only := flag.String("platforms", strings.Join(platforms, ","), "what to build")
	flag.Parse()
	if *output == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*output, strings.Split(*only, ","), *twice); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// run writes a release into a new directory.
func run(output string, platforms []string, twice bool) error {
	if err := os.Mkdir(output, 0o777); err != nil {
		return err
	}
	commit, err := command("git", "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	commit = strings.TrimSpace(commit)
	sums, err := release(commit, output, platforms, twice)
	if err != nil {
		return err
	}
	if twice {
		again, err := os.MkdirTemp("", "release")
		if err != nil {
			return err
		}
		defer os.RemoveAll(again)
		others, err := release(commit, again, platforms, true)
		if err != nil {
			return err
		}
		for name, sum := range sums {
			if others[name] != sum {
				return fmt.Errorf("%s: two builds differ: %x, %x", name, sum, others[name])
			}
		}
		fmt.Printf("two builds have the same bytes: %d files\n", len(sums))
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		fmt.Fprintf(&text, "%x  %s\n", sums[name], name)
	}
	fmt.Print(text.String())
	return os.WriteFile(filepath.Join(output, "SHA256SUMS"), []byte(text.String()), 0o666)
}

// release builds the archives of a commit in a fresh clone, on request with an empty cache, and returns
// the checksums of what it wrote.
func release(commit, output string, platforms []string, cold bool) (map[string][sha256.Size]byte, error) {
	temp, err := os.MkdirTemp("", "release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	clone := filepath.Join(temp, "clone")
	if _, err := command("git", "clone", "--quiet", "--no-local", "..", clone); err != nil {
		return nil, err
	}
	if _, err := command("git", "-C", clone, "checkout", "--quiet", "--detach", commit); err != nil {
		return nil, err
	}
	seconds, err := command("git", "-C", clone, "log", "-1", "--format=%ct")
	if err != nil {
		return nil, err
	}
	unix, err := strconv.ParseInt(strings.TrimSpace(seconds), 10, 64)
	if err != nil {
		return nil, err
	}
	var cache string
	if cold {
		cache = filepath.Join(temp, "cache")
	}
	at := time.Unix(unix, 0).UTC()
	common, err := accessories(clone, at)
	if err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"ci", "--no-audit", "--no-fund"}, {"run", "build"}} {
		if _, err := command("npm", append([]string{"--prefix", filepath.Join(clone, "web", "page")}, args...)...); err != nil {
			return nil, fmt.Errorf("the page: %w", err)
		}
	}
	sums := map[string][sha256.Size]byte{}
	for _, platform := range platforms {
		files, err := build(source{clone, cache, at, common}, platform, filepath.Join(temp, "program"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", platform, err)
		}
		for name, data := range files {
			sums[name] = sha256.Sum256(data)
			if err := os.WriteFile(filepath.Join(output, name), data, 0o666); err != nil {
				return nil, err
			}
		}
	}
	return sums, nil
}

// command returns the standard output of a command.
func command(name string, args ...string) (string, error) {
	out, err := exec.Command(name, args...).Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%s: %w\n%s", name, err, exit.Stderr)
	}
	return string(out), err
}
