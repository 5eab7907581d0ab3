package report

import (
	"fmt"
	"net/url"

	"github.com/picaproof/picaproof/internal/pagelink"
)

// LinkTo gives each cause with a job or a file the address at which the page at an address opens it. The job or file
// is in the fragment, which browsers send to no server; docs/page.md describes it.
func (r *Report) LinkTo(page string) error {
	u, err := url.Parse(page)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Fragment != "" {
		return fmt.Errorf("%q: want the address of the page, as https://example.org/picaproof/", page)
	}
	for _, list := range [][]Deviation{r.Deviations, r.Findings} {
		for i := range list {
			if list[i].Page, err = list[i].link(page); err != nil {
				return err
			}
		}
	}
	return nil
}

// link returns the address at which the page opens the smallest case, "" if there is none.
func (d *Deviation) link(page string) (string, error) {
	var fragment string
	var err error
	switch {
	case len(d.File) > 0:
		fragment, err = pagelink.File(pagelink.State{Name: d.Bucket, View: "look"}, d.File)
	case len(d.Job) > 0:
		fragment, err = pagelink.Job(d.Job)
	default:
		return "", nil
	}
	return page + fragment, err
}
