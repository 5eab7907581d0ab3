package report_test

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"html"
	"io"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/conform/report"
)

// TestLinkTo puts the job of each cause into an address, in every form of a report, and none without an address.
func TestLinkTo(t *testing.T) {
	const page, job = "https://example.org/p/", `{"code":"88000000","entry":0,"b":0,"in":["3f800000"]}`
	r := report.New("core", "core", "./core", 1)
	r.Deviations = []report.Deviation{
		{Number: 1, Bucket: "a", Verdict: report.Own, Job: json.RawMessage(job), Members: []report.Member{{}}},
		{Number: 2, Bucket: "b", Verdict: report.Own, File: []byte("DVLB")},
		{Number: 3, Bucket: "c", Verdict: report.Own},
	}
	var before bytes.Buffer
	if err := r.WriteJSON(&before); err != nil || strings.Contains(before.String(), "page") {
		t.Errorf("without an address: %v\n%s", err, before.String())
	}
	if err := r.LinkTo(page); err != nil {
		t.Fatal(err)
	}
	if got := unpacked(t, r.Deviations[0].Page, page+"#j="); got != job {
		t.Errorf("the link has %q, want %q", got, job)
	}
	want := "\x00\x00\x00\x1a" + `{"name":"b","view":"look"}DVLB`
	if got := unpacked(t, r.Deviations[1].Page, page+"#s="); got != want {
		t.Errorf("the link has %q, want %q", got, want)
	}
	if r.Deviations[2].Page != "" {
		t.Errorf("a cause without a case has the link %s", r.Deviations[2].Page)
	}
	var text, markup bytes.Buffer
	if err := r.WriteText(&text, report.Paint{}); err != nil || !strings.Contains(text.String(), r.Deviations[0].Page) {
		t.Errorf("no link in the text: %v\n%s", err, text.String())
	}
	if err := r.WriteHTML(&markup); err != nil ||
		!strings.Contains(html.UnescapeString(markup.String()), `href="`+r.Deviations[0].Page+`"`) {
		t.Errorf("no link in the page: %v", err)
	}
	for _, wrong := range []string{"", "page", "javascript:alert(1)", "https://", "https://example.org/#x", "file:///x"} {
		if err := r.LinkTo(wrong); err == nil {
			t.Errorf("%q is taken for an address", wrong)
		}
	}
}

// unpacked returns what is in the fragment of a link.
func unpacked(t *testing.T, link, before string) string {
	t.Helper()
	data, ok := strings.CutPrefix(link, before)
	packed, err := base64.RawURLEncoding.DecodeString(data)
	if !ok || err != nil {
		t.Fatalf("link %q: %v", link, err)
	}
	plain, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}
