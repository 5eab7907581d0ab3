package zpsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/zpsh"
)

// TestDoc compares the tables in doc.go, and the rule table, with the record tables.
func TestDoc(t *testing.T) { formattest.Records(t, zpsh.Rules, zpsh.Records) }
