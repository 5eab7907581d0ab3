package vectors_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/picaproof/picaproof/conform/vectors"
	"github.com/picaproof/picaproof/internal/testmain"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/pica/vm"
)

func TestMain(m *testing.M) { testmain.Run(m) }

var made = sync.OnceValues(vectors.All)

// all returns all vectors. They are shared; who changes one changes it back.
func all(t *testing.T) []vectors.Vector {
	t.Helper()
	list, err := made()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// lines returns the export of all vectors.
func lines(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := vectors.WriteLines(&b, all(t)); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestLines: every line fits the schema, and the oracle and the VM meet it.
func TestLines(t *testing.T) {
	text := lines(t)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(vectors.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("vectors.schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema := c.MustCompile("vectors.schema.json")
	for line := range bytes.Lines(text) {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%.60s: %v", line, err)
		}
	}
	for name, verify := range map[string]func() (*vectors.Report, error){
		"oracle": func() (*vectors.Report, error) { return vectors.Verify(bytes.NewReader(text), impl.New(), "") },
		"vm":     func() (*vectors.Report, error) { return vectors.Verify(bytes.NewReader(text), vm.New(), "") },
	} {
		r, err := verify()
		if err != nil || len(r.Failed) > 0 || r.Vectors != len(all(t)) || r.Runs < 10*r.Vectors ||
			r.Skipped > 9*r.Vectors {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

// TestVerifyFails: a vector whose expectation is changed in one digit is missed.
func TestVerifyFails(t *testing.T) {
	for n, v := range all(t) {
		if testing.Short() && n%8 > 0 {
			continue
		}
		for i := range v.Expect {
			e := &v.Expect[i]
			if len(e.Vertices) == 0 || e.Class != vectors.Exact {
				continue
			}
			e.Vertices[0].CC ^= 1
			line, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			r, err := vectors.Verify(bytes.NewReader(line), impl.New(), "")
			if err != nil || len(r.Failed) != len(e.Profiles) || !strings.Contains(r.Failed[0].Why, "flags") {
				t.Fatalf("%s: got %+v, %v", v.Name, r, err)
			}
			e.Vertices[0].CC ^= 1
		}
	}
	for _, line := range []string{"x\n", "{}\n",
		`{"name":"R001-x","expect":[{"profiles":["nosuch"],"vertices":[]}],"job":{"code":""}}`} {
		if _, err := vectors.Verify(strings.NewReader(line), impl.New(), ""); err == nil {
			t.Errorf("%s: no error", line)
		}
	}
}
