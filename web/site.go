// Package web serves this module: it holds the page as the program embeds it.
//
// The folder site is built by npm in the folder page. Only a program with the build tag site embeds it, so that
// building the program needs nothing but Go.
package web

import (
	"io/fs"
	"net"
	"net/http"
	"path"
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

// kinds are the content types of the page's files: the machine's own list may lack them.
var kinds = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".gz": "application/gzip",
	".webmanifest": "application/manifest+json"}

// local reports whether a request names this machine. Another site may give its own name this machine's address.
func local(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Handler serves the files of the page to browsers of this machine, and nothing else. It lists no folders.
func Handler(files fs.FS) http.Handler {
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if kind := kinds[path.Ext(r.URL.Path)]; kind != "" {
			h.Set("Content-Type", kind)
		}
		switch {
		case !local(r):
			http.Error(w, "the page is for browsers of this machine", http.StatusMisdirectedRequest)
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
