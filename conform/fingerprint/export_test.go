package fingerprint

import (
	"maps"
	"slices"
)

// Conditions returns the names of the knobs that have a condition.
func Conditions() []string { return slices.Collect(maps.Keys(needs)) }
