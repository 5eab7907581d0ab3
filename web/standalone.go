package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

// Standalone writes the page as one file that shows what links hold. [pagelink] makes the links. The file has no
// address of another file, and its policy allows no network: the worker and the engine are elements of types that no
// browser executes.
func Standalone(w io.Writer, files fs.FS, links []string) error {
	part := map[string][]byte{}
	for _, name := range []string{"index.html", "icon.svg", "style.css", "main.js", "worker.js"} {
		zipped, err := Zipped(files, name)
		if err != nil {
			return err
		}
		if part[name], err = Plain(zipped); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	for _, name := range []string{"main.js", "worker.js"} {
		if lower := bytes.ToLower(part[name]); bytes.Contains(lower, []byte("</script")) ||
			bytes.Contains(lower, []byte("<!--")) {
			return fmt.Errorf("%s: it would end its element", name)
		}
	}
	engine, err := Zipped(files, "picaproof.wasm.gz")
	if err != nil {
		return err
	}
	page := string(part["index.html"])
	for _, change := range []struct{ from, to string }{
		{Policy, "default-src 'none'; script-src " + hash(part["main.js"]) + " 'wasm-unsafe-eval'; worker-src blob:; " +
			"style-src " + hash(part["style.css"]) + "; img-src data:"},
		{`href="icon.svg"`, `href="data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString(part["icon.svg"]) + `"`},
		{`<link rel="stylesheet" href="style.css">`, "<style>" + string(part["style.css"]) + "</style>"},
		{`<link rel="modulepreload" href="main.js">`, ""},
		{`<script type="module" src="main.js"></script>`, `<script type="text/plain" id="show">` + strings.Join(links, "\n") +
			"</script>\n<script type=\"text/plain\" id=\"worker\">" + string(part["worker.js"]) +
			"</script>\n<script type=\"text/plain\" id=\"engine\">" + base64.StdEncoding.EncodeToString(engine) +
			"</script>\n<script type=\"module\">" + string(part["main.js"]) + "</script>"},
	} {
		if strings.Count(page, change.from) != 1 {
			return fmt.Errorf("index.html: %q is not there once", change.from)
		}
		page = strings.Replace(page, change.from, change.to, 1)
	}
	_, err = io.WriteString(w, page)
	return err
}

// hash returns the source of a policy that allows one text.
func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
