package reflection_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/picaproof/picaproof/corpus/samples"
	"github.com/picaproof/picaproof/formats/reflection"
	"github.com/picaproof/picaproof/formats/registry"
)

// TestSchema: the table of every sample that is accepted fits the schema.
func TestSchema(t *testing.T) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(reflection.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("interface.schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema := c.MustCompile("interface.schema.json")
	tables := map[string]int{}
	err = fs.WalkDir(samples.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(samples.Files(), name)
		if err != nil {
			return err
		}
		format, ok := registry.Detect(name, b)
		if !ok {
			return nil
		}
		doc, err := format.Parse(b)
		if err != nil {
			return nil // a sample that is refused
		}
		table, ok := reflection.Of(doc.Model())
		if !ok {
			t.Errorf("%s has no table", name)
		}
		text, err := json.Marshal([]any{struct {
			File   string `json:"file"`
			Format string `json:"format"`
			reflection.Table
		}{name, format.Name, table}})
		if err != nil {
			return err
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			return err
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		tables[format.Name]++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for f := range registry.All() {
		if tables[f.Name] == 0 {
			t.Errorf("no table of a %s", f.Name)
		}
	}
}
