package convert

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/formats/shbin"
)

// chooseShader returns the index of the program called name among those of an
// archive, and says that the others are lost.
func chooseShader(list []unit, name string, source, target *format, r *Report) (int, error) {
	chosen := 0
	switch {
	case len(list) == 0:
		return 0, refuse("shaders", "there is none")
	case name == "" && len(list) == 1:
	case !source.archive:
		return 0, fmt.Errorf("shader %q: %w: the source holds one program, and it has no name", name, ErrChoice)
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
			return 0, choiceError("shader", name, names)
		}
	}
	for i, u := range list {
		if i != chosen {
			r.dropped(item("shaders", i, ""), quote(u.name), "another shader was chosen")
		}
	}
	if source.archive && !target.archive && list[chosen].name != defaultName {
		r.dropped(item("shaders", chosen, "name"), quote(list[chosen].name), "the target does not name its program")
	}
	return chosen, nil
}

func choiceError(what, name string, names []string) error {
	err := fmt.Errorf("%w of %s: %s", ErrChoice, count(len(names), what), strings.Join(names, ", "))
	if name != "" {
		err = fmt.Errorf("no %s %q: %w", what, name, err)
	}
	return err
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
	return 0, choiceError("entry point", name, names)
}
