package sequence

import (
	"slices"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// kind is a kind of command. Its effect replaces slices of the unit and never writes to
// their elements, because units are copied as values.
type kind struct {
	name   string
	weight int
	args   []argument
	do     func(u *ShaderUnit, args [3]int)
}

const (
	pool     = 1 << 12 // programs, vectors and words to choose from
	vertices = 4
	seed     = 1
)

// kinds lists the commands. Programs, vectors and words are given by the number of a
// stream of choices. A kind without do is a run, which ShaderUnit.Do carries out.
var kinds = []kind{
	{"program", 4, []argument{one(modeNames()...), number(pool)}, func(u *ShaderUnit, args [3]int) {
		var g gen.Generator
		job := g.Job(gen.Seed(seed, uint64(args[1])), gen.Modes[args[0]])
		u.job.Program = pica.Program{Code: slices.Clone(job.Code), Descriptors: slices.Clone(job.Descriptors)}
		u.job.Entry, u.job.Stage, u.job.OutMask = job.Entry, job.Stage, job.OutMask
	}},
	{"word", 2, []argument{number(64), number(pool)},
		func(u *ShaderUnit, args [3]int) { u.job.Code = patched(u.job.Code, args) }},
	{"descriptor", 2, []argument{number(32), number(pool)},
		func(u *ShaderUnit, args [3]int) { u.job.Descriptors = patched(u.job.Descriptors, args) }},
	{"profile", 1, []argument{one("f24", "hw", "f32")}, func(u *ShaderUnit, args [3]int) {
		p := []pica.Profile{profile.F24(), profile.HW(), profile.F32()}[args[0]]
		if p.Knobs.Storage != u.job.Profile.Knobs.Storage {
			u.job.Initial = nil // its bits are in another storage format
		}
		u.job.Profile = p
	}},
	{"float", 5, []argument{number(pica.NumFloats + 2), one("raw24", "float32"), number(pool)},
		func(u *ShaderUnit, args [3]int) {
			up := pica.Upload{Register: args[0], Format: pica.Float24, Values: []pica.Vec4{vector(args[2])[0]}}
			if args[1] == 1 {
				up.Format = pica.Float32
				for k := range up.Values[0] {
					up.Values[0][k] <<= 8 // the sign moves to bit 31
				}
			}
			u.job.Floats = append(slices.Clip(u.job.Floats), up)
		}},
	{"int", 3, []argument{number(pica.NumInts), number(4), number(256)}, func(u *ShaderUnit, args [3]int) {
		u.job.Ints[args[0]] = [4]uint8{uint8(args[1]), uint8(args[2]), uint8(args[2] & 3)}
	}},
	{"bools", 3, []argument{number(1 << 16)}, func(u *ShaderUnit, args [3]int) { u.job.Bools = uint16(args[0]) }},
	{"vertex", 4, []argument{number(vertices), number(pool), number(pica.NumInputs + 1)},
		func(u *ShaderUnit, args [3]int) {
			rows := slices.Clone(u.job.Vertices)
			for len(rows) <= args[0] {
				rows = append(rows, nil)
			}
			rows[args[0]] = vector(args[1])[:args[2]]
			u.job.Vertices = rows
		}},
	{"outmask", 1, []argument{number(1 << 16)}, func(u *ShaderUnit, args [3]int) { u.job.OutMask = uint16(args[0]) }},
	{"budget", 1, []argument{number(32)}, func(u *ShaderUnit, args [3]int) { u.job.Budget = budget(args[0]) }},
	{"snapshot", 2, nil, func(u *ShaderUnit, _ [3]int) {
		saved := *u
		saved.saved = nil
		u.saved = &saved
	}},
	{"restore", 2, nil, func(u *ShaderUnit, _ [3]int) {
		if saved := u.saved; saved != nil {
			*u = *saved
			u.saved = saved
		}
	}},
	{"reset", 1, nil, func(u *ShaderUnit, _ [3]int) { u.job.Initial = nil }},
	{"run", 12, []argument{one("alone", "keep")}, nil},
}

func modeNames() (names []string) {
	for _, m := range gen.Modes {
		names = append(names, string(m))
	}
	return names
}

// vector returns the input registers of a vertex of the pool.
func vector(n int) []pica.Vec4 {
	var g gen.Generator
	return slices.Clone(g.Vertex(gen.Seed(seed, uint64(n)))[0])
}

// patched returns words with one replaced, if there are any.
func patched(words []uint32, args [3]int) []uint32 {
	if len(words) == 0 {
		return words
	}
	words = slices.Clone(words)
	words[args[0]%len(words)] = uint32(gen.Seed(seed, uint64(args[1])).Uint64() >> 32)
	return words
}

// budget is small, because patched programs often do not end.
func budget(n int) int { return 1 + n*n }
