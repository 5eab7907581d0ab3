package conform

import (
	"reflect"
	"testing"
)

// TestBucketKey: the text of a key is that of before, so that stored hunts go on, and says all of it.
func TestBucketKey(t *testing.T) {
	for text, want := range map[string]bucketKey{
		"flow: hang: jump loop": {suite: "flow", class: Hang, parts: []string{"jump", "loop"}},
		"flow: other class: if": {suite: "flow", class: "other class", parts: []string{"if"}},
		"mixed: foreseen crash: call in a loop; end in a call": {suite: "mixed", class: Crash, foreseen: true,
			parts: []string{"call in a loop", "end in a call"}},
	} {
		if got := parseKey(text); !reflect.DeepEqual(got, want) || got.String() != text {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
	for text, want := range map[string]string{"flow: hang: jump": Hang, "alu: crash: add": Crash, "alu: value: add": "",
		"flow: foreseen hang: jump": ""} {
		if got := parseKey(text).end(); got != want {
			t.Errorf("%s: end %q, want %q", text, got, want)
		}
	}
}
