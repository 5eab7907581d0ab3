package shbin_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/shbin"
)

func TestWorkedExample(t *testing.T) {
	want, err := hex.DecodeString(strings.Join(strings.Fields(workedBytes), ""))
	if err != nil {
		t.Fatal(err)
	}
	model := workedModel()
	if got := mustAppend(t, model); !bytes.Equal(got, want) {
		t.Errorf("got  %x\nwant %x", got, want)
	}
	f := mustParse(t, want)
	if !f.Equal(model) || !model.Equal(f) {
		t.Errorf("got model %+v\nwant %+v", f, model)
	}
	if got := mustAppend(t, f); !bytes.Equal(got, want) {
		t.Errorf("exact form\ngot  %x\nwant %x", got, want)
	}
}

func TestCleanModelHasNoFindings(t *testing.T) {
	if findings := shbin.Check(mustAppend(t, cleanModel())); len(findings) != 0 {
		t.Error(findings)
	}
}
