package source

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// Form is a mnemonic, an operand form or a construct of a dialect.
type Form struct {
	Name    string
	pattern func() *regexp.Regexp // compiled at the first use: a program that judges no writer needs none of them
	second  bool                  // only in the second source
	since   int                   // the version of the dialect that has it first, 0 for any
}

// In reports whether a text contains the form.
func (f *Form) In(t *Text) bool {
	for i, file := range t.Files {
		if f.second && i == 0 {
			continue
		}
		if f.pattern().MatchString(file) {
			return true
		}
	}
	return false
}

// Omission is a form of a dialect that its printer does not use, with the reason.
type Omission struct{ Form, Reason string }

// forms returns a form for each line: a name, a tab and a pattern. In the pattern, ~ is the
// beginning of a line with its blanks and % any text within one line; the prefix {in2} means the
// second source. A line without a tab is a mnemonic. The line {2.6} begins the forms that are new
// in version 2.6.
func forms(table string) (list []Form) {
	since := 0
	signs := strings.NewReplacer("~", `^[ \t]*`, "%", `[^\r\n]*`)
	for line := range strings.Lines(table) {
		line = strings.Trim(line, "\n")
		if line == "" {
			continue
		}
		var major, minor int
		if n, _ := fmt.Sscanf(line, "{%d.%d}", &major, &minor); n == 2 {
			since = 10*major + minor
			continue
		}
		name, pattern, ok := strings.Cut(line, "\t")
		if !ok {
			pattern = `~` + regexp.QuoteMeta(name) + `\b`
		}
		pattern, second := strings.CutPrefix(strings.TrimSpace(pattern), "{in2}")
		list = append(list, Form{Name: name, second: second, since: since, pattern: sync.OnceValue(func() *regexp.Regexp {
			return regexp.MustCompile(`(?mi)` + signs.Replace(pattern))
		})})
	}
	return list
}

