package diag

import "cmp"

// Reporter receives the findings of a walk over a file. A strict reporter keeps the first error
// only, a collecting one up to MaxPerRule findings of each rule. It formats only these.
type Reporter struct {
	rules  RuleSet
	strict bool
	first  *Finding
	kind   error // of refusal, for the first error; nil means ErrMalformed
	list   list

	embedding
}

// Strict returns a reporter that keeps the first finding of severity Error.
func Strict(rules RuleSet) *Reporter { return &Reporter{rules: rules, strict: true} }

// Collect returns a collecting reporter: it keeps at most MaxPerRule findings of each rule.
func Collect(rules RuleSet) *Reporter { return &Reporter{rules: rules} }

// Strict reports whether the reporter keeps only the first error. A walk may then skip checks
// that yield only warnings, and stop at an error (Done).
func (r *Reporter) Strict() bool { return r.strict }

// Done reports whether a strict walk can end, because it has found an error.
func (r *Reporter) Done() bool { return r.strict && r.Failed() }

// Failed reports whether there was a finding of severity Error.
func (r *Reporter) Failed() bool { return r.failed || r.first != nil || r.list.errors }

// Findings returns the collected findings in the order of the reports.
func (r *Reporter) Findings() []Finding { return r.list.findings }

// Err returns the first error of a strict reporter as a *ParseError, or nil.
func (r *Reporter) Err(format string) error {
	if r.first == nil {
		return nil
	}
	return &ParseError{Format: format, Finding: *r.first, Kind: cmp.Or(r.kind, ErrMalformed)}
}

// Report reports a finding with the rule's severity, and with its title as message. The rule
// must be in the rule set. related are further places of the finding.
func (r *Reporter) Report(id string, at Place, expected, found Value, related ...Place) {
	rule := r.rules[id]
	r.report(rule, rule.Severity, at, expected, found, related)
}

// ReportKind is Report with another kind of refusal than Rule.Kind.
func (r *Reporter) ReportKind(kind error, id string, at Place, expected, found Value) {
	first := r.sink().first == nil
	r.Report(id, at, expected, found)
	if sink := r.sink(); first && sink.first != nil {
		sink.kind = kind
	}
}

// ReportAs is Report with one of the rule's other severities.
func (r *Reporter) ReportAs(sev Severity, id string, at Place, expected, found Value, related ...Place) {
	r.report(r.rules[id], sev, at, expected, found, related)
}

// Full reports whether further findings of the rule would only be counted.
func (r *Reporter) Full(id string) bool {
	return r.sink().list.full(r.rules[id].ID)
}

// Count counts n further findings of a rule that is Full, without making any; otherwise it does
// nothing.
func (r *Reporter) Count(id string, n int) { r.sink().list.drop(r.rules[id].ID, Info, n) }

// sink returns the reporter that keeps the findings: the outermost one.
func (r *Reporter) sink() *Reporter {
	if r.outer != nil {
		return r.outer
	}
	return r
}

func (r *Reporter) report(rule *Rule, sev Severity, at Place, expected, found Value, related []Place) {
	sink := r.sink()
	if r.outer != nil {
		r.failed = r.failed || sev == Error
	}
	switch {
	case !sink.strict:
		if !sink.list.drop(rule.ID, sev, 1) {
			sink.list.add(r.outward(rule.finding(sev, at, expected, found, related)))
		}
	case sev == Error && sink.first == nil:
		sink.first = new(r.outward(rule.finding(sev, at, expected, found, related)))
		sink.kind = rule.Kind
	}
}

func (r *Rule) finding(sev Severity, at Place, expected, found Value, related []Place) Finding {
	f := Finding{
		Rule: r.ID, Severity: sev, Off: int(at.Off), Len: int(at.Len), Path: at.Path.String(),
		Msg: r.Title, Expected: expected.String(), Found: found.String(),
	}
	for _, p := range related {
		f.Related = append(f.Related, Related{Off: int(p.Off), Len: int(p.Len), Path: p.Path.String()})
	}
	return f
}
