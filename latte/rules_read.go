package latte

// readRules are the rules about how an ALU instruction reads its sources.
var readRules = []Rule{
	{"LATTE039", Warning, document,
		"Two registers are read in one cycle and channel. BANK_SWIZZLE says in which of three cycles each " +
			"source is read. A vector instruction may read one component twice.",
		eachGroup(func(c *checker, g *Group, _ *Group, r report) {
			var ports [3][4]struct {
				taken bool
				s     source
			}
			for a := range c.byUnit(g) {
				cycles, known := a.cycles()
				for j := range int(a.Op().Sources) {
					s := a.register(j)
					shared := j == 1 && a.Unit != transcendental && s == a.register(0)
					if !known || !s.isRegister() || shared {
						continue
					}
					port := &ports[cycles[j]][s.channel]
					if port.taken && port.s != s {
						r(int(a.At)*WordBytes, WordBytes)
						return
					}
					port.taken, port.s = true, s
				}
			}
		})},
	{"LATTE041", Warning, document, "An instruction in t reads more than two constants.", eachALU(func(a *ALU) int {
		return first(a.Unit == transcendental && a.constants() > 2)
	})},
	{"LATTE042", Warning, mesa, "An instruction in t reads a register or result in a cycle that its constants take.",
		eachALU(func(a *ALU) int {
			cycles, known := a.cycles()
			if a.Unit != transcendental || !known {
				return none
			}
			for j := range int(a.Op().Sources) {
				s := a.source(j)
				reads := s.isRegister() || s.sel == selPV || s.sel == selPS
				if reads && int(cycles[j]) < a.constants() {
					return 0
				}
			}
			return none
		})},
	{"LATTE043", Error, document,
		"An operand is outside the locked lines. KCACHE_MODE 1 locks 16 rows, 2 and 3 lock 32.",
		func(c *checker, r report) {
			for x := range c.constantUses {
				if x.outside {
					r(x.off, WordBytes)
				}
			}
		}},
	{"LATTE059", Info, guess, "A sample takes texture and sampler of different numbers.",
		eachFetch(func(f *Fetch) int {
			op := f.Op()
			return first(op.layout == &textureLayout && op.Code >= texSample &&
				texResource.in(&f.Words) != texSampler.in(&f.Words))
		})},
}

const (
	setRows   = selKC1 - selKC0
	texSample = 0x10
)

// readCycles are the cycles in which vector units and t read the sources, by bank swizzle.
var readCycles = [2][8][3]uint8{
	{{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}},
	{{2, 1, 0}, {1, 2, 2}, {2, 1, 2}, {2, 2, 1}},
}

// cycles returns when an instruction reads its sources; the swizzle may be a reserved one.
func (a *ALU) cycles() (cycles [3]uint8, known bool) {
	scalar, swizzle := a.Unit/transcendental, aluSwizzle.of(a.Words)
	return readCycles[scalar][swizzle], swizzleNames[scalar][swizzle] != ""
}

// register is source k without signs.
func (a *ALU) register(k int) source {
	s := a.source(k)
	return source{sel: s.sel, channel: s.channel, rel: s.rel}
}

// constants counts the sources that are constants of any kind.
func (a *ALU) constants() (n int) {
	for j := range int(a.Op().Sources) {
		if s := a.source(j); s.isConstant() || s.sel >= selInline && s.sel <= selLiteral {
			n++
		}
	}
	return n
}
