package convert

import (
	"fmt"
	"slices"

	"github.com/picaproof/picaproof/formats/zpsh"
)

// revised converts a ZPSH into another revision.
func revised(z *zpsh.File, revision zpsh.Revision) (*zpsh.File, Report) {
	if z.Revision == revision {
		return z, nil
	}
	var r Report
	c := *z
	c.Revision = revision
	c.Layout, c.Leniencies = nil, nil
	c.Entries = slices.Clone(z.Entries)
	for i := range c.Entries {
		e := &c.Entries[i]
		switch path := item("entries", i, ""); {
		case revision == zpsh.R3:
			r.droppedFields(path, e.R4Header, zpsh.R4Header{HeaderWords: e.HeaderWords},
				reasons{"flags": "R3 has no flags", "": "R3 has no place for it"})
			if e.HeaderWords != entryWords {
				r.dropped(path+".header_words", fmt.Sprint(e.HeaderWords), "R3 has no size of entry headers")
			}
			e.R4Header = zpsh.R4Header{}
		case z.Revision == zpsh.R3:
			e.HeaderWords = entryWords
			r.invented(path+".header_words", fmt.Sprint(entryWords),
				"R3 has no size of entry headers; zitrus stores this one")
		}
	}
	layoutOfZPSH(z.Layout, &r)
	return &c, r
}
