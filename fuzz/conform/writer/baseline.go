package writer

import _ "embed"

// The baselines of the dialects' own assemblers.
var (
	//go:embed picasso.baseline
	picassoBaseline []byte
	//go:embed nihstro.baseline
	nihstroBaseline []byte
)

// Baselines are the known defects of assemblers, by the dialect.
var Baselines = map[string][]byte{"picasso": picassoBaseline, "nihstro": nihstroBaseline}
