package sweep

import "github.com/picaproof/picaproof/pica"

// order is the number of values of a field in an orthogonal array: it has a row for each
// i and j, and field k has the value i + k*j, computed in the finite field of that order.
// Two fields k and l have each pair of values in one row, because (k-l)*j takes every value.
const order = 32

// cell returns the value of a field in a row of the array.
func cell(field, i, j uint32) uint32 {
	const polynomial = order | 5 // x^5 + x^2 + 1
	product := uint32(0)
	for ; field > 0; field >>= 1 {
		if field&1 != 0 {
			product ^= j
		}
		if j <<= 1; j&order != 0 {
			j ^= polynomial
		}
	}
	return i ^ product
}

// pairs adds instructions in which each two fields have each pair of values: the destination,
// the mask, the operands, their negation and swizzles, and the number of the descriptor. A
// program writes each register once. One in four instructions has indexed operands.
func pairs(add adder) {
	const (
		registers = iota
		masks
		operand // three
		_
		_
		signs
		swizzles // three
		_
		_
		indices
		numbers
	)
	const indexing = 4
	for _, op := range pica.OpcodesWhere(func(i *pica.OpcodeInfo) bool { return i.Writes&pica.WritesDest != 0 }) {
		info := &pica.Opcodes[op]
		step := uint32(1)
		if 1<<info.Layout.Desc.Width >= pica.MaxDescriptors {
			step = 3
		}
		for j := range uint32(order) {
			p := newProgram()
			p.job.Descriptors = make([]uint32, step*order)
			for n := range uint32(pica.NumTemporaries) {
				p.mov(pica.DestTemporary+n, pica.SourceUniform+20+n)
			}
			if j%indexing == 0 {
				p.mova()
			}
			for i := range uint32(order) {
				v := variant{mask: uint8(cell(masks, i, j) % 16), desc: int(step*cell(numbers, i, j) + j%step)}
				for k := range info.Sources {
					field := uint32(k)
					inputs := k == int(j)%info.Sources // the console freezes if two operands are inputs
					v.sources[k] = source(cell(operand+field, i, j), j, info.Layout.Src[k].Width == 7, inputs)
					v.negate[k] = cell(signs, i, j)>>k&1 != 0
					v.selectors[k] = uint8(pica.IdentitySwizzle + 37*cell(swizzles+field, i, j))
				}
				if j%indexing == 0 && info.Layout.Indexed >= 0 {
					v.fields = append(v.fields, index(1+cell(indices, i, j)%pica.IndexAL))
				}
				p.job.Descriptors[v.desc] = uint32(pica.MakeDescriptor(v.mask, v.negate, v.selectors))
				v.append(p, op, cell(registers, i, j))
			}
			add(op.String()+": pairs of fields", p)
		}
	}
}

// source returns the operand with a number below [order]: all inputs and temporaries for a
// narrow operand, some of each file for a wide one, depending on j. If inputs is false,
// temporaries replace inputs.
func source(n, j uint32, wide, inputs bool) uint32 {
	if wide && n >= order/2 {
		return pica.SourceUniform + (n-order/2)*6 + j%6
	}
	if wide {
		n = 2*n + j%2
	}
	if !inputs {
		n |= pica.SourceTemporary
	}
	return n
}
