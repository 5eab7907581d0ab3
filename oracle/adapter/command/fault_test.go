package command

import (
	"strings"
	"testing"

	"github.com/picaproof/picaproof/oracle/adapter"
)

// TestFault: the report of a sanitizer is named by its kind and the top frame of the program, a
// panic by its function or place.
func TestFault(t *testing.T) {
	for name, c := range map[string]struct{ stderr, want string }{
		"asan": {`==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000014 at pc 0x55
READ of size 1 at 0x602000000014 thread T0
    #0 0x7f07 in __interceptor_memcpy ../../../../src/libsanitizer/x.inc:799
    #1 0x55b0c82fe25d in read_table /src/a.c:12
    #2 0x55b0c82fe25d in main /src/a.c:31
SUMMARY: AddressSanitizer: heap-buffer-overflow ../../../../src/libsanitizer/x.inc:799 in __interceptor_memcpy`,
			"AddressSanitizer: heap-buffer-overflow in read_table"},
		"asan, use after free": {
			`==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x55
READ of size 1 at 0x602000000010 thread T0
    #0 0x55b0c82fe25d in touch /src/a.c:12
    #1 0x55b0c82fe25d in main /src/a.c:31
0x602000000010 is located 0 bytes inside of 4-byte region [0x602000000010,0x602000000014)
freed by thread T0 here:
    #0 0x7f07 in __interceptor_free ../../../../src/libsanitizer/x.cpp:52
    #1 0x55b0c82fe25d in release /src/a.c:7
previously allocated by thread T0 here:
    #0 0x7f07 in __interceptor_malloc ../../../../src/libsanitizer/x.cpp:69
    #1 0x55b0c82fe25d in load /src/a.c:3
SUMMARY: AddressSanitizer: heap-use-after-free /src/a.c:12 in touch`,
			"AddressSanitizer: heap-use-after-free, freed in release"},
		"asan, signal": {`AddressSanitizer:DEADLYSIGNAL
==9==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000
    #0 0x401 in parse(unsigned char*) /src/b.cpp:7
SUMMARY: AddressSanitizer: SEGV /src/b.cpp:7 in parse`, "AddressSanitizer: SEGV in parse(unsigned"},
		"end of a long report": {
			"...\nSUMMARY: AddressSanitizer: stack-overflow /src/b.c:7 in walk\n",
			"AddressSanitizer: stack-overflow in walk"},
		"ubsan": {
			"src/c.c:41:9: runtime error: shift exponent 40 is too large for 32-bit type 'int'\n",
			"UndefinedBehaviorSanitizer: shift exponent N is too large for N-bit type 'int' at c.c:41"},
		"lsan": {`==3==ERROR: LeakSanitizer: detected memory leaks
Direct leak of 8 byte(s) in 1 object(s) allocated from:
    #0 0x7f in __interceptor_malloc ../x.cpp:69
    #1 0x55 in load /src/a.c:3
SUMMARY: AddressSanitizer: 8 byte(s) leaked in 1 allocation(s).`, "LeakSanitizer: leak in load"},
		"msan": {`==5==WARNING: MemorySanitizer: use-of-uninitialized-value
    #0 0x4a in header /src/a.c:5:7
SUMMARY: MemorySanitizer: use-of-uninitialized-value /src/a.c:5:7 in header`,
			"MemorySanitizer: use-of-uninitialized-value in header"},
		"tsan": {`WARNING: ThreadSanitizer: data race (pid=7)
  Write of size 4 at 0x7b04 by thread T1:
    #0 0x4a in worker /src/t.c:5
SUMMARY: ThreadSanitizer: data race /src/t.c:5 in worker`, "ThreadSanitizer: data race in worker"},
		"go": {
			"panic: runtime error: index out of range [3] with length 2\n\ngoroutine 1 [running]:\n" +
				"main.(*parser).table(...)\n" +
				"\t/src/main.go:9\nmain.main()\n\t/src/main.go:17 +0x1d\nexit status 2\n",
			"panic in main.(*parser).table"},
		"go, by the runtime": {
			"panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nruntime.mapassign()\n" +
				"\t/go/map.go:1 +0x1\n" +
				"main.add(0x1)\n\t/src/main.go:9 +0x2\n", "panic in main.add"},
		"rust": {
			"thread 'main' panicked at src/main.rs:12:34:\nindex out of bounds\nnote: run with `RUST_BACKTRACE=1`\n",
			"panic at src/main.rs:12"},
		"rust before 1.73": {
			"thread 'main' panicked at 'index out of bounds', src/main.rs:12:34\n", "panic at src/main.rs:12"},
		"words":   {"error: panic: line 3\nfatal error: x.h: No such file\n", ""},
		"nothing": {"refused: magic\n", ""},
	} {
		if got := fault(c.stderr); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestFaultLine: the message of a crash is the line that names it, not an earlier line.
func TestFaultLine(t *testing.T) {
	rule := strings.Repeat("=", 65) + "\n"
	for _, c := range []struct{ stderr, want string }{
		{rule + "==7==ERROR: AddressSanitizer: stack-overflow on address 0x7f\n    #0 0x5 in f /src/a.c:1\n",
			"ERROR: AddressSanitizer: stack-overflow on address 0x7f"},
		{rule + "WARNING: ThreadSanitizer: data race (pid=7)\n", "WARNING: ThreadSanitizer: data race (pid=7)"},
		{"reading\nsrc/c.c:41:9: runtime error: division by zero\n",
			"src/c.c:41:9: runtime error: division by zero"},
		{"...\nSUMMARY: AddressSanitizer: stack-overflow /src/b.c:7 in walk\n",
			"SUMMARY: AddressSanitizer: stack-overflow /src/b.c:7 in walk"},
		{"reading\npanic: no\n\ngoroutine 1 [running]:\nmain.main()\n", "panic: no"},
		{"reading\nthread 'main' panicked at src/main.rs:12:34:\nindex out of bounds\n",
			"thread 'main' panicked at src/main.rs:12:34:"},
	} {
		end := EndOf(&adapter.Exit{Kind: "exit", Message: "1", Stderr: c.stderr})
		if end.Outcome != Crashed || end.Message != c.want {
			t.Errorf("%q: got %v, %q, want %q", c.stderr, end.Outcome, end.Message, c.want)
		}
	}
}
