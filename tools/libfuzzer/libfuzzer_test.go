package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTargetsHaveOneForm: each target takes bytes alone, so that its corpus serves both engines.
func TestTargetsHaveOneForm(t *testing.T) {
	targets, err := find(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	body := regexp.MustCompile(`\.Fuzz\(func\(t \*testing\.T, ([^)]*)\)`)
	for _, target := range targets {
		names[target.String()] = true
		for _, file := range target.files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range body.FindAllSubmatch(b, -1) {
				if list := string(m[1]); !strings.HasSuffix(list, " []byte") || strings.Contains(list, ",") {
					t.Errorf("%s: a target takes %s, want one []byte", filepath.Base(file), list)
				}
			}
		}
	}
	for _, name := range []string{"asm/FuzzDisassemble", "exec/FuzzExecModel", "shbin/FuzzParseShbin"} {
		if !names[name] {
			t.Errorf("%s is missing in %d targets", name, len(targets))
		}
	}
}
