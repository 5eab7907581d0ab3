// Package show serves this module: it formats jobs, outcomes, steps and states for people and as
// JSON, register contents as values and as bits. The JSON forms are contracts that scripts rely on;
// fields are only added.
package show
