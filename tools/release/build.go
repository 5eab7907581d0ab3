package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"debug/buildinfo"
	_ "embed"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"time"
)

// source is what archives are made of.
type source struct {
	clone  string // the sources
	cache  string // of builds; the usual one if it is empty
	at     time.Time
	common map[string]file // files of every archive
}

// file is a file of an archive.
type file struct {
	data       []byte
	executable bool
}

// flags are those of go build for every program, a line each. Nothing of the hypotheses, the reports, the judges of
// readers and writers, which wait for other programs, and the command line is inlined: they would take 350 KB more, and
// no time less.
//
//go:embed flags.txt
var flags string

// maxProgram is the largest number of bytes of the program for linux/amd64, with the page.
const maxProgram = 28_000_000

// build returns the archive of a platform and its SBOM, by their names. It writes the program to a file.
func build(s source, platform, program string) (map[string][]byte, error) {
	system, machine, _ := strings.Cut(platform, "/")
	// The page is for a browser of this machine, which needs no HTTP/2.
	arguments := append([]string{"build", "-buildvcs=true", "-tags=site,nethttpomithttp2"},
		strings.Split(strings.TrimSpace(flags), "\n")...)
	cmd := exec.Command("go", append(arguments, "-o", program, "./cmd/picaproof")...)
	cmd.Dir = s.clone
	// Nothing of the environment may change the bytes.
	cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+machine, "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=",
		"GOAMD64=v1", "GOARM64=v8.0", "GOFIPS140=off", "GOWORK=off")
	if s.cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+s.cache)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return nil, err
	}
	if platform == "linux/amd64" && len(data) > maxProgram {
		return nil, fmt.Errorf("the program has %d bytes, at most %d are allowed", len(data), maxProgram)
	}
	info, err := buildinfo.Read(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("picaproof_%s_%s_%s", info.Main.Version, system, machine)
	files := maps.Clone(s.common)
	executable := "picaproof"
	if system == "windows" {
		executable += ".exe"
	}
	files[executable] = file{data, true}
	if err := addLicences(files, info); err != nil {
		return nil, err
	}
	bom, err := sbom(info)
	if err != nil {
		return nil, err
	}
	archive, err := archived(name, files, s.at)
	fmt.Printf("%s: the program has %.1f MB, the archive %.1f\n", platform, float64(len(data))/1e6,
		float64(len(archive))/1e6)
	return map[string][]byte{name + ".tar.gz": archive, name + ".cdx.json": bom}, err
}

// archived returns a compressed archive in which all files lie in one folder and have the same time.
func archived(folder string, files map[string]file, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	zip, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(zip)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f := files[name]
		mode := int64(0o644)
		if f.executable {
			mode = 0o755
		}
		if err := w.WriteHeader(&tar.Header{Name: path.Join(folder, name), Mode: mode, Size: int64(len(f.data)),
			ModTime: at, Format: tar.FormatUSTAR}); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = zip.Close()
	return b.Bytes(), err
}
