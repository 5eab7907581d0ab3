package asm_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/pica/asm"
)

// notation rewrites the notation of the list of regressions, in which every target is a number, into
// the default dialect.
var notation = []struct {
	pattern *regexp.Regexp
	replace string
}{
	{regexp.MustCompile(`^cmp (\S+) (?:op)?(\w+)/(?:op)?(\w+) (\S+)$`), "cmp $1, $2, $3, $4"},
	{regexp.MustCompile(`^setemit (\d) (.*)$`), "setemit $1, $2"},
	{regexp.MustCompile(`\((cc\.x==\d)\)`), "$1 (!cmp.y)"}, // the bit that nothing reads is clear
	{regexp.MustCompile(`\((cc\.y==\d)\)`), "$1 (!cmp.x)"},
	{regexp.MustCompile(`\((cc\..* cc\.\S*)\)`), "$1"},
	{regexp.MustCompile(`cc\.([xy])==1`), "cmp.$1"},
	{regexp.MustCompile(`cc\.([xy])==0`), "!cmp.$1"},
	{regexp.MustCompile(`else @`), "@"},
	{regexp.MustCompile(`@(\d+) len (\d+)`), "$1, $2"},
	{regexp.MustCompile(`^((?:jmpc|jmpu) .*)@(\d+)`), "$1$2"},
	{regexp.MustCompile(`^\.word (\w+)$`), ".word 0x$1"},
}

var (
	loopEnd = regexp.MustCompile(`last @(\d+)$`)
	repeats = regexp.MustCompile(`^\.\.\. (\d+) nop \.\.\.$`)
)

// rewritten returns a line of the list in the default dialect.
func rewritten(line string) string {
	for _, n := range notation {
		line = n.pattern.ReplaceAllString(line, n.replace)
	}
	line = loopEnd.ReplaceAllStringFunc(line, func(s string) string {
		last, _ := strconv.Atoi(loopEnd.FindStringSubmatch(s)[1])
		return strconv.Itoa(last + 1)
	})
	if m := repeats.FindStringSubmatch(line); m != nil {
		n, _ := strconv.Atoi(m[1])
		return strings.Repeat("nop\n", n)
	}
	return line
}

// unsaid are the entries whose text does not show the table of descriptors.
var unsaid = map[string]bool{"decode-descriptor-above-31": true}

// TestRegressionTexts assembles the texts of the recorded regressions and
// compares the words and descriptors.
func TestRegressionTexts(t *testing.T) {
	for line := range bytes.Lines(samples.Read(t, "regressions.jsonl")) {
		var r struct {
			Name, Stage string
			Text        []string
			Code, Desc  []string
		}
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		t.Run(r.Name, func(t *testing.T) {
			var text strings.Builder
			if r.Stage == "gs" {
				text.WriteString(".gsh\n")
			}
			text.WriteString(".limit 4096\n")
			if unsaid[r.Name] {
				for _, d := range r.Desc {
					text.WriteString(".opdesc 0x" + d + "\n")
				}
			}
			for _, line := range r.Text {
				text.WriteString(rewritten(line) + "\n")
			}
			a, err := asm.Assemble([]asm.Source{{Name: r.Name, Text: text.String()}}, asm.AssembleOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := hexWords(a.Code), strings.Join(r.Code, " "); got != want {
				t.Errorf("words:\n got %s\nwant %s\n%s", short(got), short(want), short(text.String()))
			}
			if got, want := hexWords(a.Descriptors), strings.Join(r.Desc, " "); got != want {
				t.Errorf("descriptors:\n got %s\nwant %s\n%s", got, want, short(text.String()))
			}
		})
	}
}

func hexWords(words []uint32) string {
	list := make([]string, len(words))
	for k, w := range words {
		list[k] = fmt.Sprintf("%08x", w)
	}
	return strings.Join(list, " ")
}

func short(s string) string { return s[:min(len(s), 1500)] }
