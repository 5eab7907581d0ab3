package latte

import "slices"

// tableRules compare the constants and textures that the code uses with the tables of the structure. A program of a
// file without tables binds by number.
var tableRules = []Rule{
	{"LATTE084", Warning, files, "A sampler is not in the table. An empty table is not compared.",
		compare(func(c *checker) {
			c.eachSampler(func(f *Fetch, n uint32) {
				if len(c.Samplers) > 0 && !c.tables.samplers[n] {
					c.code(f.At*WordBytes, fetchWords*WordBytes, "sampler %d", n)
				}
			})
		})},
	{"LATTE085", Error, gx2, "There are only 18 samplers.", compare(func(c *checker) {
		c.eachSampler(func(f *Fetch, n uint32) {
			if n >= numSamplers {
				c.code(f.At*WordBytes, fetchWords*WordBytes, "sampler %d", n)
			}
		})
	})},
	{"LATTE086", Info, files, "A sampler of the table is not used.", compare(func(c *checker) {
		var used [256]bool
		c.eachSampler(func(_ *Fetch, n uint32) { used[n] = true })
		for _, n := range c.Samplers {
			if n >= uint32(len(used)) || !used[n] {
				c.place(SamplerCount, "sampler %d", n)
				return
			}
		}
	})},
	{"LATTE087", Warning, document, "A constant is of the other mode of uniforms.", compare(func(c *checker) {
		for x := range c.constantUses {
			if x.isKC() && c.Mode == RegisterMode || !x.isKC() && (c.Mode == BlockMode || c.Mode == GeometryMode) {
				c.code(x.off, WordBytes, "")
				return
			}
		}
	})},
	{"LATTE088", Warning, files,
		"A uniform block is not in the table. An empty table is not compared. Block 0 is free if there are " +
			"uniforms outside of blocks.",
		compare(func(c *checker) {
			for x := range c.constantUses {
				free := x.bank == 0 && c.UniformRows > 0
				if x.isKC() && len(c.Blocks) > 0 && !free && c.tables.blocks[x.bank] == nil {
					c.code(x.off, WordBytes, "block %d", x.bank)
				}
			}
		})},
	{"LATTE089", Warning, files,
		"A row is behind the end of its uniform block. The size is rounded up to whole rows. Relative rows " +
			"are not compared.",
		compare(func(c *checker) {
			for x := range c.constantUses {
				b := c.tables.blocks[x.bank]
				if x.isKC() && b != nil && !x.relative && x.row >= (b.Bytes+rowBytes-1)/rowBytes {
					c.code(x.off, WordBytes, "row %d of block %d, of size %d", x.row, x.bank, b.Bytes)
				}
			}
		})},
	{"LATTE090", Warning, files,
		"A fetch reads a uniform block that is not in the table. An empty table is not compared.",
		compare(func(c *checker) {
			c.eachBlockFetch(func(f *Fetch, n uint32) {
				if len(c.Blocks) > 0 && c.tables.blocks[n] == nil {
					c.code(f.At*WordBytes, fetchWords*WordBytes, "block %d", n)
				}
			})
		})},
	{"LATTE091", Warning, files,
		"A constant register is behind the last uniform. An empty table is not compared, nor are relative " +
			"registers.",
		compare(func(c *checker) {
			for x := range c.constantUses {
				end := c.UniformRows
				if !x.isKC() && c.Mode == RegisterMode && end > 0 && !x.relative && int(x.row) >= end {
					c.code(x.off, WordBytes, "C%d, the uniforms end at C%d", x.row, c.UniformRows-1)
				}
			}
		})},
	{"LATTE092", Warning, document,
		"The constant of a loop is not in the table of loop variables. The offset of a loop variable is 4 " +
			"times the number of the constant, or the number.",
		compare(func(c *checker) {
			for i := range c.CF {
				cf := &c.CF[i]
				n := cfConst.of(cf.Words) // below numLoops
				if cf.Op().address == startAddress && !c.tables.loops[4*n] && !c.tables.loops[n] {
					c.code(cf.At*WordBytes, WordBytes, "constant %d", n)
				}
			}
		})},
	{"LATTE093", Info, files, "There are loop variables, and the program has no loop.", compare(func(c *checker) {
		loops := slices.ContainsFunc(c.CF, func(cf CF) bool { return cf.Op().address == startAddress })
		if len(c.Loops) > 0 && !loops {
			c.place(LoopCount, "")
		}
	})},
	{"LATTE096", Info, files,
		"The program uses samplers, uniforms or blocks by number: their table is empty. The first of each " +
			"kind is reported.",
		compare(func(c *checker) {
			var sampler, block, uniform bool
			once := func(said *bool, off, n int, what string) {
				if !*said {
					c.code(off, n, "%s", what)
				}
				*said = true
			}
			c.eachSampler(func(f *Fetch, _ uint32) {
				sampler = sampler || len(c.Samplers) > 0
				once(&sampler, f.At*WordBytes, fetchWords*WordBytes, "sampler")
			})
			block = len(c.Blocks) > 0
			for x := range c.constantUses {
				switch {
				case !x.isKC() && c.Mode == RegisterMode && c.UniformRows == 0:
					once(&uniform, x.off, WordBytes, "uniform")
				case x.isKC() && c.Mode != RegisterMode:
					once(&block, x.off, WordBytes, "uniform block")
				}
			}
			c.eachBlockFetch(func(f *Fetch, _ uint32) {
				once(&block, f.At*WordBytes, fetchWords*WordBytes, "uniform block")
			})
		})},
}

