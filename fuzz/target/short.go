package target

import "testing"

// The short form of a file is the input of a target that judges files. go test shortens every interesting input, in
// time quadratic in its length, and most of a large file is zeros up to the next aligned part. In the short form, such
// zeros are two bytes. Their number is not stored: an insertion before them leaves the parts behind them in place.
// Every sequence of bytes is the short form of some file.

const (
	// mark begins zeros. The byte k behind it, 1 to 15, says that they end at the next multiple of 2^k; 0 stands for a
	// byte of the value mark.
	mark = 0xE5
	// fewestZeros are written with a mark; fewer stay as they are, so that mutations change single fields.
	fewestZeros = 8
	// longestFile bounds the files of short inputs.
	longestFile = 1 << 17
)

// Shorten returns the short form of a file.
func Shorten(file []byte) (short []byte) {
	for off := 0; off < len(file); {
		n := zeros(file[off:])
		k := 15
		for k > 0 && end(off, k) > off+n {
			k--
		}
		switch {
		case k > 0 && end(off, k)-off >= fewestZeros:
			short = append(short, mark, byte(k))
			off = end(off, k)
		case file[off] == mark:
			short = append(short, mark, 0)
			off++
		default:
			short = append(short, file[off])
			off++
		}
	}
	return short
}

// Expand returns the file of a short form. It cuts the file at longestFile bytes.
func Expand(short []byte) (file []byte) {
	for len(short) > 0 && len(file) < longestFile {
		b := short[0]
		short = short[1:]
		if b == mark && len(short) > 0 {
			k := int(short[0] & 15)
			short = short[1:]
			if k > 0 {
				file = append(file, make([]byte, end(len(file), k)-len(file))...)
				continue
			}
		}
		file = append(file, b)
	}
	return file
}

// end returns the first multiple of 2^k behind an offset.
func end(off, k int) int { return (off>>k + 1) << k }

// zeros counts the zeros at the start of b, as many as a mark may write.
func zeros(b []byte) (n int) {
	for n < len(b) && n < 1<<15 && b[n] == 0 {
		n++
	}
	return n
}

// seeds adds files in their short form, unless that is too long.
type seeds struct {
	*testing.F
	longest int
}

// Add adds a file.
func (s seeds) Add(args ...any) {
	if short := Shorten(args[0].([]byte)); len(short) <= s.longest {
		s.F.Add(short)
	}
}
