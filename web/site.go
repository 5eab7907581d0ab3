// Package web serves this module: it holds the page as the program embeds it.
//
// The folders site and packed are built by npm in the folder page. Only a program with the build tag site embeds them,
// so that building the program needs nothing but Go.
package web

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"path"
)

// ErrNotBuilt says how to build a program with the page.
var ErrNotBuilt = errors.New("this program was built without the page: run npm ci and npm run build in web/page, then " +
	"go install -tags site ./cmd/picaproof")

// Policy is the content security policy of the page.
const Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'; " +
	"style-src 'self'; font-src 'self'; img-src 'self' data:"

// Built returns the files of the page, each with gzip and the ending .gz.
func Built() (fs.FS, error) {
	if files := built(); files != nil {
		return files, nil
	}
	return nil, ErrNotBuilt
}

// Zipped returns a file as [Built] has it. The engine is a file with gzip by itself, so its name does not change.
func Zipped(files fs.FS, name string) ([]byte, error) {
	if path.Ext(name) != ".gz" {
		name += ".gz"
	}
	return fs.ReadFile(files, name)
}

// Plain returns the content of a file with gzip.
func Plain(zipped []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
