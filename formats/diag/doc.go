// Package diag has the types in which the format packages describe a file: findings
// with a stable rule id and an exact place, the rules, the error of a strict parse, and
// regions that give every byte an owner.
package diag
