package cgfx_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/cgfx"
	"github.com/picaproof/picaproof/formats/wire"
)

// TestAgreement mutates files at random: whatever the bytes are, Parse and
// Check agree, and what is accepted is written as it was.
func TestAgreement(t *testing.T) {
	whole := mustAppend(t, pair(t))
	bases := [][]byte{whole, mustAppend(t, &cgfx.File{}), commands(slices.Clone(whole)),
		set32(object0, 0x80000001)(slices.Clone(whole)), append(slices.Clone(whole), "tail"...)}
	format.Random(t, bases, 60_000, 20)
}

// TestHostileCounts: counts and pointers that promise much cost little.
func TestHostileCounts(t *testing.T) {
	n := 30_000
	if testing.Short() {
		n = 6_000
	}
	for name, b := range map[string][]byte{
		"one DVLB, many shaders": manyObjects(t, n/15, func(i int) (uint32, uint32) {
			return 0, 60_000 - uint32(i)
		}),
		"many small DVLBs":         mustAppend(t, many(t, n/10)),
		"one object, many names":   oneObject(n),
		"one name, many nodes":     oneName(n),
		"tails of one name":        tails(n, n),
		"a chain of nodes":         chain(n),
		"zeros":                    zeros(32 * n),
		"programs point at one":    onePrograms(t, n),
		"null for each program":    nullPrograms(t, n),
		"DVLBs with many findings": mustAppend(t, noisy(t, n/15)),
	} {
		t.Run(name, func(t *testing.T) {
			format.Bounds(t, b)
			format.Agree(t, b)
		})
	}
}

// TestLinear: time grows with the size.
func TestLinear(t *testing.T) {
	for name, build := range map[string]func(n int) []byte{
		"objects": func(n int) []byte {
			return manyObjects(t, n, func(i int) (uint32, uint32) { return 0, uint32(60*n - i) })
		},
		"names": func(n int) []byte { return tails(10*n, 10*n) },
		"names over the limit, and a tail without NUL": func(n int) []byte { return withTail(tails(10*n, 10*n)) },
		"names in a tail without NUL": func(n int) []byte {
			b := raw(10*n, 0)
			end := len(b)
			b = withTail(b)
			for k := range 10 * n {
				point(b, node0+16*(k+1)+8, end+k)
			}
			return b
		},
		"chain": func(n int) []byte { return chain(8 * n) },
		"sound": func(n int) []byte { return mustAppend(t, many(t, n)) },
	} {
		t.Run(name, func(t *testing.T) { format.Linear(t, build, 300) })
	}
}

// raw is a file with a DICT of n nodes, and rest bytes behind it.
func raw(n, rest int) []byte {
	size := dict + 12 + 16*(n+1) + rest
	b := make([]byte, size)
	copy(b, "CGFX\xFF\xFE\x14\x00\x00\x00\x00\x05")
	copy(b[data:], "DATA")
	copy(b[dict:], "DICT")
	put := func(at int, v uint32) { binary.LittleEndian.PutUint32(b[at:], v) }
	put(0xC, uint32(size))
	put(0x10, 1)
	put(data+4, uint32(size-data))
	put(shaders, uint32(n))
	put(shaders+4, dict-shaders-4)
	put(dict+4, uint32(12+16*(n+1)))
	put(dict+8, uint32(n))
	put(node0, 0xFFFFFFFF)
	return b
}

// point writes a pointer.
func point(b []byte, at, target int) {
	binary.LittleEndian.PutUint32(b[at:], uint32(target-at))
}

// oneObject is a file whose n nodes have names of their own and one object.
func oneObject(n int) []byte {
	b := raw(n, 0x48+8*n)
	rest := dict + 12 + 16*(n+1)
	copy(b[rest:], "\x02\x00\x00\x80SHDR")
	names := b[:rest+0x48]
	for k := range n {
		point(b, node0+16*(k+1)+8, len(names))
		point(b, node0+16*(k+1)+12, rest)
		names = fmt.Appendf(names, "%07d\x00", k)
	}
	return b
}

// oneName is a file whose n nodes have one name.
func oneName(n int) []byte {
	b := oneObject(n)
	for k := range n {
		point(b, node0+16*(k+1)+8, len(b)-8)
	}
	return b
}

