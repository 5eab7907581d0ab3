package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"

	"golang.org/x/mod/module"
)

// component is a module in a bill of materials.
type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"purl"`
}

// sbom returns the bill of materials of a program in the JSON form of CycloneDX: its module, the modules
// that are linked, and the standard library. It has no time and no random number, so that it is the same
// for the same program.
func sbom(info *debug.BuildInfo) ([]byte, error) {
	of := func(kind string, m *debug.Module) component {
		return component{kind, m.Path, m.Version, "pkg:golang/" + m.Path + "@" + m.Version}
	}
	components := []component{of("library", &debug.Module{Path: "std", Version: strings.TrimPrefix(info.GoVersion, "go")})}
	for _, m := range linked(info) {
		components = append(components, of("library", m))
	}
	b, err := json.MarshalIndent(map[string]any{"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata": map[string]any{"component": of("application", &info.Main)}, "components": components}, "", "  ")
	return append(b, '\n'), err
}

// linked returns the modules that are linked into a program, as they were replaced.
func linked(info *debug.BuildInfo) (list []*debug.Module) {
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		list = append(list, m)
	}
	return list
}

// addLicences adds the licences of the linked modules and of the standard library to the files of an
// archive. A module without one is an error.
func addLicences(files map[string]file, info *debug.BuildInfo) error {
	out, err := command("go", "env", "GOROOT", "GOMODCACHE")
	if err != nil {
		return err
	}
	root, cache, _ := strings.Cut(strings.TrimSpace(out), "\n")
	folders := map[string]string{"std": root}
	for _, m := range linked(info) {
		name, err := module.EscapePath(m.Path)
		if err != nil {
			return err
		}
		folders[m.Path] = filepath.Join(cache, filepath.FromSlash(name)+"@"+m.Version)
	}
	for name, folder := range folders {
		found, err := filepath.Glob(filepath.Join(folder, "LICEN[CS]E*"))
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("%s has no licence in %s", name, folder)
		}
		for _, licence := range found {
			data, err := os.ReadFile(licence)
			if err != nil {
				return err
			}
			files[path.Join("licences", name, filepath.Base(licence))] = file{data: data}
		}
	}
	return nil
}
