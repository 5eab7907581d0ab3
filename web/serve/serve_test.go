package serve_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/picaproof/picaproof/web"
	"github.com/picaproof/picaproof/web/serve"
)

// TestHandler serves files with a strict policy, and nothing else.
func TestHandler(t *testing.T) {
	handler := serve.Handler(fstest.MapFS{
		"index.html.gz": {Data: zipped(t, "<!doctype html>page")}, "main.js.gz": {Data: zipped(t, "script")},
		"picaproof.wasm.gz": {Data: []byte{0x1f, 0x8b}}, "folder/file.gz": {Data: zipped(t, "x")},
	})
	for _, c := range []struct {
		method, path string
		status       int
		kind, body   string
	}{
		{"GET", "/", 200, "text/html; charset=utf-8", "page"},
		{"HEAD", "/", 200, "text/html; charset=utf-8", ""},
		{"GET", "/main.js", 200, "text/javascript; charset=utf-8", "script"},
		{"GET", "/picaproof.wasm.gz", 200, "application/gzip", "\x1f\x8b"},
		{"GET", "/main.js.gz", 200, "application/gzip", ""},
		{"GET", "/folder/", 404, "", "not found"},
		{"GET", "/absent", 404, "", "not found"},
		{"GET", "/../site_test.go", 404, "", "not found"},
		{"GET", "/%2e%2e/site_test.go", 404, "", "not found"},
		{"POST", "/", 405, "", "only GET and HEAD"},
	} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(c.method, "http://127.0.0.1"+c.path, nil))
		r := w.Result()
		if r.StatusCode != c.status || !strings.Contains(w.Body.String(), c.body) ||
			c.kind != "" && r.Header.Get("Content-Type") != c.kind {
			t.Errorf("%s %s: got %d %v %q", c.method, c.path, r.StatusCode, r.Header, w.Body)
		}
		if c.status == http.StatusOK || c.status == http.StatusNotFound {
			if got := r.Header.Get("Content-Security-Policy"); got != web.Policy || r.Header.Get("Set-Cookie") != "" {
				t.Errorf("%s %s: policy %q", c.method, c.path, got)
			}
		}
		if r.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s %s: other sites may read it", c.method, c.path)
		}
	}
}

// TestEncoding sends gzip to those that accept it, and its content to others.
func TestEncoding(t *testing.T) {
	script := zipped(t, "script")
	handler := serve.Handler(fstest.MapFS{"main.js.gz": {Data: script}, "picaproof.wasm.gz": {Data: script}})
	for _, c := range []struct{ path, accept, encoding, body string }{
		{"/main.js", "", "", "script"}, {"/main.js", "br, deflate", "", "script"}, {"/main.js", "gzip;q=0", "", "script"},
		{"/main.js", "x-gzip", "", "script"}, {"/main.js", "deflate, gzip;q=0.5", "gzip", string(script)},
		{"/main.js", "gzip, deflate, br", "gzip", string(script)}, {"/picaproof.wasm.gz", "gzip", "", string(script)},
	} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "http://127.0.0.1"+c.path, nil)
		r.Header.Set("Accept-Encoding", c.accept)
		handler.ServeHTTP(w, r)
		if got := w.Header().Get("Content-Encoding"); got != c.encoding || w.Body.String() != c.body ||
			w.Header().Get("Content-Length") != strconv.Itoa(len(c.body)) {
			t.Errorf("%s, %q: got %q %q of %d", c.path, c.accept, w.Body, got, w.Body.Len())
		}
	}
}

// zipped returns a text with gzip.
func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestHost: a request that names another host is refused, because a site may give its own name this machine's address.
func TestHost(t *testing.T) {
	handler := serve.Handler(fstest.MapFS{"index.html.gz": {Data: zipped(t, "page")}})
	for host, want := range map[string]int{"127.0.0.1:8437": 200, "127.0.0.1": 200, "[::1]:80": 200, "[::1]": 200, "localhost:1": 200,
		"picaproof.example": 421, "picaproof.example:8437": 421, "10.0.0.1": 421, "": 421, "localhost.example": 421} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "http://127.0.0.1/", nil)
		r.Host = host
		if handler.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%q: got %d, want %d", host, w.Code, want)
		}
	}
}

// TestPolicy: the page names the policy of its header.
func TestPolicy(t *testing.T) {
	page, err := os.ReadFile("../page/src/index.html")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), web.Policy) {
		t.Errorf("index.html lacks %q", web.Policy)
	}
}
