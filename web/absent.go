//go:build !site

package web

import (
	"embed"
	"io/fs"
)

var site fs.FS = embed.FS{} // without files
