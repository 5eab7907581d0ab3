package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/web"
)

func (a *app) serveCommand() *cobra.Command {
	var listen string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve the page that looks into files and steps through programs",
		Long: `serve serves the page that is built into the program to browsers of this machine, until
Ctrl-C ends it. The page reads the files that are dropped on it and sends them nowhere:
the engine runs in the browser. The program gives no other file away.

A program without the page says how to build it.

Exit status: 0 an interrupt ended it; 2 bad arguments, an address that is in use, or a
program without the page.`,
		Example: `  picaproof serve
  picaproof serve --listen 127.0.0.1:9000`,
		Args:        noArgs,
		Annotations: map[string]string{formatsAnnotation: "text"},
		RunE: func(*cobra.Command, []string) error {
			files, ok := web.Built()
			if !ok {
				return errNoPage
			}
			ctx, stop := a.interruptible()
			defer stop()
			l, err := listenHere(listen)
			if err != nil {
				return err
			}
			a.say("the page is at http://" + l.Addr().String() + "/ until Ctrl-C")
			return servePage(ctx, l, web.Handler(files))
		},
	}
	cmd.Flags().StringVar(&listen, "listen", "127.0.0.1:8437",
		"address of this machine and port, 0 for any, e.g. --listen 127.0.0.1:9000")
	return cmd
}

var errNoPage = errors.New("this program was built without the page: run npm ci and npm run build in web/page, then " +
	"go install -tags site ./cmd/picaproof")

// listenHere listens on an address that only this machine reaches.
func listenHere(address string) (net.Listener, error) {
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

// servePage serves until the context ends.
func servePage(ctx context.Context, l net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 1 << 14}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
