package findings

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// home is the address of picaproof.
const home = "https://github.com/picaproof/picaproof"

// fingerprintKind names the contents of fingerprints, and their version. The name of the file is
// not included: a consumer takes it from the location.
const fingerprintKind = "ruleAndPathInFile/v1"

// schemaURL is the address of the schema of SARIF 2.1.0.
const schemaURL = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// language is the language of texts, the standard's default.
const language = "en-US"

// levels maps levels to levels of SARIF.
var levels = map[Level]string{Error: "error", Warning: "warning", Info: "note"}

// WriteSARIF writes the report as SARIF 2.1.0. Fingerprints consist of rule, path in the file
// and number, without offsets, so that a finding keeps its fingerprint when other parts of the
// file change. With a baseline, each result says whether it is new.
func (r *Report) WriteSARIF(w io.Writer) error {
	results, notifications, rules := []sarifResult{}, []sarifNotification{}, []sarifRule{}
	index := map[string]int{}
	for i, c := range r.ByRule() {
		index[c.ID] = i
		rules = append(rules, descriptor(&c.Rule))
	}
	for i := range r.Files {
		f := &r.Files[i]
		failedKnown, known := r.known(f)
		if f.Error != "" {
			n := sarifNotification{Level: levels[Error], Message: sarifMessage{Text: f.Error},
				Locations: []sarifLocation{location(f.Name, nil, 0, "")}}
			if failedKnown {
				n.Level, n.Message.Text = levels[Info], "known: "+f.Error
			}
			notifications = append(notifications, n)
		}
		for k, key := range f.Keys() {
			s := result(f, &f.Findings[k], key, index)
			switch {
			case known[k]:
				s.BaselineState = "unchanged"
			case len(r.Known.Baseline) > 0 && f.Findings[k].Level.AtLeast(r.Threshold):
				s.BaselineState = "new"
			}
			results = append(results, s)
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(sarifLog{Schema: schemaURL, Version: "2.1.0", Runs: []sarifRun{{
		Invocations: []sarifInvocation{{CommandLine: "picaproof " + r.Command + " " + r.Subject,
			ExecutionSuccessful: true, ToolExecutionNotifications: notifications}},
		Language: language, NewlineSequences: []string{"\r\n", "\n"}, Results: results,
		Tool: sarifTool{Driver: sarifDriver{Contents: []string{"localizedData", "nonLocalizedData"},
			InformationURI: home, Language: language, Name: "picaproof", Rules: rules, Version: numbered(r.Version)}},
	}}})
}

// numbered returns a version that starts with a number, as SARIF requires: "1.2.3", or "0
// (devel)" for a build without one.
func numbered(version string) string {
	version = strings.TrimPrefix(version, "v")
	if version == "" || version[0] < '0' || version[0] > '9' {
		return strings.TrimSpace("0 " + version)
	}
	return version
}

func descriptor(rule *Rule) sarifRule {
	help := sentence(rule.Text)
	if rule.Evidence != "" {
		help += " Evidence: " + sentence(rule.Evidence)
	}
	help += " A file that breaks the rule and a near miss: picaproof rules " + rule.ID
	return sarifRule{
		ID: rule.ID, HelpURI: rule.URL,
		ShortDescription:     sarifText{rule.Title},
		FullDescription:      sarifText{sentence(rule.Text)},
		Help:                 sarifText{help},
		DefaultConfiguration: sarifConfiguration{Enabled: true, Level: levels[rule.Level], Rank: -1},
	}
}

// sentence returns a text with a final full stop.
func sentence(s string) string {
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

func result(f *File, x *Finding, key string, index map[string]int) sarifResult {
	sum := sha256.Sum256([]byte(key))
	s := sarifResult{
		RuleID: x.Rule, RuleIndex: index[x.Rule], Kind: "fail", Level: levels[x.Level], Rank: -1,
		Message:             sarifMessage{Text: x.placed() + x.more()},
		Locations:           []sarifLocation{location(f.Name, x.Bytes, x.Line, x.Path)},
		RelatedLocations:    []sarifLocation{},
		PartialFingerprints: map[string]string{fingerprintKind: hex.EncodeToString(sum[:16])},
	}
	if x.More > 0 {
		s.OccurrenceCount = 1 + x.More
	}
	for i, r := range x.Related {
		l := location(f.Name, r.Bytes, 0, r.Path)
		l.ID = i + 1
		s.RelatedLocations = append(s.RelatedLocations, l)
	}
	return s
}

// location is a place in a file. Each has a line, because code scanning shows nothing without one: a
// place in bytes has the first.
func location(file string, bytes *Range, line int, modelPath string) sarifLocation {
	region := sarifRegion{ByteOffset: -1, CharOffset: -1, StartLine: max(line, 1)}
	if bytes != nil {
		region.ByteOffset, region.ByteLength = bytes.Off, &bytes.Len
	}
	l := sarifLocation{ID: -1, LogicalLocations: []sarifLogicalLocation{},
		PhysicalLocation: sarifPhysicalLocation{ArtifactLocation: artifact(file), Region: &region}}
	if modelPath != "" {
		l.LogicalLocations = append(l.LogicalLocations,
			sarifLogicalLocation{FullyQualifiedName: modelPath, Kind: "member", Index: -1, ParentIndex: -1})
	}
	return l
}

// artifact returns the location of a file. It is relative to the root of the sources if the file
// lies in the working directory.
func artifact(file string) sarifArtifactLocation {
	slashed := filepath.ToSlash(file)
	if path.IsAbs(slashed) || filepath.IsAbs(file) {
		uri := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(slashed, "/")}
		return sarifArtifactLocation{Index: -1, URI: uri.String()}
	}
	clean := path.Clean(slashed)
	a := sarifArtifactLocation{Index: -1, URI: (&url.URL{Path: clean}).String()}
	if !slices.Contains(strings.Split(clean, "/"), "..") {
		a.URIBaseID = "%SRCROOT%"
	}
	return a
}