const (
	numSamplers = 18
	rowBytes    = 16

	firstBlockBuffer = 0x80
)

// samplerUse says which number of a texture instruction is that of a sampler variable. GX2 has one number for texture
// and sampler.
var samplerUse = [texSample]*Field{
	0x03: texResource, // LD
	0x04: texResource, // GET_TEXTURE_INFO
	0x05: texResource, // GET_SAMPLE_INFO
	0x06: texSampler,  // GET_COMP_TEX_LOD
	0x0F: texSampler,  // FETCH4
}

// eachSampler gives a check the texture instructions with the numbers of their samplers.
func (c *checker) eachSampler(check func(f *Fetch, n uint32)) {
	for i := range c.Fetches {
		f := &c.Fetches[i]
		field := texSampler
		if op := f.Op(); op.layout != &textureLayout {
			continue
		} else if op.Code < texSample {
			field = samplerUse[op.Code]
		}
		if field != nil {
			check(f, field.in(&f.Words))
		}
	}
}

// eachBlockFetch gives a check the fetches of uniform blocks.
func (c *checker) eachBlockFetch(check func(f *Fetch, n uint32)) {
	for i := range c.Fetches {
		f := &c.Fetches[i]
		if layout := f.Op().layout; layout == &vertexLayout || layout == &semanticLayout {
			if n := vtxBuffer.in(&f.Words) - firstBlockBuffer; n < numBlocks {
				check(f, n)
			}
		}
	}
}

// constantUse is a constant that an instruction reads.
type constantUse struct {
	source
	off       int // of the instruction
	bank, row uint32
	relative  bool
	outside   bool // of the locked lines
}

// constantUses gives the constants of each instruction.
func (c *checker) constantUses(yield func(constantUse) bool) {
	for i := range c.Clauses {
		lock := c.CF[c.Clauses[i].CF].Words
		for _, a := range c.instructions(&c.Clauses[i]) {
			for j := range int(a.Op().Sources) {
				x := constantUse{source: a.source(j), off: int(a.At) * WordBytes}
				if !x.isConstant() {
					continue
				}
				x.relative, x.row = x.rel, x.sel-selConst
				if x.isKC() {
					set, row := &kcaches[(x.sel-selKC0)/setRows], (x.sel-selKC0)%setRows
					x.bank, x.row = set.bank.of(lock), set.addr.of(lock)*lineRows+row
					x.relative = x.rel || set.mode.of(lock) == lockAtLoop
					x.outside = row >= lockedRows(set.mode.of(lock))
				}
				if !yield(x) {
					return
				}
			}
		}
	}
}
