package gsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// TestDoc compares the tables in doc.go, and the rule table, with the record tables.
func TestDoc(t *testing.T) { formattest.Records(t, gsh.Rules, gsh.Records) }
