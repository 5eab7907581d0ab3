// Package vm is the fast executor of PICA200 programs. It implements the
// profiles f24, hw and f32 (correctly rounded float24, the best public guess of
// the console, and an emulator's binary32) and must equal the oracle bit for
// bit in each.
//
// A program is lowered once ([Compile]): opcodes of one meaning become one
// operation, swizzles and masks become lists of components in one flat register
// file, negation a mask to apply to the sign, conditions a truth table. What
// the executor has to look at besides the operation itself (relative addresses,
// scope ends, hazards) is marked by flags, so that most instructions need one
// test.
//
// Registers hold binary32 patterns in every profile: each float24 is one, so
// moves and comparisons are the same operations everywhere, and only arithmetic
// depends on the profile.
package vm
