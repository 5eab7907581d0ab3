package gx2_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// TestDoc compares the tables in doc.go with the record tables.
func TestDoc(t *testing.T) { formattest.Doc(t, gx2.Records) }
