package markup_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/internal/markup"
)

// TestPage escapes every text, and nothing else.
func TestPage(t *testing.T) {
	var b strings.Builder
	err := markup.Page(&b, "<title>{{title}}</title>{{body}}</html>", "<&>", func(w *markup.Writer) {
		w.Put(`<p class="%s">%d%% %v %s</p>`, `"'`, 7, errors.New("<b>"), markup.If(true, "<i>"))
		w.Put("%s", markup.If(false, "<i>"))
	})
	const want = `<title>&lt;&amp;&gt;</title><p class="&#34;&#39;">7% &lt;b&gt; <i></p></html>`
	if err != nil || b.String() != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, b.String(), want)
	}
	if err := markup.Page(&b, "{{body}}", "", func(*markup.Writer) {}); err == nil {
		t.Error("a frame without a title is taken")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("full") }

// TestError keeps the error of the writer.
func TestError(t *testing.T) {
	if err := markup.Page(full{}, "{{title}}{{body}}", "", func(w *markup.Writer) { w.Put("x") }); err == nil || err.Error() != "full" {
		t.Errorf("got error %v", err)
	}
}
