package findings

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// home is the address of picaproof.
const home = "https://github.com/picaproof/picaproof"

// fingerprintKind names the contents of fingerprints, and their version. The name of the file is
// not included: a consumer takes it from the location.
const fingerprintKind = "ruleAndPathInFile/v1"

// schemaURL is the address of the schema of SARIF 2.1.0.
const schemaURL = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// levels maps levels to levels of SARIF.
var levels = map[Level]string{Error: sarif.LevelError, Warning: sarif.LevelWarning, Info: sarif.LevelNote}

// WriteSARIF writes the report as SARIF 2.1.0. Fingerprints consist of rule, path in the file
// and number, without offsets, so that a finding keeps its fingerprint when other parts of the
// file change. With a baseline, each result says whether it is new.
func (r *Report) WriteSARIF(w io.Writer) error {
	log := sarif.NewReport()
	log.Schema = schemaURL
	run := sarif.NewRunWithInformationURI("picaproof", home)
	run.Tool.Driver.WithVersion(numbered(r.Version))
	index := map[string]int{}
	for i, c := range r.ByRule() {
		index[c.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, descriptor(&c.Rule))
	}
	call := sarif.NewInvocation().WithExecutionSuccessful(true).
		WithCommandLine("picaproof " + r.Command + " " + r.Subject)
	for i := range r.Files {
		f := &r.Files[i]
		if f.Error != "" {
			call.AddToolExecutionNotification(sarif.NewNotification().WithLevel(sarif.LevelError).
				WithMessage(sarif.NewTextMessage(f.Error)).
				WithLocations([]*sarif.Location{location(f.Name, nil, 0, "")}))
		}
		_, known := r.known(f)
		for k, key := range f.Keys() {
			s := result(f, &f.Findings[k], key, index)
			switch {
			case known[k]:
				s.WithBaselineState("unchanged")
			case len(r.Known.Baseline) > 0 && f.Findings[k].Level.AtLeast(r.Threshold):
				s.WithBaselineState("new")
			}
			run.AddResult(s)
		}
	}
	run.AddInvocation(call)
	log.AddRun(run)
	if err := log.PrettyWrite(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w)
	return err
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

func descriptor(rule *Rule) *sarif.ReportingDescriptor {
	text := func(s string) *sarif.MultiformatMessageString {
		return sarif.NewMultiformatMessageString().WithText(s)
	}
	d := sarif.NewRule(rule.ID).
		WithShortDescription(text(rule.Title)).
		WithFullDescription(text(sentence(rule.Text))).
		WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(levels[rule.Level]))
	help := sentence(rule.Text)
	if rule.Evidence != "" {
		help += " Evidence: " + sentence(rule.Evidence)
	}
	d.WithHelp(text(help + " A file that breaks the rule and a near miss: picaproof rules " + rule.ID))
	if rule.URL != "" {
		d.WithHelpURI(rule.URL)
	}
	return d
}

// sentence returns a text with a final full stop.
func sentence(s string) string {
	if strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

func result(f *File, x *Finding, key string, index map[string]int) *sarif.Result {
	text := x.Text
	if x.More > 0 {
		text += fmt.Sprintf("; %d more findings of %s", x.More, x.Rule)
	}
	sum := sha256.Sum256([]byte(key))
	s := sarif.NewRuleResult(x.Rule).WithRuleIndex(index[x.Rule]).WithLevel(levels[x.Level]).
		WithMessage(sarif.NewTextMessage(text)).
		WithLocations([]*sarif.Location{location(f.Name, x.Bytes, x.Line, x.Path)}).
		WithPartialFingerprints(map[string]string{fingerprintKind: hex.EncodeToString(sum[:16])})
	if x.More > 0 {
		s.WithOccurrenceCount(1 + x.More)
	}
	for i, r := range x.Related {
		s.AddRelatedLocation(location(f.Name, r.Bytes, 0, r.Path).WithID(i + 1))
	}
	return s
}

// location is a place in a file.
func location(file string, bytes *Range, line int, modelPath string) *sarif.Location {
	place := sarif.NewPhysicalLocation().WithArtifactLocation(artifact(file))
	switch {
	case bytes != nil:
		place.WithRegion(sarif.NewRegion().WithByteOffset(bytes.Off).WithByteLength(bytes.Len))
	case line > 0:
		place.WithRegion(sarif.NewRegion().WithStartLine(line))
	}
	l := sarif.NewLocationWithPhysicalLocation(place)
	if modelPath != "" {
		l.WithLogicalLocations([]*sarif.LogicalLocation{
			sarif.NewLogicalLocation().WithFullyQualifiedName(modelPath).WithKind("member")})
	}
	return l
}

// artifact returns the URI of a file. It is relative to the root of the sources if the file lies
// in the working directory.
func artifact(file string) *sarif.ArtifactLocation {
	slashed := filepath.ToSlash(file)
	a := sarif.NewArtifactLocation()
	if path.IsAbs(slashed) || filepath.IsAbs(file) {
		return a.WithURI((&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(slashed, "/")}).String())
	}
	clean := path.Clean(slashed)
	a.WithURI((&url.URL{Path: clean}).String())
	if !slices.Contains(strings.Split(clean, "/"), "..") {
		a.WithURIBaseID("%SRCROOT%")
	}
	return a
}
