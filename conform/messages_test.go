//go:build linux || darwin

package conform_test

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
)

// TestMessages: a message that comes with right answers excuses no wrong answer, whether all
// requests have it or only requests with one instruction; a report of an instruction that is not
// implemented does. All messages are counted.
func TestMessages(t *testing.T) {
	cases := uint64(300)
	list := []struct {
		faults  []string
		message string
		excuse  bool
		cause   string // the expected cause; "" for none
	}{
		{[]string{"log-always", "dp3-w"}, "warning: the cache is cold", false, `^dp3`},
		{[]string{"log-mul", "mul-zero-inf"}, "warning: mul takes the slow path", false, `^mul, infinite`},
		// No job of the fingerprint has the message.
		{[]string{"log-desc", "desc-127"}, "warning: the last descriptor", false, `^min`},
		{[]string{"log-flr"}, "unimplemented opcode 0x0b", true, ""},
		{[]string{"log-flr", "log-always"}, "unimplemented opcode 0x0b", true, ""},
	}
	if testing.Short() {
		cases, list = fewCases, list[:1]
	}
	healthy := healthyCore(t, cases)
	for _, x := range list {
		extra, r := judgeFaults(t, cases, healthy, x.faults...)
		extra = slices.DeleteFunc(extra, func(d report.Deviation) bool { return !d.Verdict.Bad() })
		var names []string
		for _, d := range extra {
			names = append(names, d.Bucket)
		}
		if x.cause == "" != (len(names) == 0) || x.cause != "" &&
			!slices.ContainsFunc(names, regexp.MustCompile(x.cause).MatchString) {
			t.Errorf("%v: causes %q, want %q", x.faults, names, x.cause)
		}
		i := slices.IndexFunc(r.Messages, func(m report.Message) bool { return m.Text == x.message })
		if i < 0 {
			t.Errorf("%v: messages %v, want %q", x.faults, r.Messages, x.message)
			continue
		}
		m := &r.Messages[i]
		if m.Excuse != x.excuse || m.Run == 0 || m.Equal == 0 || x.excuse && m.NotComparable == 0 ||
			(m.Differ > 0) == x.excuse {
			t.Errorf("%v: %+v, want an excuse: %v", x.faults, m, x.excuse)
		}
		if len(r.Profile.Unexplained) > 0 && x.excuse {
			t.Errorf("%v: %d answers of the fingerprint fit no model", x.faults, len(r.Profile.Unexplained))
		}
		var text, page bytes.Buffer
		if err := r.WriteText(&text, report.Paint{}); err != nil {
			t.Error(err)
		}
		if err := r.WriteHTML(&page); err != nil {
			t.Error(err)
		}
		for form, b := range map[string]*bytes.Buffer{"text": &text, "html": &page} {
			if !strings.Contains(b.String(), x.message) {
				t.Errorf("%v: the %s report does not name the message", x.faults, form)
			}
		}
	}
}
