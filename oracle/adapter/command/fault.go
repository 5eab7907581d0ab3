package command

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

// fault names a crash that a program reports on standard error: by a sanitizer, or as a
// panic of Go or Rust. It is empty if there is no report.
func fault(stderr string) string {
	if s := sanitizerFault(stderr); s != "" {
		return s
	}
	if at := goPanic.FindStringIndex(stderr); at != nil {
		if head := goroutine.FindStringIndex(stderr[at[1]:]); head != nil {
			return "panic in " + PanicFrame(stderr[at[1]+head[1]:])
		}
	}
	if m := rustPanic.FindStringSubmatch(stderr); m != nil {
		return "panic at " + m[1]
	}
	return ""
}

// faultLine returns the line of standard error that names the fault.
func faultLine(stderr string) string {
	for _, r := range []*regexp.Regexp{headLine, runtimeLine, summaryLine, goPanic, rustPanic} {
		if at := r.FindStringIndex(stderr); at != nil {
			return firstLine(stderr[at[0]:])
		}
	}
	return firstLine(stderr)
}

var (
	goPanic   = regexp.MustCompile(`(?m)^(?:panic|fatal error): `)
	goroutine = regexp.MustCompile(`(?m)^goroutine \d+ .*\[.*\]:$`)
	rustPanic = regexp.MustCompile(`(?m)^thread '.*' (?:\(\d+\) )?panicked at (?:'.*', )?([^\s:]+:\d+)`)
	goCall    = regexp.MustCompile(`(?m)^([^\s(]\S*)\(`)
)

// PanicFrame returns the topmost function in a stack trace of Go that is outside the
// runtime.
func PanicFrame(stack string) string {
	for _, m := range goCall.FindAllStringSubmatch(stack, -1) {
		if name := m[1]; !strings.HasPrefix(name, "runtime.") && !strings.HasPrefix(name, "panic") {
			return name
		}
	}
	return "an unknown function"
}

// sanitizerFault names the fault in a report of a sanitizer, with the topmost frame:
// "AddressSanitizer: heap-buffer-overflow in parse".
func sanitizerFault(stderr string) string {
	if m := runtimeLine.FindStringSubmatch(stderr); m != nil && !headLine.MatchString(stderr) {
		what, _, _ := strings.Cut(m[3], ":")
		return "UndefinedBehaviorSanitizer: " + number.ReplaceAllString(what, "N") + " at " +
			path.Base(m[1]) + ":" + m[2]
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
	if _, freed, ok := strings.Cut(stderr, "freed by thread"); ok && strings.HasSuffix(what, "use-after-free") {
		if frame := topFrame(freed); frame != "" { // one free, many possible uses
			return kind + ": " + what + ", freed in " + frame
		}
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

// topFrame returns the function of the first frame that is in the program, not in the
// sanitizer or the C library.
func topFrame(stderr string) string {
	for _, m := range frameLine.FindAllStringSubmatch(stderr, -1) {
		name, place := m[1], m[2]
		if strings.HasPrefix(name, "__") || strings.Contains(place, "libsanitizer") ||
			strings.Contains(place, "sysdeps") ||
			strings.Contains(place, "sanitizer_common") || libraryFunctions[name] {
			continue
		}
		return name
	}
	return ""
}

// libraryFunctions are frames of sanitizers with the names of the functions that they replace.
var libraryFunctions = map[string]bool{
	"malloc": true, "calloc": true, "realloc": true, "free": true, "memcpy": true, "memmove": true, "memset": true,
	"strlen": true, "strcmp": true, "strcpy": true, "strncpy": true, "strdup": true, "printf": true,
	"raise": true, "abort": true,
}