// PicassoForms are the forms of picasso's dialect.
var PicassoForms = forms(`
add
dp3
dp4
dph
mul
sge
slt
max
min
ex2
lg2
flr
rcp
rsq
mov
cmp
mad
dphi
sgei
slti
madi
for
ifc
ifu
call
callc
callu
jmpc
jmpu
breakc
nop
end
.else
.proc
.alias
.fvec
.ivec
.bool
.constf
.consti
.out
mnemonic in capitals	(?-i:~MOV\b)
label	~\w+:
comment	;
line ends with CR	\r
no end of the last line	[^\r\n]\z
mask	~mov r\d\.[xyzw]{1,3},
mask of a named output	~mov [a-z]+\d+\.x
negated source	, -r\d
capital letters	\.(?-i:[XYZW]{2})
whole swizzle	, r\d\.xyzw
shortened swizzle	, r\d\.[xyzw]\b
swizzle that repeats its last letter	, r\d\.[xyzw]?([xyzw])[xyzw]?xx
register of a uniform	, c\d+\b
named uniform	, -?[a-z]+\d+\b
element of an array	[a-z]+\d+\[\d+\]
static offset with an index	\[a[0L][^\]]*\+ ?\d
static offset above 4 with an index	\[a[0L][^\]]*\+ ?([5-9]|\d\d)
index a0	\[a0[\]+ ]
index a1	\[a1[\]+ ]
index lcnt	\[lcnt[\]+ ]
index a2	\[a2[\]+ ]
index on a register	c\d+\[a
relation eq	~cmp %\beq\b
relation ne	~cmp %\bne\b
relation lt	~cmp %\blt\b
relation le	~cmp %\ble\b
relation gt	~cmp %\bgt\b
relation ge	~cmp %\bge\b
wide second operand of dph	~dphi? [^,]+, -?r\d[^,]*, -?c\d
wide second operand of sge	~sgei? [^,]+, -?r\d[^,]*, -?c\d
wide second operand of slt	~slti? [^,]+, -?r\d[^,]*, -?c\d
wide second operand of mad	~madi? [^,]+, -?r\d[^,]*, -?c\d
wide third operand of mad	~madi? [^,]+, -?r\d[^,]*, -?r\d[^,]*, -?c\d
condition x	(ifc|jmpc|callc|breakc) cmp\.x[,\r\n]
condition not x	(ifc|jmpc|callc|breakc) !cmp\.x[,\r\n]
condition y	(ifc|jmpc|callc|breakc) cmp\.y[,\r\n]
condition not y	(ifc|jmpc|callc|breakc) !cmp\.y[,\r\n]
condition and	cmp\.. && !?cmp
condition short and	cmp\.. & !?cmp
condition or	cmp\.. \|\| !?cmp
condition short or	cmp\.. \| !?cmp
condition y first	!?cmp\.y [&|]+ !?cmp\.x
boolean by name	~ifu [a-z]+\d+
element of booleans	~(ifu|jmpu|callu) !?[a-z_$]+\d+\[1\]
loop by name	~for [a-z]
loop by register	~for i\d
uniforms in one directive	~\.[fi]vec [^,\r\n]+,
array of uniforms	~\.fvec [^,\r\n]+\[[2-9]\]
array of many uniforms	~\.fvec [^,\r\n]+\[\d\d\]
long name	~\.\w+ [^,\r\n]*\w{30}
hidden uniform	~\.\w+ %_[a-z]
negative integer	~\.consti %, -\d
output without a register	~\.out \S+ \w+(\.\w+)?\s*$
output with a mask	~\.out \S+ \w+( o\d)?\.
output with one component	~\.out \S+ \w+( o\d)?\.[a-z]\b
position	~\.out \S+ position
pos	~\.out \S+ pos\b
normalquat	~\.out \S+ normalquat
nquat	~\.out \S+ nquat
color	~\.out \S+ color
clr	~\.out \S+ clr
texcoord0	~\.out \S+ texcoord0\b
tcoord0	~\.out \S+ tcoord0\b
texcoord0w	~\.out \S+ texcoord0w
tcoord0w	~\.out \S+ tcoord0w
texcoord1	~\.out \S+ texcoord1
tcoord1	~\.out \S+ tcoord1
texcoord2	~\.out \S+ texcoord2
tcoord2	~\.out \S+ tcoord2
view	~\.out \S+ view
{2.0}
emit
setemit
.setf
.seti
.setb
.entry
.gsh
.nodvle
second source with an entry	{in2}\A\.entry
setemit prim	~setemit \d, prim\b
setemit primitive	~setemit \d, primitive\b
setemit inv	~setemit \d, inv\b
setemit invert	~setemit \d, invert\b
setemit both	~setemit \d, prim(itive)? inv
setemit both, the other way	~setemit \d, inv(ert)? prim
integers without a name in i0	~\.seti i0
integers without a name in i1	~\.seti i1
integers without a name in i2	~\.seti i2
integers without a name in i3	~\.seti i3
floats without a name in a low register	~\.setf c[0-9]\(
floats without a name in a high register	~\.setf c[89]\d\(
boolean in a low register	~\.setb b[0-7]\b
boolean in b15	~\.setb b15
boolean true	~\.setb b\d+ true
boolean on	~\.setb b\d+ on
boolean 1	~\.setb b\d+ 1
boolean false	~\.setb b\d+ false
boolean off	~\.setb b\d+ off
boolean 0	~\.setb b\d+ 0
second source without a table	{in2}\A\.nodvle
gsh alone	~\.gsh\s*$
{2.2}
mova
mova to a0	~mova a0,
mova to a1	~mova a1,
mova to a01	~mova a01,
jump on false	~jmpu !
{2.3}
.constfa
constant array with its size	~\.constfa \w+\[\d
constant array without its size	~\.constfa \w+\[\]
{2.5}
letters rgba	\.(?-i:[rgba]{2})
letters stpq	\.(?-i:[stpq]{2})
output with a register	~\.out \S+ \w+ o\d
output without a name	~\.out -
dummy	~\.out \S+ dummy
gsh point	~\.gsh point
gsh variable	~\.gsh variable
gsh subdivision	~\.gsh subdivision
gsh fixed	~\.gsh fixed
gsh particle	~\.gsh particle
{2.6}
.in
name with a dollar	of\$
input with a register	~\.in \w+ v\d
input from v8 to v14	~\.in \w+ v([89]|1[0-4])
input without a register	~\.in \w+\s*$
{2.7}
dst
litp
dsti
break
index a0.x	\[a0\.x
index a0.y	\[a0\.y
index aL	\[(?-i:aL)[\]+ ]
mova to a0.x	~mova a0\.x,
mova to a0.y	~mova a0\.y,
mova to a0.xy	~mova a0\.xy,
wide second operand of dst	~dsti? [^,]+, -?r\d[^,]*, -?c\d
`)

// PicassoOmissions lists the forms of picasso's dialect that the printer does not use.
var PicassoOmissions = []Omission{
	{"vertex id 3 of setemit, relations 6 and 7 of cmp, empty destination mask",
		"the dialect has no text for them; drawn and counted"},
	{"two input registers in one instruction",
		"refused, and wrong on the console; a mistake, and for cmp a known defect"},
	{"v15", "refused although documented: a known defect"},
	{"an address register on v or r, by a name", "the console ignores it: text and words have different meanings"},
	{"registers in capitals, o and v exchanged, r15[1]",
		"notations of the assembler's own; the last two are known defects"},
	{"octal and hexadecimal numbers", "features of the C library that other assemblers need not have"},
	{"text behind a register, text for a number, integers above 255", "accepted with some meaning: known defects"},
	{"names with blanks, names that hide a register, an alias of an alias", "accidents of the parser"},
	{"infinities, NaN, numbers below 2^-62 or from 2^64", "converted wrongly: known defects"},
	{"--no-nop", "an option of the command line, to be given in --exec"},
	{"more than two entry points, uniforms that two sources share",
		"a source has one entry point; a second source declares nothing else"},
}

