package latte

// unit says which units of a group can run an operation.
type unit uint8

const (
	anyUnit    unit = iota
	vectorUnit      // x, y, z or w
	transUnit       // t
	reduceUnit      // x, y, z and w together
)

// effect is what an operation does beside its result.
type effect uint8

const (
	plain effect = iota
	setsPredicate
	kills
	loadsAddress // the register of relative addressing
)

// An Operation is one opcode of the ALU.
type Operation struct {
	Code    uint8 // OP2 or OP3
	Name    string
	unit    unit
	Sources uint8
	effect  effect
}

// op3 is the number of the first operation with three sources, in operations.
const op3 = 256

// operations are the known operations by number: OP2 first.
var operations = func() (all [op3 + 32]*Operation) {
	for i := range OP2 {
		all[OP2[i].Code] = &OP2[i]
	}
	for i := range OP3 {
		all[op3+int(OP3[i].Code)] = &OP3[i]
	}
	return all
}()

// operationOf returns the number of the operation of an instruction.
func operationOf(w uint64) uint16 {
	if w>>47&7 != 0 { // bits 17:15 of word 1
		return op3 + uint16(op3Inst.of(w))
	}
	return uint16(op2Inst.of(w))
}

// OP2 lists the operations with up to two sources.
var OP2 = []Operation{
	{0x00, "ADD", anyUnit, 2, plain},
	{0x01, "MUL", anyUnit, 2, plain},
	{0x02, "MUL_IEEE", anyUnit, 2, plain},
	{0x03, "MAX", anyUnit, 2, plain},
	{0x04, "MIN", anyUnit, 2, plain},
	{0x05, "MAX_DX10", anyUnit, 2, plain},
	{0x06, "MIN_DX10", anyUnit, 2, plain},
	{0x07, "FREXP_64", vectorUnit, 1, plain},
	{0x08, "SETE", anyUnit, 2, plain},
	{0x09, "SETGT", anyUnit, 2, plain},
	{0x0A, "SETGE", anyUnit, 2, plain},
	{0x0B, "SETNE", anyUnit, 2, plain},
	{0x0C, "SETE_DX10", anyUnit, 2, plain},
	{0x0D, "SETGT_DX10", anyUnit, 2, plain},
	{0x0E, "SETGE_DX10", anyUnit, 2, plain},
	{0x0F, "SETNE_DX10", anyUnit, 2, plain},
	{0x10, "FRACT", anyUnit, 1, plain},
	{0x11, "TRUNC", anyUnit, 1, plain},
	{0x12, "CEIL", anyUnit, 1, plain},
	{0x13, "RNDNE", anyUnit, 1, plain},
	{0x14, "FLOOR", anyUnit, 1, plain},
	{0x15, "MOVA", vectorUnit, 1, loadsAddress},
	{0x16, "MOVA_FLOOR", vectorUnit, 1, loadsAddress},
	{0x17, "ADD_64", vectorUnit, 2, plain},
	{0x18, "MOVA_INT", vectorUnit, 1, loadsAddress},
	{0x19, "MOV", anyUnit, 1, plain},
	{0x1A, "NOP", anyUnit, 0, plain},
	{0x1B, "MUL_64", vectorUnit, 2, plain},
	{0x1C, "FLT64_TO_FLT32", vectorUnit, 1, plain},
	{0x1D, "FLT32_TO_FLT64", vectorUnit, 1, plain},
	{0x1E, "PRED_SETGT_UINT", anyUnit, 2, setsPredicate},
	{0x1F, "PRED_SETGE_UINT", anyUnit, 2, setsPredicate},
	{0x20, "PRED_SETE", anyUnit, 2, setsPredicate},
	{0x21, "PRED_SETGT", anyUnit, 2, setsPredicate},
	{0x22, "PRED_SETGE", anyUnit, 2, setsPredicate},
	{0x23, "PRED_SETNE", anyUnit, 2, setsPredicate},
	{0x24, "PRED_SET_INV", anyUnit, 1, setsPredicate},
	{0x25, "PRED_SET_POP", anyUnit, 2, setsPredicate},
	{0x26, "PRED_SET_CLR", anyUnit, 0, setsPredicate},
	{0x27, "PRED_SET_RESTORE", anyUnit, 1, setsPredicate},
	{0x28, "PRED_SETE_PUSH", anyUnit, 2, setsPredicate},
	{0x29, "PRED_SETGT_PUSH", anyUnit, 2, setsPredicate},
	{0x2A, "PRED_SETGE_PUSH", anyUnit, 2, setsPredicate},
	{0x2B, "PRED_SETNE_PUSH", anyUnit, 2, setsPredicate},
	{0x2C, "KILLE", anyUnit, 2, kills},
	{0x2D, "KILLGT", anyUnit, 2, kills},
	{0x2E, "KILLGE", anyUnit, 2, kills},
	{0x2F, "KILLNE", anyUnit, 2, kills},
	{0x30, "AND_INT", anyUnit, 2, plain},
	{0x31, "OR_INT", anyUnit, 2, plain},
	{0x32, "XOR_INT", anyUnit, 2, plain},
	{0x33, "NOT_INT", anyUnit, 1, plain},
	{0x34, "ADD_INT", anyUnit, 2, plain},
	{0x35, "SUB_INT", anyUnit, 2, plain},
	{0x36, "MAX_INT", anyUnit, 2, plain},
	{0x37, "MIN_INT", anyUnit, 2, plain},
	{0x38, "MAX_UINT", anyUnit, 2, plain},
	{0x39, "MIN_UINT", anyUnit, 2, plain},
	{0x3A, "SETE_INT", anyUnit, 2, plain},
	{0x3B, "SETGT_INT", anyUnit, 2, plain},
	{0x3C, "SETGE_INT", anyUnit, 2, plain},
	{0x3D, "SETNE_INT", anyUnit, 2, plain},
	{0x3E, "SETGT_UINT", anyUnit, 2, plain},
	{0x3F, "SETGE_UINT", anyUnit, 2, plain},
	{0x40, "KILLGT_UINT", anyUnit, 2, kills},
	{0x41, "KILLGE_UINT", anyUnit, 2, kills},
	{0x42, "PRED_SETE_INT", anyUnit, 2, setsPredicate},
	{0x43, "PRED_SETGT_INT", anyUnit, 2, setsPredicate},
	{0x44, "PRED_SETGE_INT", anyUnit, 2, setsPredicate},
	{0x45, "PRED_SETNE_INT", anyUnit, 2, setsPredicate},
	{0x46, "KILLE_INT", anyUnit, 2, kills},
	{0x47, "KILLGT_INT", anyUnit, 2, kills},
	{0x48, "KILLGE_INT", anyUnit, 2, kills},
	{0x49, "KILLNE_INT", anyUnit, 2, kills},
	{0x4A, "PRED_SETE_PUSH_INT", anyUnit, 2, setsPredicate},
	{0x4B, "PRED_SETGT_PUSH_INT", anyUnit, 2, setsPredicate},
	{0x4C, "PRED_SETGE_PUSH_INT", anyUnit, 2, setsPredicate},
	{0x4D, "PRED_SETNE_PUSH_INT", anyUnit, 2, setsPredicate},
	{0x4E, "PRED_SETLT_PUSH_INT", anyUnit, 2, setsPredicate},
	{0x4F, "PRED_SETLE_PUSH_INT", anyUnit, 2, setsPredicate},
	{0x50, "DOT4", reduceUnit, 2, plain},
	{0x51, "DOT4_IEEE", reduceUnit, 2, plain},
	{0x52, "CUBE", reduceUnit, 2, plain},
	{0x53, "MAX4", reduceUnit, 1, plain},
	{0x60, "MOVA_GPR_INT", transUnit, 1, loadsAddress},
	{0x61, "EXP_IEEE", transUnit, 1, plain},
	{0x62, "LOG_CLAMPED", transUnit, 1, plain},
	{0x63, "LOG_IEEE", transUnit, 1, plain},
	{0x64, "RECIP_CLAMPED", transUnit, 1, plain},
	{0x65, "RECIP_FF", transUnit, 1, plain},
	{0x66, "RECIP_IEEE", transUnit, 1, plain},
	{0x67, "RECIPSQRT_CLAMPED", transUnit, 1, plain},
	{0x68, "RECIPSQRT_FF", transUnit, 1, plain},
	{0x69, "RECIPSQRT_IEEE", transUnit, 1, plain},
	{0x6A, "SQRT_IEEE", transUnit, 1, plain},
	{0x6B, "FLT_TO_INT", transUnit, 1, plain},
	{0x6C, "INT_TO_FLT", transUnit, 1, plain},
	{0x6D, "UINT_TO_FLT", transUnit, 1, plain},
	{0x6E, "SIN", transUnit, 1, plain},
	{0x6F, "COS", transUnit, 1, plain},
	{0x70, "ASHR_INT", anyUnit, 2, plain},
	{0x71, "LSHR_INT", anyUnit, 2, plain},
	{0x72, "LSHL_INT", anyUnit, 2, plain},
	{0x73, "MULLO_INT", transUnit, 2, plain},
	{0x74, "MULHI_INT", transUnit, 2, plain},
	{0x75, "MULLO_UINT", transUnit, 2, plain},
	{0x76, "MULHI_UINT", transUnit, 2, plain},
	{0x77, "RECIP_INT", transUnit, 1, plain},
	{0x78, "RECIP_UINT", transUnit, 1, plain},
	{0x79, "FLT_TO_UINT", transUnit, 1, plain},
	{0x7A, "LDEXP_64", vectorUnit, 2, plain},
	{0x7B, "FRACT_64", vectorUnit, 1, plain},
	{0x7C, "PRED_SETGT_64", vectorUnit, 2, setsPredicate},
	{0x7D, "PRED_SETE_64", vectorUnit, 2, setsPredicate},
	{0x7E, "PRED_SETGE_64", vectorUnit, 2, setsPredicate},
}

