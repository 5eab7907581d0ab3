package docs_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/picaproof/picaproof/cmd/cli"
)

// TestRuleCatalogueIsCurrent generates the catalogue again and demands the file
// of the repository.
func TestRuleCatalogueIsCurrent(t *testing.T) {
	var want, errs bytes.Buffer
	if status := (cli.Tool{}).Main([]string{"rules", "--format", "markdown"}, nil, &want, &errs); status != 0 {
		t.Fatalf("exit status %d: %s", status, errs.Bytes())
	}
	got, err := os.ReadFile("rules.md")
	if err != nil || !bytes.Equal(got, want.Bytes()) {
		t.Errorf("rules.md is not what the rule tables say (%v): run go generate ./docs", err)
	}
}