// NihstroForms are the forms of nihstro's dialect.
var NihstroForms = forms(`
mov
flr
rcp
rsq
exp
log
lit
add
mul
max
min
sge
slt
dp3
dp4
dph
dst
mad
cmp
if
else
endif
loop
endloop
jmp
call
breakc
emit
setemitraw
nop
end
.alias
mnemonic in capitals	(?-i:~MOV\b)
label	~\w+:
comment //	//
comment #	 #
comment ;	 ;
line ends with CR	\r
mask	~mov r\d\.[xyzw]{1,3},
empty mask	~mov r\d+\.,
negated source	, -r\d
source with a plus	, \+r\d
letters	, r\d\.[xyzw]+
no letters	, r\d\s*$
register of a uniform	, [-+]?c\d+\b
named uniform	, [-+]?[a-z]+\d+\b
element of a range	[a-z]+\d+\[\d+\]
register with an offset	c\d+\[\d+\]
index a0	\[a0[\]+]
index a1	\[a1[\]+]
index lcnt	\[lcnt[\]+]
offset behind the index	\[(a0|a1|lcnt)\+\d
offset above 4 behind the index	\[(a0|a1|lcnt)\+([5-9]|\d\d)
offset before the index	\[\d+\+(a0|a1|lcnt)
wide second operand, exchanged	~add %, [-+]?r\d[^,]*, [-+]?c\d
wide second operand of cmp, mirrored	~cmp [-+]?r\d[^,]*, [-+]?c\d
wide second operand of dph	~dph [^,]+, [-+]?r\d[^,]*, [-+]?c\d
wide second operand of sge	~sge [^,]+, [-+]?r\d[^,]*, [-+]?c\d
wide second operand of slt	~slt [^,]+, [-+]?r\d[^,]*, [-+]?c\d
wide second operand of mad	~mad [^,]+, [-+]?r\d[^,]*, [-+]?c\d
wide third operand of mad	~mad [^,]+, [-+]?r\d[^,]*, [-+]?r\d[^,]*, [-+]?c\d
relation ==	~cmp % ==
relation !=	~cmp % !=
relation <	~cmp % <[,\s]
relation <=	~cmp % <=
relation >	~cmp % >[,\s]
relation >=	~cmp % >=
condition x	(if|breakc) cc\.x\s*$
condition not x	(if|breakc) !cc\.x\s*$
condition y	(if|breakc) cc\.y\s*$
condition not y	(if|breakc) !cc\.y\s*$
condition xy	(if|breakc) cc\.xy
condition not xy	(if|breakc) !cc\.xy
condition and	cc\.. && !?cc
condition or	cc\.. \|\| !?cc
condition y first	!?cc\.y (&&|\|\|) !?cc\.x
if on a boolean	~if (b\d|[a-z])
jump on flags	~jmp \w+ if !?cc
jump on a boolean	~jmp \w+ if [a-z]+\d
call alone	~call \w+ until \w+\s*$
call on flags	~call \w+ until \w+ if !?cc
call on a boolean	~call \w+ until \w+ if [a-z]+\d
loop by name	~loop [a-z]{2}
loop by register	~loop i\d
setemitraw 3	~setemitraw 3
setemitraw prim	~setemitraw \d, prim
setemitraw inv	~setemitraw \d, inv
setemitraw both	~setemitraw \d, prim, inv
setemitraw both, the other way	~setemitraw \d, inv, prim
alias of an input	~\.alias \w+ v\d+\s*$
alias of an input from v8 to v14	~\.alias \w+ v([89]|1[0-4])\s*$
alias of a uniform	~\.alias \w+ c\d+\s*$
alias of a range	~\.alias \w+ c\d+-c\d+
alias of an integer	~\.alias \w+ i\d\s*$
alias of a boolean	~\.alias \w+ b\d+\s*$
alias of an output	~\.alias \w+ o\d as
alias of some components of an output	~\.alias \w+ o\d\.\w+ as
position	as position
quaternion	as quaternion
color	as color
texcoord0	as texcoord0
texcoord1	as texcoord1
texcoord2	as texcoord2
view	as view
float constant	~\.alias \w+ c\d+ as \(
integer constant	~\.alias \w+ i\d+ as \(
boolean constant	~\.alias \w+ b\d+ as \d
filler label that makes the entry right	^z+:
`)

