// Package diag has the types in which the format packages describe a file:
// findings with a stable rule id and an exact place, the rules themselves, the
// error a strict parse returns, and the regions that give every byte an owner.
package diag
