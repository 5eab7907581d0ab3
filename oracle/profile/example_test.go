package profile_test

import (
	"fmt"
	"log"

	"github.com/picaproof/picaproof/oracle/profile"
)

// A profile is taken by its name, or with changed knobs; each value has its evidence.
func Example() {
	hw, ok := profile.ByName("hw")
	fmt.Println(profile.String(hw), ok)

	p, err := profile.Parse("hw,round=rne")
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range profile.Describe(p) {
		if s.Knob == "round" {
			fmt.Println(s.Knob, s.Value, s.Class, s.About)
		}
	}
	_, err = profile.Parse("azahar") // the error lists the names
	fmt.Println(err != nil)
	// Output:
	// hw true
	// round rne implementation to nearest, ties to even, in the storage format: every emulator, in float32
	// true
}
