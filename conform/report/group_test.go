package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
)

// finding reads "BUCKET | OPCODE | CLASS | WHERE | FEATURES", where all but the first may be left
// out; the opcode is then the beginning of the bucket. A bucket that ends in ": crash" or ": hang" has that level.
func finding(text string) report.Deviation {
	fields := append(strings.Split(text, "|"), "", "", "", "")
	for k := range fields {
		fields[k] = strings.TrimSpace(fields[k])
	}
	d := report.Deviation{Bucket: fields[0], Opcode: fields[1], Class: fields[2], Where: fields[3], Verdict: report.Own,
		Count: 1, Members: []report.Member{{Key: text, Count: 1}}}
	if d.Opcode == "" {
		d.Opcode, _, _ = strings.Cut(d.Bucket, ",")
		d.Opcode, _, _ = strings.Cut(d.Opcode, ":")
	}
	if fields[4] != "" {
		d.Features = strings.Split(fields[4], "; ")
	}
	d.Opcodes = []string{d.Opcode}
	for _, end := range []report.Level{report.Crash, report.Hang} {
		if strings.HasSuffix(d.Bucket, ": "+string(end)) {
			d.Verdict = end
		}
	}
	return d
}

// TestGroup: the causes of findings, each with the number of its parts. No finding is lost.
func TestGroup(t *testing.T) {
	for _, c := range []struct{ name, findings, want string }{
		{"one name", `add
			add
			mul`,
			`add 0
mul 0`},
		{"two outputs with others", `o1 with it
			o3 with it`,
			`o1 with it 0
o3 with it 0`},
		{"three outputs with others", `o1 with it | o1
			o2 with it | o2
			o3 with it | o3
			r1 with it | r1
			r2 with it | r2`,
			`r1 with it 0
r2 with it 0
outputs, and others with it 3`},
		{"three temporaries with others", `r1 with it | r1
			r2 with it | r2
			r3 with it | r3
			o1`,
			`o1 0
temporaries, and others with it 3`},
		{"two registers", `c5
			c9`,
			`c5 0
c9 0`},
		{"registers", `c5
			c90
			c17
			v2
			v3
			v0
			r1
			r2
			o1
			o2
			o15
			o1 and c2`,
			`o1 and c2 0
r1 0
r2 0
o1 to o15 3
v0 to v3 3
c5 to c90 3`},
		{"uploads", `upload of uniform float24: NaN | upload
			upload of uniform float24: zero | upload
			upload of uniform float32 | upload
			upload of input float24 | upload
			upload of input float24, w | upload
			upload of input float32: inf | upload
			upload of input float32: nan | upload`,
			`upload of uniform float32 0
upload of uniform float24 2
upload of input float24 2
upload of input float32 2`},
		{"relative addressing", `relative addressing, a0.x | a | | | x
			mov, relative addressing, a0.x | mov
			relative addressing, a0.x and v | b | | | x; v
			relative addressing, aL | c | | | l
			add`,
			`add 0
relative addressing, aL 0
relative addressing, a0.x 3`},
		{"relative addressing of everything", `relative addressing | a
			relative addressing, aL | c | | | l
			add, relative addressing | add
			mul, relative addressing: crash | mul`,
			`mul, relative addressing: crash 0
relative addressing 3`},
		{"far descriptors", `descriptor above 31 | a
			add, descriptor above 31 | add
			descriptor above 31 and x | b
			mul, descriptor above 63 | mul`,
			`mul, descriptor above 63 0
descriptor above 31 3`},
		{"features alone", `negated and swizzled | a | | | negated; swizzled
			add, negated and swizzled | add
			negated and swizzled, too | b`,
			`negated and swizzled 3`},
		{"few unused bits", `add, unused bits | add
			mul, unused bits | mul
			rcp, unused bits: hang | rcp`,
			`add, unused bits 0
mul, unused bits 0
rcp, unused bits: hang 0`},
		{"unused bits", `add, unused bits | add
			mul, unused bits | mul
			rcp, unused bits | rcp
			nop, unused bits: crash | nop
			end, unused bits: crash | end
			emit, unused bits: crash | emit
			mov, unused bits: hang | mov`,
			`mov, unused bits: hang 0
unused bits 3
unused bits: crash 3`},
		{"combinations", `ifc and loop | ifc and loop
			ifu and loop | ifu and loop
			ifu and loop: hang | ifu and loop
			loop and ifc: hang | loop and ifc
			call and ifu | call and ifu
			breakc and loop | breakc and loop`,
			`breakc and loop 0
call and ifu 0
if and loop 2
if and loop: hang 2`},
		{"instructions of one kind", `ifc
			ifu`,
			`ifc 0
ifu 0`},
		{"one bound of a loop", `loop, step above 3 | loop
			loop | loop`,
			`loop 2`},
		{"bounds of a loop", `loop, step above 3 | loop
			loop, step above 7 | loop
			loop, count above 2 | loop
			loop | loop
			loop: hang | loop`,
			`loop: hang 0
loop 4`},
		{"bounds of two fields", `loop, step above 3 | loop
			loop, count above 2 | loop`,
			`loop, count above 2 0
loop, step above 3 0`},
		{"targets", `call, target above word 511 | call
			ifu, target above word 1023 | ifu
			jmpu, target above word 2047 | jmpu
			ifc`,
			`ifc 0
target above word 511 3`},
		{"targets above 255", `call, target above word 255 | call
			ifu, target above word 511 | ifu`,
			`target above word 255 2`},
		{"targets above 2047", `call, target above word 2047 | call
			ifu, target above word 2047 | ifu
			loop, target above word 4000 | loop`,
			`target above word 2047 3`},
		{"two booleans", `ifu on b3 | ifu
			ifu on b3: hang | ifu
			jmpu on b3 | jmpu
			ifu on b15 | ifu
			loop on i2 | loop
			loop on i2: hang | loop`,
			`ifu on b15 0
b3 3
i2 2`},
		{"three booleans", `ifu on b0 | ifu
			ifu on b3: hang | ifu
			jmpu on b15 | jmpu
			loop on i3 | loop
			loop on i3: crash | loop`,
			`conditions on uniforms 3
i3 2`},
		{"hang and difference", `ifu | ifu
			ifu: hang | ifu
			add | add
			add: hang | add
			jmpc: crash | jmpc
			jmpc | jmpc`,
			`add 0
add: hang 0
jmpc 0
jmpc: crash 0
ifu 2`},
		{"component y", `add: y | add | value | o0.y | component y
			mul: y | mul | value | o1.y | component y
			min: y | min | value | o2.y
			max: y | max | class | r0.y
			dp3: x | dp3 | value | o0.x
			rcp: x | rcp | value | o0.x
			mov: z | mov | other | o0.z`,
			`mov: z 0
rcp: x 0
component y 5`},
		{"component w", `add: w | add | value | o0.w | component w
			mul: w | mul | value | o1.w | component w
			min: w | min | class | o2.w
			max: w | max | other | r0.w
			dp4: x | dp4 | value | o0.x
			dp4: x, crash: crash | dp4 | value | o0.x
			dp3: x | dp3 | sign | o0.x
			dph: x | dph | step | o0.x`,
			`dp3: x 0
dp4: x, crash: crash 0
component w 6`},
		{"component z, not proven", `add: z | add | a | o0.z | component z
			mul: z | mul | b | o1.z
			min: z | min | c | o2.z
			max: z | max | d | r0.z`,
			`add: z 0
max: z 0
min: z 0
mul: z 0`},
		{"component z of three", `add: z | add | a | o0.z | component z
			mul: z | mul | b | o1.z | component z
			min: z | min | c | o2.z`,
			`add: z 0
min: z 0
mul: z 0`},
		{"component y of two instructions", `add: y | add | a | o0.y | component y
			mul: y | mul | b | o1.y | component y
			min: y | min | c | o2.y
			rcp and rsq | rcp and rsq | d | o0.y`,
			`add: y 0
min: y 0
mul: y 0
rcp and rsq 0`},
		{"two conditions on flags", `ifc: a | ifc | x
			jmpc: b | jmpc | y`,
			`ifc: a 0
jmpc: b 0`},
		{"conditions on flags", `ifc: a | ifc | x
			jmpc: b | jmpc | y
			breakc: c | breakc | z
			breakc: hang | breakc`,
			`breakc: hang 0
conditions on flags 3`},
		{"conditions on flags that crash", `ifc: crash | ifc
			jmpc: crash | jmpc
			callc: crash | callc
			breakc: d | breakc`,
			`breakc: d 0
conditions on flags: crash 3`},
		{"conditions on uniforms", `ifu: a | ifu | x
			jmpu: b | jmpu | y
			callu: c | callu | z`,
			`conditions on uniforms 3`},
		{"calls", `call: a | call | x
			callc: b | callc | y
			ret`,
			`ret 0
calls 2`},
		{"calls and uniforms", `callu: a | callu | x
			callc: b | callc | y`,
			`calls 2`},
		{"sums", `add: a | add | value
			mad: b | mad | value
			dp3: c | dp3 | value
			dp4: d | dp4 | class`,
			`dp4: d 0
sums 3`},
		{"sums with dp4", `add: a | add | value
			mad: b | mad | value
			dp4: c | dp4 | value`,
			`sums 3`},
		{"sums without add", `mad: b | mad | value
			dph: c | dph | value
			madi: d | madi | value`,
			`dph: c 0
mad 2`},
		{"products", `mul: a | mul | value
			mad: b | mad | value
			dst: c | dst | value
			add: e | add | other`,
			`add: e 0
products 3`},
		{"dot products", `dp3: a | dp3 | x
			dp4: b | dp4 | y
			dph: c | dph | z`,
			`dot products 3`},
		{"dphi is a dot product", `dp3: a | dp3 | x
			dp4: b | dp4 | y
			dphi: c | dphi | z`,
			`dot products 3`},
		{"comparisons", `sge: a | sge | value
			slt: b | slt | value
			max: c | max | value
			cmp: d | cmp | flag`,
			`cmp: d 0
comparisons 3`},
		{"comparisons, with min and cmp", `min: a | min | value
			cmp: b | cmp | value
			max: c | max | value`,
			`comparisons 3`},
		{"seven alike", `mov: a | mov | v | | f
			mul: a | mul | v | | f
			rcp: a | rcp | v | | f
			rsq: a | rsq | v | | f
			flr: a | flr | v | | f
			ex2: a | ex2 | v | | f
			lg2: a | lg2 | v | | f`,
			`ex2: a 0
flr: a 0
lg2: a 0
mov: a 0
mul: a 0
rcp: a 0
rsq: a 0`},
		{"eight alike", `mov: a | mov | v | | f
			mul: a | mul | v | | f
			rcp: a | rcp | v | | f
			rsq: a | rsq | v | | f
			flr: a | flr | v | | f
			ex2: a | ex2 | v | | f
			lg2: a | lg2 | v | | f
			max: a | max | v | | f
			nop: a | nop | v | | f
			min: a | min | v | | g
			slt: a | slt | w | | f
			sge: a: hang | sge | v | | f`,
			`min: a 0
nop: a 0
sge: a: hang 0
slt: a 0
what 8 instructions share 8`},
		{"one instruction", `min: a | min | v
			min: b | min | v
			min: c | min | w
			min: d: hang | min | v`,
			`min: c 0
min: d: hang 0
min 2`},
		{"one instruction in general", `min | min | v
			min: b | min | w
			min: c | min | x`,
			`min 3`},
		{"inverted forms", `sge: a | sge | v
			sgei: b | sgei | v
			sgei: c | sgei | w`,
			`sgei: c 0
sge 2`},
		{"inverted forms beside the plain one", `sge | sge | w
			sgei: b | sgei | v
			sgei: c | sgei | v`,
			`sge 3`},
		{"same features", `min: a | min | v | | f
			min: b | min | w | | f
			min: c | min | x | | g
			min: e | min | y`,
			`min 4`},
		{"several instructions", `mul and rcp | mul and rcp | v
			mul: a | mul | v
			mul: b | mul | v`,
			`mul and rcp 0
mul 2`},
	} {
		var list []report.Deviation
		keys := map[string]bool{}
		for _, text := range strings.Split(c.findings, "\n") {
			list = append(list, finding(strings.TrimSpace(text)))
			keys[list[len(list)-1].Members[0].Key] = true
		}
		var got []string
		count := 0
		for _, d := range report.Group(list) {
			got = append(got, fmt.Sprintf("%s %d", d.Bucket, len(d.Parts)))
			count += d.Count
		}
		if count != len(keys) {
			t.Errorf("%s: the causes have %d findings, want %d", c.name, count, len(keys))
		}
		if s := strings.Join(got, "\n"); s != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, s, c.want)
		}
	}
}
