package latte_test

import (
	"fmt"

	"github.com/picaproof/picaproof/latte"
)

func ExampleDecode() {
	p, err := latte.Decode([]byte{0, 0, 0, 0, 0x88, 0x06, 0x20, 0x94})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.CF[0].Op().Name)
	_, err = latte.Decode([]byte{0, 0, 0, 0, 0x88, 0x06, 0x00, 0x94})
	fmt.Println(err)
	// Output:
	// EXP_DONE
	// byte 0: LATTE002: The program has no END_OF_PROGRAM, or a subroutine no RETURN (no END_OF_PROGRAM up to the end)
}
