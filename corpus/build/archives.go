package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/picaproof/picaproof/corpus/internal/archive"
)

// content is the files of an archive.
type content struct {
	folder   string
	patterns []string
}

// archives returns the archives that the packages of the corpus embed. All names start at the
// folder of the corpus.
func archives() map[string]content {
	list := map[string]content{
		"samples/zsamples.zip.gz": {"samples", []string{"SHA256SUMS", "regressions.jsonl", "*/*"}},
	}
	for folder := range folders() {
		list["zvectors/"+folder+".zip.gz"] = content{"vectors/" + folder, []string{"*.vec"}}
	}
	return list
}

// pack writes the archives whose files have changed. The others keep their bytes, even if another
// version of Go compresses otherwise.
func pack(dir string) error {
	for name, c := range archives() {
		plain, err := archive.Zip(os.DirFS(filepath.Join(dir, c.folder)), c.patterns...)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		name = filepath.Join(dir, name)
		if old, err := os.ReadFile(name); err == nil {
			if files, err := archive.Plain(bytes.NewReader(old)); err == nil && bytes.Equal(files, plain) {
				continue
			}
		}
		packed, err := archive.Compress(plain)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(name, packed, 0o666); err != nil {
			return err
		}
	}
	return nil
}
