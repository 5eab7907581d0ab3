package conform

import "strings"

// A bucketKey says what the failures of a bucket of a suite have in common. A hunt keeps it as text.
type bucketKey struct {
	suite string
	// class is the class of the difference, or the end of the core: [Crash], [Hang].
	class string
	// foreseen: the core's model predicts this end.
	foreseen bool
	// parts are opcodes, kinds of control flow or of uploads; of a foreseen end the shapes of the control flow.
	parts []string
}

const (
	betweenFields = ": "
	ofForeseen    = "foreseen "
)

// separator returns what stands between the parts: shapes have spaces of their own.
func (k *bucketKey) separator() string {
	if k.foreseen {
		return "; "
	}
	return " "
}

// String returns the text: "flow: hang: jump loop".
func (k bucketKey) String() string {
	class := k.class
	if k.foreseen {
		class = ofForeseen + class
	}
	return strings.Join([]string{k.suite, class, strings.Join(k.parts, k.separator())}, betweenFields)
}

// parseKey returns the key with a text.
func parseKey(text string) (k bucketKey) {
	suite, rest, _ := strings.Cut(text, betweenFields)
	class, parts, _ := strings.Cut(rest, betweenFields)
	k.suite = suite
	k.class, k.foreseen = strings.CutPrefix(class, ofForeseen)
	k.parts = strings.Split(parts, k.separator())
	return k
}

// end returns [Crash] or [Hang] if the jobs of the bucket end so and the model does not predict it, else "".
func (k bucketKey) end() string {
	if !k.foreseen && (k.class == Crash || k.class == Hang) {
		return k.class
	}
	return ""
}
