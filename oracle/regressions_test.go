package oracle_test

import (
	"strings"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/corpus/expect"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
	"github.com/picaproof/picaproof/pica"
)

// TestCorpusPrograms runs the executable vectors of the corpus in every named profile.
// What implementations were seen to do was held against these expectations when
// the corpus was built; the profile of the console meets every vector.
func TestCorpusPrograms(t *testing.T) {
	cases, err := expect.Cases()
	if err != nil {
		t.Fatal(err)
	}
	engine := impl.New()
	measured := 0
	for _, c := range cases {
		t.Run(strings.TrimPrefix(c.Name, "pica/"), func(t *testing.T) {
			for _, name := range profile.Names() {
				p, _ := profile.ByName(name)
				job := c.Job(p)
				var out pica.Outcome
				if err := engine.Run(&job, &out); err != nil {
					t.Fatal(err)
				}
				if err := c.Judge(name, &out); err != nil {
					t.Error(err)
				}
			}
			if hw, ok := c.For("hw"); !ok || hw.Verdict == corpus.Other {
				t.Error("the profile of the console is not expected to meet it")
			}
		})
		if c.Provenance == corpus.Console || c.Provenance == corpus.Documented {
			measured++
		}
	}
	t.Logf("%d vectors from consoles and documents", measured)
}
