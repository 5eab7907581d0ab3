package gx2_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// TestDoc compares the tables in doc.go, and the rule table, with the record tables.
func TestDoc(t *testing.T) { formattest.Records(t, gx2.Rules, gx2.Records) }
