package conform

import (
	"context"
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/pica"
)

// ignores is the prefix of the causes of a code cache whose key lacks an input of code
// generation.
const ignores = "code cache ignores "

// cacheProbes are pairs of programs that differ in one respect, named by the probe. A cache of
// generated code whose key lacks it runs the first program again.
var cacheProbes = slices.Concat([]leakProbe{
	{name: "the entry point", leave: "mov o0, v0\nend\nmov o1, v0", show: "mov o0, v0\nend\nmov o1, v0", inputs: true,
		change: func(_, show *pica.Job) { show.Entry = 2 }},
	{name: "operand descriptors", leave: "mov o0, v0.wzyx", show: "mov o0, v0", inputs: true},
	{name: "operand descriptors", leave: "mov o0.xy, v0", show: "mov o0, v0", inputs: true},
	{name: "operand descriptors", leave: "mov o0, -v0", show: "mov o0, v0", inputs: true},
	{name: "operand descriptors", behind: "number 15", leave: "mov o0, v0.wzyx", show: "mov o0, v0", inputs: true,
		change: descriptor(16)},
	{name: "operand descriptors", behind: "number 99", leave: "mov o0, v0.wzyx", show: "mov o0, v0", inputs: true,
		change: descriptor(100)},
	{name: "boolean uniforms", leave: choice(1), show: choice(1), inputs: true},
	{name: "boolean uniforms", leave: choice(14), show: choice(14), inputs: true},
	{name: "integer uniforms", leave: repeated, show: repeated, inputs: true},
	{name: "float uniforms", leave: "mov o0, c9", show: "mov o0, c9", numbers: true},
	{name: "float uniforms", leave: "mov o0, c95", show: "mov o0, c95"},
	{name: "inputs", ofVertices: true, leave: "mov o0, v0", show: "mov o0, v0", inputs: true},
	{name: "fields of operands", leave: "mov o1, v0", show: "mov o0, v0", inputs: true},
	{name: "opcodes", leave: "mul o0, v0, v0", show: "add o0, v0, v0", inputs: true},
	{name: "the order of words", leave: "add r0, v0, v0\nmov r0, v0\nmov o0, r0",
		show: "mov r0, v0\nadd r0, v0, v0\nmov o0, r0", inputs: true},
	{name: "words", behind: "a shorter program", leave: optional, show: optional, inputs: true,
		change: func(leave, show *pica.Job) { leave.Code, leave.Bools, show.Bools = leave.Code[:2], 0, 2 }},
	{name: "the stage", leave: ".gsh\nmov o0, v0", show: "mov o0, v0", inputs: true},
	{name: "the stage", leave: emits, show: emits, inputs: true,
		change: func(leave, _ *pica.Job) { leave.Stage = pica.Vertex }},
	{name: "the output mask", leave: ".gsh\nmov o1, v0\nsetemit 0, prim\nemit",
		show: ".gsh\nmov o1, v0\nsetemit 0, prim\nemit", inputs: true,
		change: func(_, show *pica.Job) { show.OutMask = 2 }},
	{name: "the number of vertices", ofVertices: true, leave: "mov o0, v0", show: "mov o0, v0", inputs: true,
		change: func(_, show *pica.Job) { show.Vertices = append(show.Vertices, show.Vertices[0]) }},
	{name: "the start state of registers", ofVertices: true, leave: summed, show: summed, inputs: true,
		change: func(leave, show *pica.Job) {
			leave.Vertices[0][1] = pica.Vec4{} // r0 becomes 0 again
			show.Vertices[0] = slices.Repeat(show.Vertices[0], 2)
			show.Vertices, show.Keep = append(show.Vertices, show.Vertices[0]), true
		}},
}, behind(4, 16, 64, 256, 1024, 3000))

// Programs of the probes.
const (
	repeated = "mov r0, v0\nfor i1\nadd r0, v0, r0\nnop\n.end\nmov o0, r0"
	summed   = "add r0, v0, r0\nmov o0, r0\nmul r0, v1, r0"
	optional = "jmpu b1, far\nend\nfar:\nmov o1, v0"
	// all inputs of leave are equal
	emits = ".gsh\nmov r0, v1\ncmp v0, ne, ne, r0\nifc cmp.x\nsetemit 0, prim\nemit\n.end\nmov o0, v0"
)

// choice returns a program whose uniform b0 selects one of two outputs.
func choice(b int) string {
	return fmt.Sprintf("ifu b%d\nmov o0, v0\nnop\n.else\nmov o1, v0\nnop\n.end", b)
}

// descriptor moves the first descriptor to number n, and makes the first instruction use it.
func descriptor(n uint32) func(leave, show *pica.Job) {
	return func(leave, show *pica.Job) {
		for _, job := range []*pica.Job{leave, show} {
			list := slices.Repeat([]uint32{uint32(pica.IdentityDescriptor)}, int(n)+1)
			field := pica.OpcodeOf(job.Code[0]).Layout().Desc
			list[n] = job.Descriptors[field.Get(job.Code[0])]
			job.Descriptors, job.Code[0] = list, field.Put(job.Code[0], n)
		}
	}
}

// behind returns probes whose programs jump to word n and differ in that word.
func behind(words ...int) (list []leakProbe) {
	for _, n := range words {
		list = append(list, leakProbe{name: "words", behind: fmt.Sprintf("word %d", n), leave: "mov o1, v0",
			show: "mov o0, v0", inputs: true,
			change: func(leave, show *pica.Job) {
				for _, job := range []*pica.Job{leave, show} {
					code := slices.Repeat([]uint32{nop}, n)
					jump := pica.JMPU.Layout()
					code[0] = jump.Num.Put(jump.Dst.Put(uint32(pica.JMPU)<<26, uint32(n)), 1) // while b0 is false
					job.Code, job.Bools = append(code, job.Code...), 0
				}
			}})
	}
	return list
}

// reused reports that a core runs the code of an earlier request again although the request
// differs. If a request with another program has the same effect, state leaks and no cache is at
// fault.
func (s *session) reused(ctx context.Context, p *leakProbe) *leak {
	earlier, job := p.jobs(p.show)
	l := s.passes(ctx, p, earlier, job, nil)
	if l == nil {
		return nil
	}
	other := reduce.Clone(earlier)
	other.Code, other.Entry = assembled("nop\nnop\nmov o15, v0").Code, 0
	if earlier.Stage == pica.Geometry { // it leaves vertices in the emitter, too
		other.Code = assembled(".gsh\nnop\nmov o1, v0\nsetemit 0, prim\nemit").Code
	}
	if s.passes(ctx, p, other, job, nil) != nil {
		return nil
	}
	l.ignored = []*leakProbe{p}
	return l
}

// oneCache joins the leaks of a code cache: one key is at fault for all of them, shown by the
// first probe. Of the words behind some word, the first is enough.
func oneCache(leaks []*leak) (list []*leak) {
	var cache *leak
	for _, l := range leaks {
		if !l.cached() {
			list = append(list, l)
			continue
		}
		if cache == nil {
			first := *l
			cache, first.ignored = &first, nil
			list = append(list, cache)
		}
		if !slices.ContainsFunc(cache.ignored, func(p *leakProbe) bool { return p.name == l.probe.name }) {
			cache.ignored = append(cache.ignored, l.probe)
		}
	}
	return list
}
