package sharcfb_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/sharcfb"
)

// TestDoc compares the tables in doc.go, and the rule table, with the record tables.
func TestDoc(t *testing.T) { formattest.Records(t, sharcfb.Rules, sharcfb.Records) }
