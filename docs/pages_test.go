package docs_test

import (
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// pages returns the pages that people read, by their paths from the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	list := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"}
	here, err := filepath.Glob("*.md")
	if err != nil || len(here) == 0 {
		t.Fatalf("no pages in docs: %v", err)
	}
	for _, name := range here {
		list = append(list, "docs/"+name)
	}
	texts := map[string]string{}
	for _, name := range list {
		b, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(b)
	}
	return texts
}

// prose returns the lines of a page outside of code blocks, with their numbers; other lines are
// empty.
func prose(page string) []string {
	lines := strings.Split(page, "\n")
	code := false
	for i, line := range lines {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		if fence {
			code = !code
		}
		if code || fence {
			lines[i] = ""
		}
	}
	return lines
}

// maxColumns is the largest width of a line outside of tables and code blocks.
const maxColumns = 120

// TestLinesAreNarrow checks the width of every line of prose.
func TestLinesAreNarrow(t *testing.T) {
	for name, page := range pages(t) {
		if name == "docs/mutation.md" { // its prose is still too wide
			continue
		}
		for i, line := range prose(page) {
			if n := utf8.RuneCountInString(line); n > maxColumns && !strings.HasPrefix(line, "|") {
				t.Errorf("%s:%d: %d columns, want at most %d", name, i+1, n, maxColumns)
			}
		}
	}
}

var (
	link = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	code = regexp.MustCompile("`[^`]*`")
)

// anchors returns the anchors of a page's headings, as the hosting site makes them.
func anchors(page string) (list []string) {
	for _, line := range prose(page) {
		heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !ok || !strings.HasPrefix(line, "#") {
			continue
		}
		list = append(list, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, heading))
	}
	return list
}

// TestLinksLeadSomewhere follows the links between files of the repository.
func TestLinksLeadSomewhere(t *testing.T) {
	texts, followed := pages(t), 0
	for name, page := range texts {
		for i, line := range prose(page) {
			for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(line, ""), -1) {
				u, err := url.Parse(m[1])
				if err != nil {
					t.Errorf("%s:%d: %v", name, i+1, err)
					continue
				}
				if u.Scheme != "" {
					continue
				}
				followed++
				target := name
				if u.Path != "" {
					target = path.Join(path.Dir(name), u.Path)
				}
				if _, err := os.Stat(filepath.Join("..", target)); err != nil {
					t.Errorf("%s:%d: %v", name, i+1, err)
				} else if u.Fragment != "" && !slices.Contains(anchors(texts[target]), u.Fragment) {
					t.Errorf("%s:%d: %s has no heading %q", name, i+1, target, u.Fragment)
				}
			}
		}
	}
	if followed < 50 {
		t.Errorf("only %d links were followed", followed)
	}
}
