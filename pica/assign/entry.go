package assign

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/picaproof/picaproof/internal/nearest"
	"github.com/picaproof/picaproof/pica"
)

// ErrNoEntry says that a file has no entry point.
var ErrNoEntry = errors.New("the file holds no entry point")

// Entry finds the shader that a label, the number of an entry point or @word names; the first if the name is empty.
func Entry(shaders []pica.Shader, entry string) (pica.Shader, error) {
	if len(shaders) == 0 {
		return pica.Shader{}, ErrNoEntry
	}
	if entry == "" {
		return shaders[0], nil
	}
	if word, ok := strings.CutPrefix(entry, "@"); ok {
		n, err := strconv.ParseUint(word, 0, 12)
		if err != nil {
			return pica.Shader{}, errors.New("want @ and a word number below 4096")
		}
		s := shaders[0]
		s.Entry = int(n)
		return s, nil
	}
	var labels []string
	for _, s := range shaders {
		if s.Name == entry {
			return s, nil
		}
		for _, l := range s.Labels {
			labels = append(labels, l.Name)
		}
		if i := slices.IndexFunc(s.Labels, func(l pica.Label) bool { return l.Name == entry }); i >= 0 {
			s.Entry = s.Labels[i].Word
			return s, nil
		}
	}
	if n, err := strconv.Atoi(entry); err == nil && n >= 0 && n < len(shaders) {
		return shaders[n], nil
	}
	return pica.Shader{}, fmt.Errorf("neither a label nor an entry point below %d%s", len(shaders),
		nearest.Hint(entry, labels))
}
