//go:build !site

package web

import "io/fs"

func built() fs.FS { return nil }
