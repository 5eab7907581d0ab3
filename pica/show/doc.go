// Package show formats jobs and what engines make of them, for people and for
// JSON: register contents as values and as bits, outcomes, steps and states.
// The JSON forms are contracts that scripts rely on; fields are only added.
package show
