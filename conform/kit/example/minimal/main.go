// Command minimal is the smallest core in Go: every program is "mov o0, v0".
package main

import (
	"fmt"
	"os"

	"github.com/picaproof/picaproof/conform/kit"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

func main() {
	core := kit.Core{Name: "minimal Go", Run: func(job *pica.Job, v *kit.Vertex) error {
		if job.Code[job.Entry] != 0x4c000000 { // mov o0, v0, descriptor 0
			return &adapter.RefusalError{Kind: adapter.KindUnsupported, Message: "only mov o0, v0"}
		}
		v.O[0] = v.In[0]
		return nil
	}}
	if err := kit.Serve(&core, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