// tails is a file whose n nodes have the tails of one name of a length.
func tails(n, length int) []byte {
	b := raw(n, length+1)
	rest := dict + 12 + 16*(n+1)
	copy(b[rest:], strings.Repeat("a", length))
	for k := range n {
		point(b, node0+16*(k+1)+8, rest+length-1-k%length)
		point(b, node0+16*(k+1)+12, rest&^3)
	}
	return b
}

// withTail appends as many bytes as a file has, none of them 0.
func withTail(b []byte) []byte {
	b = append(b, bytes.Repeat([]byte{'a'}, len(b))...)
	binary.LittleEndian.PutUint32(b[0xC:], uint32(len(b)))
	return b
}

// chain is tails with a trie that is as deep as it has nodes.
func chain(n int) []byte {
	b := tails(n, n)
	binary.LittleEndian.PutUint16(b[node0+4:], 1)
	for k := 1; k <= n; k++ {
		at := node0 + 16*k
		binary.LittleEndian.PutUint32(b[at:], uint32(8*n-k))
		next := uint16(min(k+1, n))
		binary.LittleEndian.PutUint16(b[at+4:], next)
		binary.LittleEndian.PutUint16(b[at+6:], next)
	}
	return b
}

// zeros is a file of NULs behind one entry.
func zeros(n int) []byte {
	b := raw(1, n)
	point(b, node1+8, len(b)-1)
	point(b, node1+12, len(b)-0x48)
	return b
}

// manyObjects is a file of n shaders whose DVLBs lie anywhere behind them.
func manyObjects(t testing.TB, n int, place func(i int) (off, size uint32)) []byte {
	const room = 16
	b := raw(n, (0x48+room)*n+60_000+60*n)
	rest := dict + 12 + 16*(n+1)
	names := rest + 0x48*n
	body := names + room*n
	copy(b[body:], dvlb(t, 1, false))
	for k := range n {
		object := rest + 0x48*k
		copy(b[object:], "\x02\x00\x00\x80SHDR\x00\x00\x00\x06")
		copy(b[names+room*k:], fmt.Sprintf("%07d", k))
		point(b, node0+16*(k+1)+8, names+room*k)
		point(b, node0+16*(k+1)+12, object)
		point(b, object+0xC, names+room*k)
		off, size := place(k)
		binary.LittleEndian.PutUint32(b[object+0x18:], size)
		point(b, object+0x1C, body+int(off))
	}
	return b
}

// onePrograms is a file whose shader has n pointers to one program.
func onePrograms(t testing.TB, n int) []byte {
	f := pair(t)
	f.Objects[0].Programs = make([]cgfx.Program, n)
	b := mustAppend(t, f)
	for i := range n {
		point(b, array+4*i, array+4*n)
	}
	return b
}

// nullPrograms is a file whose shader has n null pointers to programs.
func nullPrograms(t testing.TB, n int) []byte {
	b := mustAppend(t, pair(t))
	end := len(b)
	b = all(set32(0xC, uint32(end+4*n)), set32(object0+0x28, uint32(n)))(append(b, make([]byte, 4*n)...))
	point(b, object0+0x2C, end)
	return b
}

// many is a sound file with n shaders.
func many(t testing.TB, n int) *cgfx.File {
	f, code := new(cgfx.File), dvlb(t, 1, false)
	for i := range n {
		f.Objects = append(f.Objects, cgfx.Object{Name: wire.Text(fmt.Sprintf("Shader%d", i)), DVLB: code})
	}
	return f
}

// noisy is a sound file with n shaders whose DVLBs yield many findings.
func noisy(t testing.TB, n int) *cgfx.File {
	f := many(t, n)
	for i := range f.Objects {
		b := slices.Clone(f.Objects[i].DVLB)
		b[0x10], b[0x40], b[0x48], b[0x54], b[0x56] = 1, 4, 3, 4, 5 // versions, descriptor flags, masks
		f.Objects[i].DVLB = b
	}
	return f
}

// large is one shader with much code, as in a real file.
func large(t testing.TB) []byte {
	f := pair(t)
	for i := range 20 {
		o := f.Objects[0]
		o.Name = wire.Text(fmt.Sprintf("Shader%d", i))
		o.DVLB = dvlb(t, 100, true)
		f.Objects = append(f.Objects, o)
	}
	return mustAppend(t, f)
}

func BenchmarkParse(b *testing.B) { format.BenchmarkParse(b, large(b)) }
func BenchmarkCheck(b *testing.B) { format.BenchmarkCheck(b, large(b)) }
func BenchmarkWrite(b *testing.B) { format.BenchmarkWrite(b, large(b)) }
