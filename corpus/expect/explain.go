package expect

import "github.com/picaproof/picaproof/formats/diag"

// Explained is a rule with a file that breaks it and a near miss.
type Explained struct {
	Format string `json:"format"`
	diag.Rule
	// the required behaviour of readers for a file that breaks the rule
	Readers    string   `json:"readers,omitempty"`
	Triggering *Example `json:"triggering,omitempty"`
	NearMiss   *Example `json:"near_miss,omitempty"`

	about string
}

// About returns the title of the kind of file that the rule is about.
func (e *Explained) About() string { return e.about }

// Explain explains the rules with an id, one for each format that has it.
func Explain(id string) (list []Explained, err error) {
	list = []Explained{}
	for _, c := range Catalogues() {
		for _, r := range c.Rules {
			if r.ID != id {
				continue
			}
			trigger, miss, err := c.Examples(id)
			if err != nil {
				return nil, err
			}
			list = append(list, Explained{c.Name, r, c.Readers(r), trigger, miss, c.Title})
		}
	}
	return list, nil
}

// Readers returns the required behaviour of readers for a file that breaks a rule; it is empty for rules of sources and
// programs.
func (c *Catalogue) Readers(r diag.Rule) string {
	if c.Text {
		return ""
	}
	return r.Readers(r.Severity).String()
}
