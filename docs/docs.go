// Package docs serves this module: it holds the documentation and generates the part of it that is
// data.
package docs

//go:generate go run ../cmd/picaproof rules --format markdown --output rules.md
