// Package ancestry serves this module: it says what fed one component of an output in a run of the oracle.
//
// [Of] slices one run backwards. It follows data through
// registers, addresses and flags, and the decisions whose other outcome could have changed something that counts.
// For the latter it explores all places, as instruction and open scopes, that control flow can come to, and finds for
// each decision the first place that all its ways pass, and what they may write up to there. It then tries the other
// ways: where they lead to the same values, the decision does not count.
package ancestry
