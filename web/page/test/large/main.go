// Command large serves this module: it writes a BNSH of about as many bytes as its second argument says, made of
// variations of the file that its first argument names.
package main

import (
	"encoding/binary"
	"log"
	"os"
	"strconv"

	"github.com/picaproof/picaproof/formats/bnsh"
)

func main() {
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	want, err := strconv.Atoi(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	f, err := bnsh.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	const size = 0x4000 // of the code of a variation
	first := f.Variations[0].Binary
	for i := range want / size {
		p := *first
		code := make([]byte, size)
		for j := 0; j < len(code)/2; j += 4 { // the second half is zeros
			binary.LittleEndian.PutUint32(code[j:], uint32(i*size+j)*0x9e3779b1)
		}
		vertex := *p.Stages[bnsh.Vertex]
		vertex.Code = code
		p.Stages[bnsh.Vertex] = &vertex
		f.Variations = append(f.Variations, bnsh.Variation{Binary: &p})
	}
	if data, err = f.AppendBinary(nil); err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stdout.Write(data); err != nil {
		log.Fatal(err)
	}
}
