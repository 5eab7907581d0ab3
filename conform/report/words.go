package report

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/picaproof/picaproof/pica/show"
)

// Hex returns the program of a core's deviation as words, "" if there is none: "code 4c000000 88000000,
// descriptors 0d86c36f". Of a long list it has the first words; the job has all.
func (d *Deviation) Hex() string {
	var job struct{ Code, Desc string }
	if len(d.Job) == 0 || json.Unmarshal(d.Job, &job) != nil {
		return ""
	}
	var parts []string
	for _, list := range []struct{ name, digits string }{{"code", job.Code}, {"descriptors", job.Desc}} {
		if text := spaced(list.digits); text != "" {
			parts = append(parts, list.name+" "+text)
		}
	}
	return strings.Join(parts, ", ")
}

// mostWords is the largest number of words in a list.
const mostWords = 64

// spaced returns words of eight digits with blanks between them, "" for other text.
func spaced(digits string) string {
	b, err := hex.DecodeString(digits)
	if err != nil || len(b)%4 != 0 {
		return ""
	}
	words := make([]string, min(len(b)/4, mostWords))
	for k := range words {
		words[k] = fmt.Sprintf("%x", b[4*k:4*k+4])
	}
	if more := len(b)/4 - len(words); more > 0 {
		words = append(words, fmt.Sprintf("and %s more", show.Thousands(more)))
	}
	return strings.Join(words, " ")
}
