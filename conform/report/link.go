package report

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/url"
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
	kind, data := "#j=", []byte(d.Job)
	switch {
	case len(d.File) > 0:
		state, err := json.Marshal(map[string]string{"name": d.Bucket, "view": "look"})
		if err != nil {
			return "", err
		}
		kind, data = "#s=", append(append(binary.BigEndian.AppendUint32(nil, uint32(len(state))), state...), d.File...)
	case len(d.Job) == 0:
		return "", nil
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(data); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return page + kind + base64.RawURLEncoding.EncodeToString(packed.Bytes()), nil
}
