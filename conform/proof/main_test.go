package proof_test

import (
	"testing"

	"github.com/picaproof/picaproof/internal/testmain"
)

func TestMain(m *testing.M) { testmain.Run(m) }
