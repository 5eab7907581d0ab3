package asm

import (
	"cmp"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/float24"
)

// integer reads a number of a range. The picasso dialect reads it as C's strtoll with
// base 0 does, and ignores text behind the number.
func (a *assembler) integer(t text, low, high int64) (int64, *Error) {
	digits := t.s
	if a.lax() {
		digits = cInteger(t.s, 0)
	}
	v, err := strconv.ParseInt(digits, 0, 64)
	if a.lax() && digits != "" && isRange(err) {
		err = nil // strtoll returns the nearest number
	}
	if err != nil || strings.ContainsRune(digits, '_') {
		return 0, wrong(t, "ASM011", "%q is no number", t.s)
	}
	if v < low || v > high {
		return 0, wrong(t, "ASM011", "%s is out of range: want %d to %d", digits, low, high)
	}
	return v, nil
}

func isRange(err error) bool {
	n, ok := err.(*strconv.NumError)
	return ok && n.Err == strconv.ErrRange
}

// decimal reads an offset, a size or a component of an integer constant. The
// picasso dialect reads it as C's atoi does: text without a number is 0.
func (a *assembler) decimal(t text) (int, *Error) {
	if !a.lax() {
		v, err := a.integer(t, math.MinInt32, math.MaxInt32)
		return int(v), err
	}
	v, _ := strconv.ParseInt(cInteger(t.s, 10), 10, 64)
	return int(int32(v)), nil
}

// cInteger returns the part of s that C's strtoll reads: white space, a sign and the
// digits of a base; base 0 takes the base from the prefix. It is empty if there is no
// digit.
func cInteger(s string, base int) string {
	s = strings.TrimLeft(s, blanks)
	n := 0
	if n < len(s) && (s[n] == '+' || s[n] == '-') {
		n++
	}
	digits := "0123456789"
	start := n
	if base == 0 && strings.HasPrefix(s[n:], "0") {
		digits = "01234567"
		if n+2 < len(s) && s[n+1]|0x20 == 'x' && isHex(s[n+2]) {
			digits, n = "0123456789abcdefABCDEF", n+2
		}
	}
	for n < len(s) && strings.IndexByte(digits, s[n]) >= 0 {
		n++
	}
	if n == start {
		return ""
	}
	return s[:n]
}

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

// float returns the raw float24 pattern of a number.
//
// The default dialect truncates the exact value, the strict encoding of the
// instruction set notes. The picasso dialect reads the number as C's atof does,
// rounds to binary32 and converts as libctru does.
func (a *assembler) float(t text) (uint32, *Error) {
	if a.lax() {
		return libctru(math.Float32bits(float32(cFloat(t.s)))), nil
	}
	v, err := strconv.ParseFloat(t.s, 64)
	if (err != nil && !isRange(err)) || strings.ContainsRune(t.s, '_') || len(t.s) > maxDigits {
		return 0, wrong(t, "ASM011", "%q is no number", t.s)
	}
	return truncated(t.s, v), nil
}

// maxDigits bounds the length of a number: exact conversion takes more than linear
// time.
const maxDigits = 200

// truncated returns the float24 of a number, rounded toward zero; numbers from 2^64
// up are infinite. v is the number rounded to binary64.
func truncated(s string, v float64) uint32 {
	if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) || math.Abs(v) >= 0x1p65 || math.Abs(v) < 0x1p-80 {
		return narrow(math.Float32bits(float32(v)))
	}
	exact, _, err := big.ParseFloat(s, 0, 24, big.ToZero)
	if err != nil {
		exact = big.NewFloat(v)
	}
	f, _ := exact.Float32()
	return narrow(math.Float32bits(f))
}

// narrow returns the float24 of a binary32 pattern, rounded toward zero.
func narrow(f uint32) uint32 { return pica.Float24.Narrow(float24.Round(f, float24.TowardZero)) }

// libctru converts a binary32 pattern to a float24 as libctru and picasso do,
// mistakes included: numbers in [2^-63, 2^-62) become a wrong subnormal, those in
// (2^64, 2^65) a NaN, smaller ones zero, and a NaN becomes an infinity.
func libctru(f uint32) uint32 {
	sign := f >> 31 << 23
	switch exponent := int(f>>23&0xFF) - 64; {
	case exponent < 0:
		return sign
	case exponent > 127:
		return sign | pica.Float24.Infinity()
	default:
		return sign | uint32(exponent)<<16 | f>>7&0xFFFF
	}
}

// cFloat returns the value that C's atof reads: a decimal or hexadecimal number at
// the start of the text, an infinity or a NaN; 0 if there is no number.
func cFloat(s string) float64 {
	s = strings.ToLower(strings.TrimLeft(s, blanks))
	sign := 1.0
	if s != "" && (s[0] == '+' || s[0] == '-') {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	v := 0.0
	switch {
	case strings.HasPrefix(s, "inf"):
		v = math.Inf(1)
	case strings.HasPrefix(s, "nan"):
		v = math.NaN()
	case strings.HasPrefix(s, "0x"):
		digits, exponent := cDigits(s[2:], isHex, 'p')
		v, _ = strconv.ParseFloat("0x"+digits+cmp.Or(exponent, "p0"), 64)
	default:
		digits, exponent := cDigits(s, isDigit, 'e')
		if strings.Trim(digits, ".") == "" {
			return 0 // not even a zero with a sign
		}
		v, _ = strconv.ParseFloat(digits+exponent, 64)
	}
	return math.Copysign(v, sign)
}

// cDigits returns the digits at the start of a text, with at most one point among
// them, and the exponent behind them, which a letter introduces.
func cDigits(s string, isDigit func(byte) bool, letter byte) (digits, exponent string) {
	n := 0
	for point := false; n < len(s) && (isDigit(s[n]) || s[n] == '.' && !point); n++ {
		point = point || s[n] == '.'
	}
	digits, rest := s[:n], s[n:]
	if rest == "" || rest[0] != letter {
		return digits, ""
	}
	e := 1
	if e < len(rest) && (rest[e] == '+' || rest[e] == '-') {
		e++
	}
	from := e
	for e < len(rest) && rest[e] >= '0' && rest[e] <= '9' {
		e++
	}
	if e == from {
		return digits, ""
	}
	return digits, rest[:e]
}
