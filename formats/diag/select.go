package diag

import "strings"

// Select returns the rules whose id begins with prefix, for a format that takes over part of
// the table of another.
func Select(rules []Rule, prefix string) []Rule {
	var list []Rule
	for _, r := range rules {
		if strings.HasPrefix(r.ID, prefix) {
			list = append(list, r)
		}
	}
	return list
}
