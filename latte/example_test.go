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

func ExampleCheck() {
	p, err := latte.Parse("00 EXP_DONE: PIX0, R2.xyzw\nEND_OF_PROGRAM\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	shader := &latte.Structure{Stage: latte.Pixel, GPRs: 2, Inputs: []int{0, 1}, Colours: 1, ColourMask: 0xF}
	for _, f := range latte.Check(p.Encode(), shader) {
		fmt.Println(f)
	}
	// Output:
	// byte 0: LATTE070: A register is not below NUM_GPRS (R2 with NUM_GPRS 2)
	// byte 0: LATTE095: A register is read that nothing wrote before (R2)
}
