//go:build linux || darwin

package adapter_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/picaproof/picaproof/internal/testmain"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/oracle/impl"
	"github.com/picaproof/picaproof/oracle/profile"
)

// TestMain makes the test binary an adapter if its first argument is "hostile"; the second
// names a mode.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "hostile" {
		hostile(os.Args[2])
		os.Exit(0)
	}
	testmain.Run(m)
}

// hostileModes are adapters that break the protocol, each in its own way, on request number n,
// counted from 1, info requests included. The oracle answers the requests that the mode does
// not.
var hostileModes = map[string]func(n int, line []byte, answer func([]byte) []byte){
	"good":       func(int, []byte, func([]byte) []byte) {},
	"hangs":      func(int, []byte, func([]byte) []byte) { hang() },
	"hangs-once": func(n int, _ []byte, _ func([]byte) []byte) { hangIf(isRun && firstTime()) },
	"spins-once": func(int, []byte, func([]byte) []byte) {
		if isRun && firstTime() {
			for {
				runtime.Gosched()
			}
		}
	},
	"hurries": func(_ int, line []byte, _ func([]byte) []byte) {
		hangIf(bytes.Contains(line, []byte(`"timeout_ms":77}`)))
	},
	"floods": func(int, []byte, func([]byte) []byte) { flood(os.Stdout) },
	"floods-lines": func(int, []byte, func([]byte) []byte) {
		_, _ = io.Copy(os.Stdout, io.LimitReader(repeated('\n'), 1<<30))
	},
	"floods-stderr": func(n int, _ []byte, _ func([]byte) []byte) {
		if n == 2 {
			_, _ = io.Copy(os.Stderr, io.LimitReader(repeated('e'), 1<<26))
		}
	},
	"closes-stdout": func(int, []byte, func([]byte) []byte) { os.Stdout.Close(); time.Sleep(time.Hour) },
	"closes-stdout-exits": func(int, []byte, func([]byte) []byte) {
		os.Stdout.Close()
		time.Sleep(700 * time.Millisecond)
		os.Exit(4)
	},
	"says-and-dies": func(int, []byte, func([]byte) []byte) {
		if isRun {
			say("Assertion failed: false")
			crash()
		}
	},
	"says-and-stays": func(int, []byte, func([]byte) []byte) {
		if isRun {
			say("Press any key")
			hang()
		}
	},
	"says-and-exits": func(int, []byte, func([]byte) []byte) {
		if isRun {
			say("Thank you, and goodbye")
			os.Exit(0)
		}
	},
	"ignores-sigterm": func(int, []byte, func([]byte) []byte) {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
		hang()
	},
	"forks": func(n int, line []byte, _ func([]byte) []byte) {
		child := exec.Command(os.Args[0], "hostile", "sleeps")
		child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		crash()
	},
	"garbage":    func(int, []byte, func([]byte) []byte) { say("Loading core... done") },
	"another-id": func(_ int, line []byte, answer func([]byte) []byte) { saySwapped(answer(line), `"id":`, `"id":9`) },
	"nan": func(_ int, line []byte, answer func([]byte) []byte) {
		saySwapped(answer(line), `"o":"`, `"o":NaN,"x":"`)
	},
	"talks-within": func(_ int, line []byte, answer func([]byte) []byte) {
		saySwapped(answer(line), `"r":`, `"r":Warning: slow path`)
	},
	"nan-in-digits": func(_ int, line []byte, answer func([]byte) []byte) {
		saySwapped(answer(line), `"o":"3f8`, `"o":"NaN`)
	},
	"short-bank": func(_ int, line []byte, answer func([]byte) []byte) {
		saySwapped(answer(line), `"o":"3f8`, `"o":"`)
	},
	"no-vertices": func(_ int, line []byte, answer func([]byte) []byte) {
		saySwapped(answer(line), `"out":[`, `"out":[],"x":[`)
	},
	"crashes-10th": func(n int, _ []byte, _ func([]byte) []byte) { crashIf(n%10 == 0) },
	"crashes-on-b0": func(_ int, line []byte, _ func([]byte) []byte) {
		crashIf(bytes.Contains(line, []byte(`"b":1`)))
	},
	"crashes-late": func(n int, line []byte, _ func([]byte) []byte) {
		crashIf(damagedAt > 0 && n >= damagedAt+3)
		if bytes.Contains(line, []byte(`"b":2`)) {
			damagedAt = n
		}
	},
	"hangs-50th":  func(n int, _ []byte, _ func([]byte) []byte) { hangIf(n%50 == 0) },
	"asserts":     func(n int, line []byte, _ func([]byte) []byte) { refuse(line, `"b":1`, "assert", true) },
	"unsupported": func(n int, line []byte, _ func([]byte) []byte) { refuse(line, `"b":1`, "unsupported", false) },
	"traps":       func(n int, line []byte, _ func([]byte) []byte) { refuse(line, `"b":1`, "trap", true) },
	"own-timeout": func(n int, line []byte, _ func([]byte) []byte) { answerStatus(line, `"status":"timeout"`) },
	"own-crash": func(n int, line []byte, _ func([]byte) []byte) {
		answerStatus(line, `"status":"crash","signal":"SIGBUS"`)
	},
	"bad-status": func(n int, line []byte, _ func([]byte) []byte) { answerStatus(line, `"status":"fine"`) },
	"slow-start": func(n int, _ []byte, _ func([]byte) []byte) { sleepIf(n == 1, 700*time.Millisecond) },
	"twice": func(n int, line []byte, answer func([]byte) []byte) {
		say(strings.TrimSpace(string(answer(line))))
	},
	"half-line": func(n int, line []byte, answer func([]byte) []byte) { half(answer(line)); hangIf(isRun) },
	"half-line-exit": func(n int, line []byte, answer func([]byte) []byte) {
		if half(answer(line)); isRun {
			os.Exit(3)
		}
	},
	"dies-on-info": func(n int, line []byte, _ func([]byte) []byte) {
		crashIf(bytes.Contains(line, []byte(`"info"`)))
	},
	"different": func(n int, line []byte, answer func([]byte) []byte) {
		saySwapped(answer(line), `"o":"3f8`, fmt.Sprintf(`"o":"%03x`, (os.Getpid()+n)&0xFFF))
	},
}

