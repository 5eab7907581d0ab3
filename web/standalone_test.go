package web_test

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/picaproof/picaproof/web"
)

// site returns files of a page with a script.
func site(t *testing.T, script string) fstest.MapFS {
	t.Helper()
	index, err := os.ReadFile("page/src/index.html")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{"picaproof.wasm.gz": {Data: []byte("engine")}}
	for name, text := range map[string]string{"index.html": string(index), "icon.svg": "<svg/>", "style.css": "a{}",
		"main.js": script, "worker.js": "worker()"} {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		files[name+".gz"] = &fstest.MapFile{Data: b.Bytes()}
	}
	return files
}

// TestStandalone: the policy allows the one script and the one style by their hashes, and no network.
func TestStandalone(t *testing.T) {
	var b strings.Builder
	if err := web.Standalone(&b, site(t, "main('\"&')"), []string{"#s=first", "#s=second"}); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	sum := func(text string) string {
		s := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(s[:]) + "'"
	}
	policy := "default-src 'none'; script-src " + sum("main('\"&')") + " 'wasm-unsafe-eval'; worker-src blob:; style-src " +
		sum("a{}") + "; img-src data:; base-uri 'none'; form-action 'none'"
	for _, want := range []string{`content="` + policy + `"`, `<style>a{}</style>`,
		`<script type="module">main('"&')</script>`, `<script type="text/plain" id="worker">worker()</script>`,
		`<script type="text/plain" id="engine">ZW5naW5l</script>`,
		"<script type=\"text/plain\" id=\"show\">#s=first\n#s=second</script>",
		`<link rel="icon" href="data:image/svg+xml;base64,PHN2Zy8+">`} {
		if strings.Count(page, want) != 1 {
			t.Errorf("%q is not there once in\n%s", want, page)
		}
	}
	if found := regexp.MustCompile(`(?:src|href)="[^d#][^"]*"|https?:`).FindAllString(page, -1); len(found) > 0 {
		t.Errorf("it refers to %q", found)
	}
}

// TestStandaloneRefuses a script that would end its element, and a page that has changed.
func TestStandaloneRefuses(t *testing.T) {
	for _, script := range []string{"'</SCRIPT>'", "'<!--'"} {
		if err := web.Standalone(new(bytes.Buffer), site(t, script), nil); err == nil || !strings.HasPrefix(err.Error(), "main.js: ") {
			t.Errorf("%s: got error %v", script, err)
		}
	}
	files := site(t, "main()")
	files["index.html.gz"] = files["worker.js.gz"]
	if err := web.Standalone(new(bytes.Buffer), files, nil); err == nil || !strings.HasPrefix(err.Error(), "index.html: ") {
		t.Errorf("another page: got error %v", err)
	}
	delete(files, "picaproof.wasm.gz")
	if err := web.Standalone(new(bytes.Buffer), files, nil); err == nil {
		t.Error("no engine: got no error")
	}
}

// TestBuilt: without the build tag site it is said how to build the page.
func TestBuilt(t *testing.T) {
	if files, err := web.Built(); err == nil {
		if _, err := web.Zipped(files, "index.html"); err != nil {
			t.Error(err)
		}
	} else if !strings.Contains(err.Error(), "npm run build") {
		t.Errorf("got error %v", err)
	}
}
