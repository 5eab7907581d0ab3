package conform_test

import (
	"context"
	"fmt"
	"log"

	"github.com/picaproof/picaproof/conform"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/vm"
)

// careless is a core that loses the sign of what it stores in o0.x.
type careless struct{ pica.Engine }

func (c careless) Run(job *pica.Job, out *pica.Outcome) error {
	if err := c.Engine.Run(job, out); err != nil {
		return err
	}
	for i := range out.Vertices {
		out.Vertices[i].O[0][0] &^= 1 << 23
	}
	return nil
}

// A core of this process is judged; adapter.Start takes a command instead.
func ExampleRun() {
	core := adapter.InProcess("careless", profile.F24(), func() pica.Engine { return careless{vm.New()} })
	defer core.Close()
	report, err := conform.Run(context.Background(), core, conform.Options{Suites: []string{"upload"}, Cases: 20})
	if err != nil {
		log.Fatal(err)
	}
	worst := report.Causes()[0]
	fmt.Println(worst.Outcome+":", worst.Name)
	// Output:
	// differs from its own model: end: o0.x loses its sign
}