// NihstroOmissions lists the forms of nihstro's dialect that the printer does not use.
var NihstroOmissions = []Omission{
	{"mova", "writes nothing: a known defect. So a0.x and a0.y are zero in every program"},
	{"break, jmpu on false, dst with a wide second operand, relations 6 and 7 of cmp",
		"the dialect has no text for them; drawn and counted"},
	{"mad with an address register, or with an operand descriptor above 31", "known defects; drawn and counted"},
	{"rcp, rsq, exp, log, lit, dph if a component that they read gets no letter",
		"reads x: known defects; drawn and counted unless the model selects x"},
	{"max, min with a wide second operand", "the operands are exchanged, which changes the result of NaN and zeros"},
	{"texcoord0w, dummy, geometry modes", "the dialect has no text for them; drawn and counted"},
	{"an address register on v or r", "the console ignores it"},
	{".include, tabs inside a statement", "files and spellings without a meaning of their own"},
	{"aliases with letters of a register, aliases named like registers", "known defects"},
	{"infinities, NaN, numbers below 2^-62 or from 2^64", "wrapped: known defects"},
	{"entry at any address",
		"the entry is right only if the labels above it are as long as its address: the printer makes them so"},
	{"labels behind setemitraw at their own line",
		"the assembler does not count setemitraw: the printer puts the labels lower"},
}

// AemstroForms are the forms of aemstro's dialect.
var AemstroForms = forms(`
add
dp3
dp4
dph
op4
ex2
lg2
op7
mul
sge
slt
flr
max
min
rcp
rsq
mova
mov
dphi
op19
sgei
slti
nop
end
call
ifu
ifc
loop
emit
setemit
cmp
madi
mad
.vsh
.gsh
.const
.out
.uniform
.opdesc
mnemonic in capitals	(?-i:~MOV\b)
label	~\w+:
comment	;
line ends with CR	\r
descriptor in hexadecimal	\(0x
descriptor in decimal	\(\d+\)
descriptor above 31	\((3[2-9]|[4-9]\d|0x[2-7][0-9a-f])\)
register by its number	, d\w\w \(
index a0.x	\[a0\.x
index a0.y	\[a0\.y
wide second operand of mad	~madi? [^,]+, r\d[^,]*, c\d
wide third operand of mad	~madi [^,]+, r\d[^,]*, r\d[^,]*, c\d
relation eq	~cmp %\beq\b
relation ne	~cmp %\bne\b
relation lt	~cmp %\blt\b
relation le	~cmp %\ble\b
relation gt	~cmp %\bgt\b
relation ge	~cmp %\bge\b
condition x	ifc \w+, \w+, cmp\.x\s*$
condition not x	ifc \w+, \w+, !cmp\.x\s*$
condition y	ifc \w+, \w+, cmp\.y\s*$
condition not y	ifc \w+, \w+, !cmp\.y\s*$
condition and	cmp\.. && !?cmp
condition or	cmp\.. \|\| !?cmp
condition y first	!?cmp\.y (&&|\|\|) !?cmp\.x
scope with an else part	~if. endif\d+, else\d
setemit prim	~setemit vtx\d, true
setemit inv	~setemit vtx\d, \w+, true
setemit vtx3	~setemit vtx3
mask	~\.opdesc \w*_
negated source	~\.opdesc [^,]+, -
uniform of one register	~\.uniform c(\d+), c
uniform of integers	~\.uniform i
uniform of booleans	~\.uniform b
float constant	~\.const c
integer constant	~\.const i
boolean constant	~\.const b
output mask in decimal	~\.out o\d, [^,]+, \d+\s*$
result.position	result\.position
result.normalquat	result\.normalquat
result.color	result\.color
result.texcoord0	result\.texcoord0\b
result.texcoord0w	result\.texcoord0w
result.texcoord1	result\.texcoord1
result.texcoord2	result\.texcoord2
result.view	result\.view
`)

// AemstroOmissions lists the forms of aemstro's dialect that the printer does not use.
var AemstroOmissions = []Omission{
	{"jumps, breaks, conditional calls, named inputs, dummy, aliases, geometry modes, relations 6 and 7 of cmp",
		"the dialect has no text for them; drawn and counted"},
	{"aL, an address register on mad, add o0, v0, v0", "known defects; drawn and counted"},
	{"an address register on the second operand", "the dialect has no text for it; drawn and counted"},
	{"registers by their number, elsewhere", "needed for a wide second operand alone"},
	{"labels and registers that do not exist", "accepted with some meaning: known defects"},
	{"infinities, NaN, numbers below 2^-62 or from 2^64", "wrapped: known defects"},
}
