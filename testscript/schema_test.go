package testscript_test

import (
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas holds the JSON Schemas in docs/schemas, and that of interface, by the names of their commands.
var schemas = sync.OnceValues(func() (map[string]*jsonschema.Schema, error) {
	files, err := filepath.Glob("../docs/schemas/*.schema.json")
	if err != nil || len(files) == 0 {
		return nil, errors.Join(errors.New("no schemas"), err)
	}
	all := map[string]*jsonschema.Schema{}
	for _, file := range append(files, "../formats/reflection/interface.schema.json") {
		s, err := jsonschema.NewCompiler().Compile(file)
		if err != nil {
			return nil, err
		}
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		all[strings.ReplaceAll(name, "-", " ")] = s
	}
	return all, nil
})

// fitsSchema compares the JSON that a command printed, if it did, with the schema of the command.
func fitsSchema(args []string, stdout string) error {
	at := slices.Index(args, "--format")
	if at < 0 || at+1 == len(args) || args[at+1] != "json" ||
		!strings.HasPrefix(stdout, "{") && !strings.HasPrefix(stdout, "[") {
		return nil
	}
	all, err := schemas()
	if err != nil {
		return err
	}
	schema := all[args[0]]
	if schema == nil && len(args) > 1 {
		schema = all[args[0]+" "+args[1]]
	}
	if schema == nil {
		return nil // TestSchemas of cmd/cli lists the commands that need one
	}
	documents := json.NewDecoder(strings.NewReader(stdout))
	documents.UseNumber()
	for {
		var v any
		err := documents.Decode(&v)
		if err == io.EOF {
			return nil
		}
		if err := errors.Join(err, schema.Validate(v)); err != nil {
			return err
		}
	}
}
