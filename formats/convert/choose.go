package convert

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/shbin"
)

// chooseShader returns the index of the program called name among those of an
// archive, and says that the others are lost.
func chooseShader(list []unit, name string, archive bool, r *Report) (int, error) {
	chosen := 0
	switch {
	case name == "" && len(list) == 1:
	case !archive:
		return 0, fmt.Errorf("shader %q: %w: the source holds one program without a name", name, ErrChoice)
	default:
		names := make([]string, len(list))
		chosen = -1
		for i, u := range list {
			names[i] = strconv.Quote(u.name)
			if u.name == name {
				chosen = i
			}
		}
		if chosen < 0 {
			return 0, fmt.Errorf("shader %q: %w of %d shaders: %s", name, ErrChoice, len(list), strings.Join(names, ", "))
		}
	}
	for i, u := range list {
		if i != chosen {
			r.dropped(item("shaders", i, ""), quote(u.name), "the target holds one shader")
		}
	}
	if archive {
		r.dropped(item("shaders", chosen, "name"), quote(list[chosen].name), "the target does not name its program")
	}
	return chosen, nil
}

// chooseEntry returns the index of an entry point, by name or by index.
func chooseEntry(f *shbin.File, name string) (int, error) {
	if name == "" && len(f.Entries) == 1 {
		return 0, nil
	}
	names := make([]string, len(f.Entries))
	for i, s := range f.Shaders() {
		if s.Name == name && name != "" {
			return i, nil
		}
		names[i] = strconv.Itoa(i)
		if s.Name != "" {
			names[i] = strconv.Quote(s.Name)
		}
	}
	if n, err := strconv.Atoi(name); err == nil && n >= 0 && n < len(f.Entries) {
		return n, nil
	}
	return 0, fmt.Errorf("entry point %q: %w of %d entry points: %s", name, ErrChoice, len(names), strings.Join(names, ", "))
}
