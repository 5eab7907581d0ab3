package cli

import (
	"bytes"
	"encoding"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/picaproof/picaproof/conform/report"
	"github.com/picaproof/picaproof/conform/vectors"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/formats/convert"
	"github.com/picaproof/picaproof/formats/diag"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/fuzz/hunt"
	"github.com/picaproof/picaproof/fuzz/mutants"
	"github.com/picaproof/picaproof/oracle/given"
	"github.com/picaproof/picaproof/pica"
	"github.com/picaproof/picaproof/pica/show"
)

var updateSchemas = flag.Bool("update", false, "write the schemas anew")

// reports holds the forms that the JSON of a command may have. Those of dump, interface and vectors export are the
// models of the formats, and schemas written by hand.
var reports = map[string][]any{
	"run": {show.Run{}, []given.Ancestry{}, versusReport{}, show.State{}, show.Step{}},
	"lint": {struct {
		Files   []lintedFile `json:"files"`
		Unknown int          `json:"unknown"`
	}{}},
	"disasm": {disasmReport{}, microcodeReport{}, diag.Outline{}},
	"find": {struct {
		Files []searched `json:"files"`
	}{}},
	"extract": {extracted{}},
	"check": {struct {
		Files   []checkedFile `json:"files"`
		Unknown int           `json:"unknown"`
	}{}},
	"roundtrip": {struct {
		Files   []roundtrippedFile `json:"files"`
		Unknown int                `json:"unknown"`
	}{}},
	"variations": {struct {
		Variations []registry.Variation `json:"variations"`
	}{}},
	"convert": {struct {
		File    string                `json:"file"`
		Refused *convert.RefusedError `json:"refused"`
	}{}, struct {
		Losses convert.Report `json:"losses"`
	}{}},
	"conform diff": {struct {
		Changes []report.Change `json:"changes"`
	}{}},
	"asm":        {asmReport{}},
	"compare":    {hunt.Report{}},
	"demo":       {demoReport{}, mutants.Matrix{}},
	"diff":       {diffReport{}},
	"fuzz":       {fuzzReport{}},
	"fuzz merge": {fuzzReport{}},
	"gen file":   {generatedFile{}},
	"gen job":    {pica.JobJSON{}},

	"conform core":   {report.Report{}},
	"conform reader": {report.Report{}},
	"conform writer": {report.Report{}},
	"report merge":   {report.Report{}},
	"report show":    {report.Report{}},

	"variation": {struct {
		Variations []registry.Variation `json:"variations"`
	}{}},
	"vectors verify": {vectors.Report{}},
	"profiles":       {[]profileEntry{}, profileReport{}},
	"reduce":         {reduceReport{}},
	"replace":        {replaced{}},
	"rules":          {[]expect.Explained{}},
}

// commandsWithJSON lists the commands that have --format json.
func commandsWithJSON(cmd *cobra.Command) (list []string) {
	for _, c := range cmd.Commands() {
		list = append(list, commandsWithJSON(c)...)
		if slices.Contains(formatsOf(c), "json") && c.Runnable() && !c.HasSubCommands() {
			list = append(list, strings.TrimPrefix(c.CommandPath(), "picaproof "))
		}
	}
	return list
}

// A schema is a JSON Schema.
type schema map[string]any

// schemaOf returns the schema of the JSON of a type.
func schemaOf(t reflect.Type, within []reflect.Type) schema {
	switch marshals := reflect.PointerTo(t); {
	case marshals.Implements(reflect.TypeFor[json.Marshaler]()):
		return schema{}
	case marshals.Implements(reflect.TypeFor[encoding.TextMarshaler]()):
		return schema{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schema{"anyOf": []schema{schemaOf(t.Elem(), within), {"type": "null"}}}
	case reflect.String:
		return schema{"type": "string"}
	case reflect.Bool:
		return schema{"type": "boolean"}
	case reflect.Float32, reflect.Float64:
		return schema{"type": "number"}
	case reflect.Slice, reflect.Array:
		if t.Kind() == reflect.Slice && t.Elem() == reflect.TypeFor[byte]() {
			return schema{"type": []string{"string", "null"}, "contentEncoding": "base64"}
		}
		if t.Kind() == reflect.Array {
			return schema{"type": "array", "items": schemaOf(t.Elem(), within), "minItems": t.Len(), "maxItems": t.Len()}
		}
		return schema{"type": []string{"array", "null"}, "items": schemaOf(t.Elem(), within)}
	case reflect.Map:
		return schema{"type": []string{"object", "null"}, "additionalProperties": schemaOf(t.Elem(), within)}
	case reflect.Struct:
		if slices.Contains(within, t) {
			return schema{"type": "object"} // of the same form as one around it
		}
		properties, required := schema{}, []string{}
		addFields(t, append(slices.Clip(within), t), properties, &required)
		return schema{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
	case reflect.Interface:
		return schema{}
	}
	return schema{"type": "integer"}
}

// addFields adds the fields of a struct, those of embedded structs too.
func addFields(t reflect.Type, within []reflect.Type, properties schema, required *[]string) {
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		kind := f.Type
		if kind.Kind() == reflect.Pointer {
			kind = kind.Elem()
		}
		switch {
		case f.Anonymous && name == "" && kind.Kind() == reflect.Struct:
			addFields(kind, within, properties, required)
			continue
		case !f.IsExported() || name == "-":
			continue
		case name == "":
			name = f.Name
		}
		properties[name] = schemaOf(f.Type, within)
		if strings.Contains(options, "string") {
			properties[name] = schema{"type": "string"}
		}
		if !strings.Contains(options, "omit") {
			*required = append(*required, name)
		}
	}
}

// TestSchemas holds that each command with --format json has a schema in docs/schemas, and that it is that of the
// types. The scripts compare the output of the commands with it.
func TestSchemas(t *testing.T) {
	elsewhere := []string{
		"adapter self", // the protocol, docs/adapter.md
		"dump",         // the models of the formats, and what formats/reflection says
		"interface",    // formats/reflection/interface.schema.json
	}
	for _, name := range commandsWithJSON((&app{}).root()) {
		if slices.Contains(elsewhere, name) {
			continue
		}
		if reports[name] == nil {
			t.Errorf("%s has no schema", name)
		}
	}
	for name, forms := range reports {
		list := make([]schema, len(forms))
		for k, form := range forms {
			list[k] = schemaOf(reflect.TypeOf(form), nil)
		}
		document := list[0]
		if len(list) > 1 {
			document = schema{"anyOf": list}
		}
		document["$schema"] = "https://json-schema.org/draft/2020-12/schema"
		document["title"] = "picaproof " + name + " --format json"
		var got bytes.Buffer
		e := encoder(&got, "  ")
		if err := e.Encode(document); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("..", "..", "docs", "schemas", strings.ReplaceAll(name, " ", "-")+".schema.json")
		if *updateSchemas {
			if err := os.WriteFile(file, got.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got.Bytes(), want) {
			t.Errorf("%s is not that of the types; if the change is meant, run go test ./cmd/cli -run Schemas -update", file)
		}
	}
}
