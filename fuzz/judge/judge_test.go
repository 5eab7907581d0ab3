package judge_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/fuzz/judge"
)

// letters is a toy format: any bytes except 'x', kept unchanged.
type letters struct {
	b      []byte
	broken string
}

func (f *letters) AppendBinary(b []byte) ([]byte, error) {
	switch {
	case f.broken == "refuse":
		return nil, diag.ErrInvalid
	case f.broken == "write":
		return append(b, append(f.b, '!')...), nil
	}
	return append(b, f.b...), nil
}

func (f *letters) Canonical() *letters {
	if f.broken == "canonical" {
		return &letters{b: append([]byte("c"), f.b...), broken: f.broken}
	}
	return f
}

func (f *letters) Equal(g *letters) bool { return string(f.b) == string(g.b) && f.broken != "equal" }

func (f *letters) Regions() []diag.Region {
	if f.broken == "regions" {
		return []diag.Region{{Off: 1, Len: len(f.b) - 1, Path: "p"}}
	}
	return []diag.Region{{Len: len(f.b), Path: "p"}}
}

// of returns the judge of a format with one broken promise.
func of(broken string) *judge.Format[*letters] {
	return judge.Of(func(b []byte, _ ...int) (*letters, error) {
		if strings.Contains(string(b), "x") && broken != "accept" {
			if broken == "model" {
				return &letters{}, diag.ErrMalformed
			}
			return nil, diag.ErrMalformed
		}
		return &letters{b: append([]byte(nil), b...), broken: broken}, nil
	}, func(b []byte, _ ...int) []diag.Finding {
		i := strings.Index(string(b), "x")
		if i < 0 || broken == "silent" {
			return nil
		}
		if broken == "outside" {
			i = len(b) + 1
		}
		return []diag.Finding{{Rule: "X", Severity: diag.Error, Off: i}}
	})
}

// TestJudgeNoticesEveryFault breaks one promise at a time.
func TestJudgeNoticesEveryFault(t *testing.T) {
	for _, c := range []struct {
		broken string
		judge  func(x *judge.Format[*letters], m *letters) error
		want   string
	}{
		{"accept", func(x *judge.Format[*letters], _ *letters) error { return x.Bytes([]byte("ax")) },
			"accepted X: accepted in spite of"},
		{"silent", func(x *judge.Format[*letters], _ *letters) error { return x.Bytes([]byte("ax")) },
			"refused: refused without an error"},
		{"outside", func(x *judge.Format[*letters], _ *letters) error { return x.Bytes([]byte("ax")) },
			"finding outside the 2 bytes"},
		{"model", func(x *judge.Format[*letters], _ *letters) error { return x.Bytes([]byte("ax")) },
			"a refused file has a model"},
		{"write", func(x *judge.Format[*letters], _ *letters) error { return x.Bytes([]byte("ab")) },
			"written: 2 bytes are written back as 3 others"},
		{"write", func(x *judge.Format[*letters], m *letters) error { return x.Model(m) },
			"read back as another model"},
		{"equal", func(x *judge.Format[*letters], m *letters) error { return x.Model(m) },
			"read back as another model"},
		{"canonical", func(x *judge.Format[*letters], m *letters) error { return x.Canonical(m) },
			"canonical form has other content"},
		{"regions", func(x *judge.Format[*letters], m *letters) error { return x.Owners(m) }, "does not start at 0"},
	} {
		sound, m := of(""), &letters{b: []byte("abc")}
		if err := c.judge(sound, m); err != nil {
			t.Errorf("%s: the sound format: %v", c.broken, err)
		}
		if err := c.judge(of(c.broken), &letters{b: []byte("abc"), broken: c.broken}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.broken, err, c.want)
		}
	}
	if err := of("").Model(&letters{broken: "refuse"}); !errors.Is(err, judge.ErrRefused) {
		t.Errorf("got %v, want a refusal", err)
	}
}
