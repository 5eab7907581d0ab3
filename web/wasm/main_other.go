//go:build !(js && wasm)

// Command wasm serves this module: it is the engine of the page, compiled for a worker of a browser.
package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "wasm: build it with GOOS=js GOARCH=wasm")
	os.Exit(2)
}
