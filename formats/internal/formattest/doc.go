package formattest

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/wire"
)

var update = flag.Bool("update", false, "write the tables of doc.go anew")

// recordsHeading starts the part of a doc.go that is made from the record
// tables; it ends where the package comment does.
const recordsHeading = "// # Records\n"

// Records checks that the rule table of a format has a row for each rule of its records,
// and that the tables in doc.go are those of the records; with -update it writes them.
func Records(t *testing.T, rules []diag.Rule, records []wire.Documented) {
	t.Helper()
	set := diag.NewRuleSet(rules)
	for _, r := range records {
		for _, rule := range r.FieldRules() {
			if set[rule.ID] == nil {
				t.Errorf("no row for %s, which %q demands", rule.ID, rule.Record[rule.Field].Name)
			}
		}
	}
	const name = "doc.go"
	file, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	prose, _, found := strings.Cut(string(file), recordsHeading)
	_, clause, _ := strings.Cut(string(file), "\npackage ")
	if !found {
		t.Fatalf("%s has no heading %q", name, recordsHeading)
	}
	want := prose + recordsHeading + docComment(records) + "package " + clause
	if string(file) == want {
		return
	}
	if !*update {
		t.Errorf("%s is not what the record tables say: go generate .", name)
	} else if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// docComment prints the tables of records as comment lines.
func docComment(records []wire.Documented) string {
	var s strings.Builder
	for _, r := range records {
		for line := range strings.Lines("\n" + r.Doc()) {
			gap := " "
			if strings.HasPrefix(line, "\t") {
				gap = ""
			}
			s.WriteString(strings.TrimRight("//"+gap+line, " \n") + "\n")
		}
	}
	return s.String()
}