// OP3 lists the operations with three sources.
var OP3 = []Operation{
	{0x08, "MULADD_64", vectorUnit, 3, plain},
	{0x09, "MULADD_64_M2", vectorUnit, 3, plain},
	{0x0A, "MULADD_64_M4", vectorUnit, 3, plain},
	{0x0B, "MULADD_64_D2", vectorUnit, 3, plain},
	{0x0C, "MUL_LIT", transUnit, 3, plain},
	{0x0D, "MUL_LIT_M2", transUnit, 3, plain},
	{0x0E, "MUL_LIT_M4", transUnit, 3, plain},
	{0x0F, "MUL_LIT_D2", transUnit, 3, plain},
	{0x10, "MULADD", anyUnit, 3, plain},
	{0x11, "MULADD_M2", anyUnit, 3, plain},
	{0x12, "MULADD_M4", anyUnit, 3, plain},
	{0x13, "MULADD_D2", anyUnit, 3, plain},
	{0x14, "MULADD_IEEE", anyUnit, 3, plain},
	{0x15, "MULADD_IEEE_M2", anyUnit, 3, plain},
	{0x16, "MULADD_IEEE_M4", anyUnit, 3, plain},
	{0x17, "MULADD_IEEE_D2", anyUnit, 3, plain},
	{0x18, "CNDE", anyUnit, 3, plain},
	{0x19, "CNDGT", anyUnit, 3, plain},
	{0x1A, "CNDGE", anyUnit, 3, plain},
	{0x1C, "CNDE_INT", anyUnit, 3, plain},
	{0x1D, "CNDGT_INT", anyUnit, 3, plain},
	{0x1E, "CNDGE_INT", anyUnit, 3, plain},
}
