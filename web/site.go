// Package web serves this module: it holds the page as the program embeds it.
//
// The folder site is built by npm in the folder page. Only a program with the build tag site embeds it, so that
// building the program needs nothing but Go.
package web

import (
	"io/fs"
	"net/http"
	"strings"
)

// Policy is the content security policy of the page.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; " +
	"style-src 'self'; font-src 'self'; img-src 'self' data:"

// Built returns the files of the page; ok is false for a program without them.
func Built() (files fs.FS, ok bool) {
	_, err := fs.Stat(site, "index.html")
	return site, err == nil
}

// Handler serves the files of the page and nothing else. It lists no folders.
func Handler(files fs.FS) http.Handler {
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		case r.URL.Path != "/" && strings.HasSuffix(r.URL.Path, "/"):
			http.NotFound(w, r)
		default:
			server.ServeHTTP(w, r)
		}
	})
}
