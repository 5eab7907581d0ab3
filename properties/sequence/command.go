// Package sequence serves this module: it plays the host of a shader unit. It gives the same
// commands to an engine that runs them all and to new engines for every vertex, and compares their
// outcomes.
package sequence

//go:generate go test -run ^TestCommands$ -update .

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/fuzz/gen"
)

// Command is one call of a host.
type Command struct {
	kind int
	args [3]int
}

// argument is a number below limit, or the index of a name.
type argument struct {
	limit int
	names []string
}

func number(limit int) argument    { return argument{limit: limit} }
func one(names ...string) argument { return argument{len(names), names} }
func (a argument) text(n int) string {
	if a.names != nil {
		return a.names[n]
	}
	return strconv.Itoa(n)
}

func (a argument) parse(text string) (n int, err error) {
	if a.names != nil {
		n = slices.Index(a.names, text)
	} else if n, err = strconv.Atoi(text); err != nil {
		return 0, err
	}
	if n < 0 || n >= a.limit {
		return 0, fmt.Errorf("%q is out of range", text)
	}
	return n, nil
}

// Draw draws a command.
func Draw(c *gen.Choices) (x Command) {
	x.kind = gen.Pick(c, weighted)
	for k, a := range kinds[x.kind].args {
		x.args[k] = c.Below(a.limit)
	}
	return x
}

// weighted lists each kind as often as its weight says.
var weighted = func() (list []int) {
	for kind := range kinds {
		list = append(list, slices.Repeat([]int{kind}, kinds[kind].weight)...)
	}
	return list
}()

// String returns the command as Parse reads it: "float 5 raw24 17;".
func (x Command) String() string {
	b := []byte(kinds[x.kind].name)
	for k, a := range kinds[x.kind].args {
		b = append(append(b, ' '), a.text(x.args[k])...)
	}
	return string(append(b, ';'))
}

// Parse reads commands as they are printed, alone or in a list.
func Parse(text string) (list []Command, err error) {
	text = strings.TrimSpace(strings.Trim(strings.TrimSpace(text), "[]"))
	for len(text) > 0 {
		var line string
		line, text, _ = strings.Cut(text, ";")
		x, err := parse(strings.Fields(line))
		if err != nil {
			return nil, fmt.Errorf("command %d: %w", len(list)+1, err)
		}
		list = append(list, x)
	}
	return list, nil
}

func parse(words []string) (x Command, err error) {
	if len(words) == 0 {
		return x, fmt.Errorf("nothing before a semicolon")
	}
	for x.kind = range kinds {
		if kinds[x.kind].name != words[0] {
			continue
		}
		if len(words) != 1+len(kinds[x.kind].args) {
			return x, fmt.Errorf("%s takes %d arguments", words[0], len(kinds[x.kind].args))
		}
		for k, a := range kinds[x.kind].args {
			if x.args[k], err = a.parse(words[1+k]); err != nil {
				return x, fmt.Errorf("%s: %w", words[0], err)
			}
		}
		return x, nil
	}
	return x, fmt.Errorf("no command %q", words[0])
}
