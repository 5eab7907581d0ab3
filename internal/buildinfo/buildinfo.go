// Package buildinfo serves this module: it says which build of the module a program is.
package buildinfo

import (
	"cmp"
	"runtime/debug"
	"strings"
)

// Version returns the version of the running program's module: "v1.2.3", or "(devel)" for a build
// without one.
func Version() string { return version(read()) }

// Line describes the running program in one line: see [Describe].
func Line() string { return Describe(read()) }

func read() *debug.BuildInfo {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return info
}

func version(info *debug.BuildInfo) string { return cmp.Or(info.Main.Version, "(devel)") }

// Describe returns the version of the module, the commit, whether files of the commit were
// modified, and the version of Go, as far as they are known: "v1.2.3, commit 0123456789ab,
// modified, go1.26.0".
func Describe(info *debug.BuildInfo) string {
	parts := []string{version(info)}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision" && s.Value != "":
			parts = append(parts, "commit "+s.Value[:min(12, len(s.Value))])
		case s.Key == "vcs.modified" && s.Value == "true":
			parts = append(parts, "modified")
		}
	}
	if info.GoVersion != "" {
		parts = append(parts, info.GoVersion)
	}
	return strings.Join(parts, ", ")
}
