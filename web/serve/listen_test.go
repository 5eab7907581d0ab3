package serve_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/web/serve"
)

// TestListen refuses addresses that other machines reach.
func TestListen(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.org:0", "127.0.0.1"} {
		if l, err := serve.Listen(address); err == nil || !strings.HasPrefix(err.Error(), "--listen") {
			t.Errorf("%s: got %v, %v; want an error", address, l, err)
		}
	}
}

// TestRun answers a browser until the context ends.
func TestRun(t *testing.T) {
	l, err := serve.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- serve.Run(ctx, l, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "page")
		}))
	}()
	r, err := http.Get("http://" + l.Addr().String() + "/")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	if r.Body.Close(); err != nil || string(body) != "page" {
		t.Errorf("got %q, %v", body, err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
