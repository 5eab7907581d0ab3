package bnsh_test

import (
	"testing"

	"github.com/picaproof/picaproof/formats/bnsh"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// TestDoc compares the tables in doc.go with the record tables.
func TestDoc(t *testing.T) { formattest.Doc(t, bnsh.Records) }
