package formattest

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/wire"
)

var update = flag.Bool("update", false, "write the tables of doc.go anew")

// recordsHeading starts the part of a doc.go that is made from the record
// tables; it ends where the package comment does.
const recordsHeading = "// # Records\n"

// Doc checks that the tables in doc.go are those of the records, or writes them
// with -update.
func Doc(t *testing.T, records []wire.Documented) {
	t.Helper()
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
