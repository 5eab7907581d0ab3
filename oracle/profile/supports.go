package profile

import (
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica"
)

// Supports describes the values of [pica.Support], in their order.
var Supports = [...]impl.Value{
	pica.SupportRun:   {Name: "run", Class: impl.Documented, About: "executed; a reserved opcode traps"},
	pica.SupportSkip:  {Name: "skip", Class: impl.Implementation, About: "skipped, most cores log a message"},
	pica.SupportAbort: {Name: "abort", Class: impl.Implementation, About: "refused when it is reached"},
	pica.SupportFetch: {Name: "fetch", Class: impl.Implementation,
		About: "skipped once its operands are found, a message is logged"},
	pica.SupportPresent: {Name: "present", Class: impl.Implementation,
		About: "every program that has it is refused, even if it is not reached"},
}
