package shbin_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/internal/formattest"
	"github.com/picaproof/picaproof/formats/shbin"
)

// TestDoc compares the tables in doc.go with the record tables.
func TestDoc(t *testing.T) { formattest.Doc(t, shbin.Records) }
