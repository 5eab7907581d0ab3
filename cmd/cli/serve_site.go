//go:build site

package cli

import (
	"github.com/picaproof/picaproof/web"
	"github.com/picaproof/picaproof/web/serve"
)

func (a *app) serve(listen string) error {
	files, err := web.Built()
	if err != nil {
		return err
	}
	ctx, stop := a.interruptible()
	defer stop()
	l, err := serve.Listen(listen)
	if err != nil {
		return err
	}
	a.say("the page is at http://" + l.Addr().String() + "/ until Ctrl-C")
	return serve.Run(ctx, l, serve.Handler(files))
}
