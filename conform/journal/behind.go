package journal

import (
	"fmt"
	"slices"
	"unsafe"

	"github.com/picaproof/picaproof/conform/reader"
)

// behind is what a process had done before it gave an answer.
type behind struct {
	After  string `json:"after,omitempty"` // the answer before, "" for the first one of a process
	Format string `json:"format"`
	Data   []byte `json:"data"` // the file of this answer
}

// history knows the files that processes had read before their answers.
type history struct {
	known map[string]*behind        // by answer
	lists map[string][]reader.Shown // the files up to an answer, its own included
	// extended has the answers behind which another list goes on.
	extended map[string]bool
	// answers has the answers of this run, by the memory of their files.
	answers map[*byte]string
}

func newHistory() history {
	return history{map[string]*behind{}, map[string][]reader.Shown{}, map[string]bool{}, map[*byte]string{}}
}

// note returns a copy of a file that belongs to an answer.
func (j *Journal) note(answer string, data []byte) []byte {
	j.mu.Lock()
	defer j.mu.Unlock()
	own := append(make([]byte, 0, len(data)+1), data...)
	j.answers[unsafe.SliceData(own)] = answer
	return own
}

// last returns the answer of the last file in a list.
func (j *Journal) last(list []reader.Shown) string {
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(list) == 0 {
		return ""
	}
	return j.answers[unsafe.SliceData(list[len(list)-1].Data)]
}

// before returns the files that a process had read before an answer. It is false if one of them is
// lost.
func (j *Journal) before(b *behind) (list []reader.Shown, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	h := &j.history
	var chain []string // from the last answer without a list to the first
	for after := b.After; after != ""; after = h.known[after].After {
		if known, ok := h.lists[after]; ok {
			list = known
			break
		}
		if h.known[after] == nil || len(chain) > len(h.known) {
			return nil, false
		}
		chain = append(chain, after)
	}
	for i := len(chain) - 1; i >= 0; i-- {
		x := h.known[chain[i]]
		if h.extended[x.After] { // another answer, of a process with the same beginning, has the memory
			list = slices.Clip(list)
		}
		h.extended[x.After] = x.After != ""
		list = append(list, reader.Shown{Format: x.Format, Data: x.Data})
		h.lists[chain[i]] = list
	}
	return list, true
}

// add notes what an earlier run stored.
func (h *history) add(answer string, b *behind) error {
	if b == nil {
		return nil
	}
	if b.After == answer {
		return fmt.Errorf("%w: an answer comes after itself", ErrJournal)
	}
	h.known[answer] = b
	return nil
}
