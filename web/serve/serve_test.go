package web_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/picaproof/picaproof/web"
)

// TestHandler serves files with a strict policy, and nothing else.
func TestHandler(t *testing.T) {
	handler := web.Handler(fstest.MapFS{
		"index.html": {Data: []byte("<!doctype html>page")}, "main.js": {Data: []byte("script")},
		"picaproof.wasm.gz": {Data: []byte{0x1f, 0x8b}}, "folder/file": {Data: []byte("x")},
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

// TestHost: a request that names another host is refused, because a site may give its own name this machine's address.
func TestHost(t *testing.T) {
	handler := web.Handler(fstest.MapFS{"index.html": {Data: []byte("page")}})
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
	page, err := os.ReadFile("page/src/index.html")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), web.Policy) {
		t.Errorf("index.html lacks %q", web.Policy)
	}
}
