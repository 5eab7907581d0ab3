// Package serve serves this module: it gives the page to browsers of this machine.
//
// It is a package of its own because only programs with the page need net/http, which has two megabytes.
package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/picaproof/picaproof/web"
)

// kinds are the content types of the page's files: the machine's own list may lack them.
var kinds = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".gz": "application/gzip"}

// local reports whether a request names this machine. Another site may give its own name this machine's address.
func local(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = strings.Trim(r.Host, "[]")
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// accepts reports whether a browser takes a file with gzip.
func accepts(r *http.Request) bool {
	for _, part := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(part, ";")
		if strings.TrimSpace(name) == "gzip" {
			return strings.Trim(strings.TrimPrefix(strings.TrimSpace(quality), "q="), "0.") != "" || quality == ""
		}
	}
	return false
}

// Handler serves the files of the page, as [web.Built] returns them, to browsers of this machine, and nothing else. It
// lists no folders.
func Handler(files fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", web.Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		switch {
		case !local(r):
			http.Error(w, "the page is for browsers of this machine", http.StatusMisdirectedRequest)
			return
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(r.URL.Path, "/")
		if name == "" {
			name = "index.html"
		}
		data, err := web.Zipped(files, name)
		if err == nil && path.Ext(name) != ".gz" {
			h.Set("Vary", "Accept-Encoding")
			if accepts(r) {
				h.Set("Content-Encoding", "gzip")
			} else {
				data, err = web.Plain(data)
			}
		}
		if err != nil {
			h.Del("Content-Encoding")
			http.NotFound(w, r)
			return
		}
		h.Set("Content-Type", kinds[path.Ext(name)])
		h.Set("Content-Length", strconv.Itoa(len(data)))
		if r.Method == http.MethodGet {
			_, _ = w.Write(data) // a browser that has gone misses nothing
		}
	})
}

// Listen listens on an address that only this machine reaches.
func Listen(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--listen %q: want an address and a port, as 127.0.0.1:9000", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, fmt.Errorf("--listen %q: want an address that only this machine reaches: 127.0.0.1, ::1 or localhost",
			address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("--listen %q: %w", address, err)
	}
	return l, nil
}

// Run serves until the context ends.
func Run(ctx context.Context, l net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 1 << 14}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
