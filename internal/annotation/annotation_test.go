package annotation_test

import (
	"strings"
	"testing"

	"github.com/picaproof/picaproof/internal/annotation"
)

func TestWrite(t *testing.T) {
	for _, v := range []struct {
		a    annotation.Annotation
		want string
	}{
		{annotation.Annotation{Level: annotation.Error, File: "build/a.shbin", Title: "DVLB002", Text: "0x0: wrong, 50%"},
			"::error file=build/a.shbin,line=1,title=DVLB002::0x0: wrong, 50%25\n"},
		{annotation.Annotation{Level: annotation.Warning, File: "a:b,c%.pica", Line: 7, Title: "x: y, z", Text: "t"},
			"::warning file=a%3Ab%2Cc%25.pica,line=7,title=x%3A y%2C z::t\n"},
		{annotation.Annotation{Level: annotation.Notice, Title: "core", Text: "no file"}, "::notice title=core::no file\n"},
		{annotation.Annotation{Level: annotation.Error, File: "a\n::error::b", Title: "\r::stop-commands::x",
			Text: "::add-mask::x\n##[error]y\x1b[2J"},
			`::error file=a\n%3A%3Aerror%3A%3Ab,line=1,title=\r%3A%3Astop-commands%3A%3Ax::` +
				`\x3a:add-mask::x\n\x23#[error]y\x1b[2J` + "\n"},
	} {
		var got strings.Builder
		if err := annotation.Write(&got, []annotation.Annotation{v.a}); err != nil || got.String() != v.want {
			t.Errorf("%+v:\n got %q, %v\nwant %q", v.a, &got, err, v.want)
		}
	}
}
