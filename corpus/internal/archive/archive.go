// Package archive serves this module: it reads and writes the archives that the packages of the
// corpus embed.
//
// An archive is a zip file of stored entries in a gzip stream. One stream for all files is a
// fifth of the size of a compressed zip file, because vectors resemble each other. The standard
// library makes a file system of a zip file, and zcat and unzip show what is in it.
package archive

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
)

// Open returns the files of an archive.
func Open(packed io.Reader) (fs.FS, error) {
	plain, err := Plain(packed)
	if err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(plain), int64(len(plain)))
}

// Plain returns the zip file in an archive. Archives with the same files have the same one,
// whatever version of Go compressed them.
func Plain(packed io.Reader) ([]byte, error) {
	r, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// Zip returns the zip file of the files that match the patterns, without their times and modes.
func Zip(files fs.FS, patterns ...string) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, pattern := range patterns {
		names, err := fs.Glob(files, pattern)
		if err == nil && len(names) == 0 {
			err = fmt.Errorf("no file matches %s", pattern)
		}
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			content, err := fs.ReadFile(files, name)
			if err != nil {
				return nil, err
			}
			entry, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
			if err != nil {
				return nil, err
			}
			if _, err := entry.Write(content); err != nil {
				return nil, err
			}
		}
	}
	err := w.Close()
	return b.Bytes(), err
}

// Compress returns the archive of a zip file.
func Compress(plain []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}
