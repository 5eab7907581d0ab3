package reader

import (
	"path"
	"regexp"
	"strings"
)

var (
	summaryLine = regexp.MustCompile(`(?m)^SUMMARY: (\w+Sanitizer): ([\w-]+)(.*)$`)
	headLine    = regexp.MustCompile(`(?m)(?:ERROR|WARNING): (\w+Sanitizer): ([\w-]+(?: race)?)`)
	frameLine   = regexp.MustCompile(`(?m)^\s*#\d+ 0x[0-9a-f]+ in (\S+)(?: (\S+))?`)
	runtimeLine = regexp.MustCompile(`(?m)^(\S+?):(\d+)(?::\d+)?: runtime error: (.*)$`)
	number      = regexp.MustCompile(`0x[0-9a-fA-F]+|-?\d+`)
)

// sanitizerFault names what a sanitizer reports on standard error, with the frame at the
// top: "AddressSanitizer: heap-buffer-overflow in parse". It is empty when none does.
func sanitizerFault(stderr string) string {
	if m := runtimeLine.FindStringSubmatch(stderr); m != nil && !headLine.MatchString(stderr) {
		what, _, _ := strings.Cut(m[3], ":")
		return "UndefinedBehaviorSanitizer: " + number.ReplaceAllString(what, "N") + " at " + path.Base(m[1]) + ":" + m[2]
	}
	kind, what := "", ""
	if m := summaryLine.FindStringSubmatch(stderr); m != nil {
		kind, what = m[1], m[2]
		if strings.Contains(m[3], "leaked") {
			kind, what = "LeakSanitizer", "leak"
		} else if m[2] == "data" {
			what = "data race"
		}
	} else if m := headLine.FindStringSubmatch(stderr); m != nil {
		kind, what = m[1], m[2]
	} else {
		return ""
	}
	if frame := topFrame(stderr); frame != "" {
		return kind + ": " + what + " in " + frame
	}
	if m := summaryLine.FindStringSubmatch(stderr); m != nil {
		if _, frame, ok := strings.Cut(m[3], " in "); ok {
			return kind + ": " + what + " in " + frame
		}
	}
	return kind + ": " + what
}

// topFrame returns the function of the first frame that belongs to the program, not to
// the sanitizer or the C library.
func topFrame(stderr string) string {
	for _, m := range frameLine.FindAllStringSubmatch(stderr, -1) {
		name, place := m[1], m[2]
		if strings.HasPrefix(name, "__") || strings.Contains(place, "libsanitizer") || strings.Contains(place, "sysdeps") ||
			strings.Contains(place, "sanitizer_common") || libraryFunctions[name] {
			continue
		}
		return name
	}
	return ""
}

// libraryFunctions are frames of sanitizers that have the name of what they stand for.
var libraryFunctions = map[string]bool{
	"malloc": true, "calloc": true, "realloc": true, "free": true, "memcpy": true, "memmove": true, "memset": true,
	"strlen": true, "strcmp": true, "strcpy": true, "strncpy": true, "strdup": true, "printf": true, "raise": true, "abort": true,
}
