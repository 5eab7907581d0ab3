// Package vectors turns the executable vectors of the corpus into data for other
// languages: regressions, findings and the grid of operand classes, each with what
// every named profile makes of it. One JSON object a line, of which vectors.schema.json says
// the fields, or one C header that needs no JSON. Both are CC0.
package vectors

import _ "embed"

// Schema is the JSON Schema of a line.
//
//go:embed vectors.schema.json
var Schema []byte
