package reflection

import _ "embed" // the schema

// Schema is the JSON Schema of the report of picaproof interface.
//
//go:embed interface.schema.json
var Schema []byte
