// Package parts serves this module: it gives a fuzz target with several inputs one form of bytes, so
// that one corpus serves go test and libFuzzer.
package parts

import "encoding/binary"

// lengthBytes is the size of the length in front of each input but the last.
const lengthBytes = 2

// Split returns n inputs. Any bytes have them: an input that is not there is empty, and one whose length
// exceeds the rest is the rest. The inputs share memory with b.
func Split(b []byte, n int) [][]byte {
	list := make([][]byte, n)
	for i := range list[:n-1] {
		if len(b) < lengthBytes {
			return list
		}
		length := int(binary.LittleEndian.Uint16(b))
		b = b[lengthBytes:]
		length = min(length, len(b))
		list[i], b = b[:length:length], b[length:]
	}
	list[n-1] = b
	return list
}

// Join returns the bytes that Split divides into the inputs. Each input but the last is shorter than 64 KiB.
func Join(list ...[]byte) (b []byte) {
	last := len(list) - 1
	for _, input := range list[:last] {
		b = binary.LittleEndian.AppendUint16(b, uint16(len(input)))
		b = append(b, input...)
	}
	return append(b, list[last]...)
}
