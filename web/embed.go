//go:build site

package web

import (
	"embed"
	"io/fs"
	"path"
)

//go:embed packed site/picaproof.wasm.gz
var embedded embed.FS

// folders is a file system of the two folders that the build writes.
type folders struct{ files embed.FS }

func (f folders) Open(name string) (fs.File, error) {
	if file, err := f.files.Open(path.Join("packed", name)); err == nil {
		return file, nil
	}
	return f.files.Open(path.Join("site", name))
}

func built() fs.FS { return folders{embedded} }
