//go:build site

package web

import (
	"embed"
	"io/fs"
)

//go:embed site
var embedded embed.FS

var site = func() fs.FS {
	files, err := fs.Sub(embedded, "site")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return files
}()
