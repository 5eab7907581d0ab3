package reader

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/diff"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/oracle/adapter/command"
)

// wrong is one failure of a reader on a file.
type wrong struct {
	level              report.Level
	name               string // of the cause
	where              string // the path in the file, or the kind of file
	class              string
	expected, observed string
}

// Costs of a small file beyond the cost of a minimal file that are allowed.
const (
	smallCPU    = 400 * time.Millisecond
	smallMemory = 48 << 20
)

// wanted is the required outcome for files of a class.
var wanted = map[diag.ReaderClass]string{diag.MustRefuse: "refused", diag.MustAccept: "accepted",
	diag.Either: "accepted or refused"}

// judge returns the failure in a reply, nil if there is none. base is the reply to a minimal
// file.
func judge(x *Case, r *Reply, base *Reply) *wrong {
	w := &wrong{where: x.description(), class: x.Class.String(), expected: wanted[x.Class], observed: r.Message}
	switch {
	case r.Outcome == Crashed:
		w.level, w.name = report.Crash, "crash: "+r.Fault
		return w
	case r.Memory-base.Memory > smallMemory+64*int64(len(x.Data)):
		w.level, w.name = report.Cost, "memory: "+x.costly()
		w.expected, w.observed = fmt.Sprintf("at most %d MiB", smallMemory>>20),
			fmt.Sprintf("%d MiB for %d bytes", (r.Memory-base.Memory)>>20, len(x.Data))
		return w
	case r.Outcome == Hung:
		w.level, w.name = report.Hang, "hang: "+x.costly()
		return w
	case r.CPU-base.CPU > smallCPU:
		w.level, w.name = report.Cost, "time: "+x.costly()
		w.expected, w.observed = fmt.Sprintf("at most %v", smallCPU),
			fmt.Sprintf("%v for %d bytes", r.CPU-base.CPU, len(x.Data))
		return w
	case r.Outcome == Accepted && x.Class == diag.MustRefuse:
		w.level, w.name = report.AcceptsInvalid, "accepts "+x.Because
		w.expected, w.observed = "refused: "+titleOf(x.Format, x.Because), "accepted"
		return w
	case r.Outcome == Refused && x.Class == diag.MustAccept:
		w.level, w.name = report.RefusesValid, "refuses "+x.subject()
		if m := command.Generic(r.Message, nil); m != "" {
			w.name = "refuses: " + m
		}
		w.expected, w.observed = "accepted", "refused: "+r.Message
		return w
	case r.Outcome == Accepted && r.NotRewritten != "":
		w.level, w.name = report.WrongRewrite, "rewrites nothing: "+command.Generic(r.NotRewritten, nil)
		w.expected, w.observed = "a file", r.NotRewritten
		return w
	case r.Outcome == Accepted:
		if c := x.compare(w, r); c != nil {
			return c
		}
	}
	if r.Misdeed == "" {
		return nil
	}
	w.level, w.name = report.WrongRewrite, "touches other files: "+r.Misdeed
	w.expected, w.observed = "an output for an accepted input, and nothing else", r.Misdeed
	return w
}

// description describes a file: "near miss of DVLE007", "valid file 17".
func (x *Case) description() string {
	switch x.Kind {
	case Trigger, NearMiss:
		return fmt.Sprintf("%s: %s of %s, number %d", x.Format, x.Kind, x.Rule, x.Number)
	case Empty:
		return x.Format + ": empty file"
	}
	return fmt.Sprintf("%s: %s file, number %d", x.Format, x.Kind, x.Number)
}

// subject names the special property of a file: the rule that it breaks first, or its kind.
func (x *Case) subject() string {
	switch {
	case x.Kind == NearMiss:
		return "near miss of " + x.Rule
	case x.Kind == Trigger:
		return x.Rule
	case x.Because != "":
		return x.Because
	}
	return string(x.Kind) + " " + x.Format
}

// costly is subject for a file that costs too much: the kinds of valid files are one.
func (x *Case) costly() string {
	if x.Class == diag.MustAccept {
		return "valid " + x.Format
	}
	return x.subject()
}

// compare compares the file that a reader writes back, and the model that it returns, with the
// file.
func (x *Case) compare(w *wrong, r *Reply) *wrong {
	format, ok := registry.ByName(x.Format)
	if !ok || r.Rewritten == nil && r.Model == nil {
		return nil
	}
	doc, err := format.Parse(x.Data)
	if err != nil {
		return nil // the file has no model to compare with
	}
	if r.Rewritten != nil && !bytes.Equal(r.Rewritten, x.Data) {
		w.level = report.WrongRewrite
		again, err := format.Parse(r.Rewritten)
		if err != nil {
			w.name, w.expected, w.observed = "rewrites "+ruleOf(format, r.Rewritten), "a valid file", err.Error()
			return w
		}
		before, ok := doc.Model().(convert.Model)
		after, also := again.Model().(convert.Model)
		if !ok || !also {
			return nil
		}
		found, err := diff.Models(before, after, convert.Options{})
		if err == nil && !found.Same() {
			d := found.Differences[0]
			w.name, w.where = "rewrites another "+generic(d.Path), w.where+", "+d.Path
			w.expected, w.observed = cmp.Or(d.A, "nothing"), cmp.Or(d.B, "nothing")
			return w
		}
	}
	if r.Model != nil {
		ours, err := json.Marshal(doc.Model())
		if err != nil {
			return nil
		}
		var got, want any
		if json.Unmarshal(r.Model, &got) != nil || json.Unmarshal(ours, &want) != nil {
			return nil
		}
		if path, g, h := differs("", got, want); path != "" {
			w.level, w.name, w.where = report.WrongModel, "model: another "+generic(path), w.where+", "+path
			w.expected, w.observed = fmt.Sprint(h), fmt.Sprint(g)
			return w
		}
	}
	return nil
}

// differs compares the fields that a reader returns with the model, and returns the path of the
// first difference.
func differs(path string, got, want any) (where string, g, w any) {
	switch x := got.(type) {
	case map[string]any:
		y, ok := want.(map[string]any)
		if !ok {
			return path + ".", got, want
		}
		keys := make([]string, 0, len(x))
		for k := range x {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			value, known := y[k]
			if !known {
				continue // another name, or a field that is omitted if it is zero
			}
			if where, g, w := differs(path+"."+k, x[k], value); where != "" {
				return where, g, w
			}
		}
		return "", nil, nil
	case []any:
		y, ok := want.([]any)
		if !ok || len(x) != len(y) {
			return path, got, want
		}
		for i := range x {
			if where, g, w := differs(fmt.Sprintf("%s[%d]", path, i), x[i], y[i]); where != "" {
				return where, g, w
			}
		}
		return "", nil, nil
	}
	if got != want {
		return path, got, want
	}
	return "", nil, nil
}

// generic returns a path without numbers.
func generic(path string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, strings.TrimPrefix(path, "."))
}

// ruleOf returns the first rule of severity error that a file breaks.
func ruleOf(format registry.Format, data []byte) string {
	if f := diag.FirstError(format.Check(data)); f != nil {
		return f.Rule
	}
	return ""
}

func titleOf(format, rule string) string {
	f, _ := registry.ByName(format)
	for _, r := range f.Rules {
		if r.ID == rule {
			return rule + " " + r.Title
		}
	}
	return rule
}
