// Package vectors serves this module: it exports the executable vectors of the corpus as data for
// other languages. They are regressions, findings and the grid of operand classes, each with the
// outcome under every named profile. The output is one JSON object a line, with the fields of
// vectors.schema.json, or one C header that needs no JSON. Both are CC0.
package vectors

//go:generate go test -run ^TestExports$ -update .

import _ "embed"

// Schema is the JSON Schema of a line.
//
//go:embed vectors.schema.json
var Schema []byte
