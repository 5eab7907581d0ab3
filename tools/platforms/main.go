// Platforms type-checks the module, its tests included, for each platform that its
// arguments name:
//
//	go -C tools run ./platforms linux/arm64 windows/amd64
//
// It reads all packages from source, including the standard library. Nothing is compiled,
// which takes a tenth of the time of go vet if a platform's packages are not in the build
// cache.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	for _, platform := range os.Args[1:] {
		if err := check(platform); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", platform, err)
			os.Exit(1)
		}
		fmt.Println(platform)
	}
}

// check type-checks the module for a platform, an operating system and an
// architecture: "linux/arm64".
func check(platform string) error {
	system, architecture, _ := strings.Cut(platform, "/")
	all, err := packages.Load(&packages.Config{
		Mode:  packages.LoadAllSyntax,
		Dir:   "..",
		Env:   append(os.Environ(), "GOOS="+system, "GOARCH="+architecture, "CGO_ENABLED=0"),
		Tests: true,
	}, "./...")
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return errors.New("no package found")
	}
	if packages.PrintErrors(all) > 0 {
		return errors.New("the packages do not type-check")
	}
	return nil
}
