//go:build !site

package cli

import "github.com/picaproof/picaproof/web"

func (*app) serve(string) error { return web.ErrNotBuilt }