var (
	isRun     bool // the request is a job
	replied   bool // the mode answered
	damagedAt int
	out       = bufio.NewWriter(os.Stdout)
)

// hostile serves a mode.
func hostile(mode string) {
	switch mode {
	case "exits":
		return
	case "vm":
		serveVM()
		return
	case "sleeps":
		time.Sleep(time.Hour)
	}
	p, err := profile.Parse("f24")
	if err != nil {
		panic(err)
	}
	s := &adapter.Server{Engine: impl.New(), Profile: p, Resolve: profile.Parse}
	answer := func(line []byte) []byte {
		var b bytes.Buffer
		if err := s.Serve(bytes.NewReader(line), &b); err != nil {
			panic(err)
		}
		return b.Bytes()
	}
	behave := hostileModes[mode]
	in := bufio.NewReader(os.Stdin)
	var held [][]byte
	for n := 1; ; n++ {
		line, err := in.ReadBytes('\n')
		if err != nil {
			out.Flush()
			return
		}
		isRun, replied = !bytes.Contains(line, []byte(`"info"`)), false
		switch mode {
		case "out-of-order": // answers requests that came together in reverse order
			if held = append(held, answer(line)); in.Buffered() == 0 {
				for k := range held {
					out.Write(held[len(held)-1-k])
				}
				held = held[:0]
				out.Flush()
			}
			continue
		case "holds-back": // like a C program that flushes only when it waits
			crashIf(bytes.Contains(line, []byte(`"b":1`)))
			if out.Write(answer(line)); in.Buffered() == 0 {
				out.Flush()
			}
			continue
		}
		if behave(n, line, answer); !replied {
			out.Write(answer(line))
			out.Flush()
		}
		if mode == "twice" {
			out.Write(answer(line))
			out.Flush()
		}
	}
}

func crash() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	hang()
}

// hang does nothing, in a way that the runtime does not report as a deadlock.
func hang() { time.Sleep(time.Hour) }

func crashIf(yes bool) {
	if yes {
		fmt.Fprintln(os.Stderr, "about to crash")
		crash()
	}
}

func hangIf(yes bool) {
	if yes {
		hang()
	}
}

func sleepIf(yes bool, d time.Duration) {
	if yes {
		time.Sleep(d)
	}
}

// firstTime reports whether no process has called it before. Processes share a file, which the
// third argument names.
func firstTime() bool {
	f, err := os.OpenFile(os.Args[3], os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		f.Close()
	}
	return err == nil
}

func flood(w io.Writer) { _, _ = io.Copy(w, io.LimitReader(repeated('x'), 1<<30)) }

func say(line string) {
	fmt.Fprintln(out, line)
	out.Flush()
	replied = true
}

// saySwapped replies to jobs with the first old replaced, to others in order.
func saySwapped(reply []byte, old, replacement string) {
	if isRun {
		say(strings.TrimSpace(strings.Replace(string(reply), old, replacement, 1)))
	}
}

func half(reply []byte) {
	if !isRun {
		say(strings.TrimSpace(string(reply)))
		return
	}
	os.Stdout.Write(reply[:len(reply)/2])
}

func idOf(line []byte) string {
	_, rest, _ := strings.Cut(string(line), `"id":`)
	n, _, _ := strings.Cut(rest, ",")
	return n
}

// broken is set by a refusal that leaves the adapter broken.
var broken bool

// refuse refuses jobs that have a text in them, and crashes on the next request if that
// breaks it.
func refuse(line []byte, text, kind string, breaks bool) {
	crashIf(broken)
	if bytes.Contains(line, []byte(text)) {
		say(`{"id":` + idOf(line) + `,"status":"error","kind":"` + kind + `","msg":"hang"}`)
		broken = breaks
	}
}

func answerStatus(line []byte, status string) {
	if isRun {
		say(`{"id":` + idOf(line) + `,` + status + `}`)
	}
}
