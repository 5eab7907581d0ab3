package foreign_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/formats/shbin"
	"github.com/picaproof/picaproof/fuzz/target/foreign"
)

// Targets of our own parser, as an outsider would write them.

func FuzzReader(f *testing.F) {
	foreign.Reader(f, "shbin", func(b []byte) error { _, err := shbin.Parse(b); return err })
}

func FuzzRoundTrip(f *testing.F) {
	foreign.RoundTrip(f, "shbin", func(b []byte) (*shbin.File, error) { return shbin.Parse(b) },
		func(v *shbin.File) ([]byte, error) { return v.AppendBinary(nil) })
}

// FuzzBroken runs a parser or writer with the fault that the environment names, if any.
func FuzzBroken(f *testing.F) {
	parse := func(b []byte) (*shbin.File, error) { return shbin.Parse(b) }
	write := func(v *shbin.File) ([]byte, error) { return v.AppendBinary(nil) }
	switch os.Getenv("FOREIGN_FAULT") {
	case "accepts":
		foreign.Reader(f, "shbin", func([]byte) error { return nil })
	case "refuses":
		foreign.Reader(f, "shbin", func([]byte) error { return errors.New("no") })
	case "grows":
		foreign.RoundTrip(f, "shbin", parse, func(v *shbin.File) ([]byte, error) {
			b, err := write(v)
			return append(b, 0, 0, 0, 0), err
		})
	default:
		foreign.RoundTrip(f, "shbin", parse, write)
	}
}

// TestFaultsAreFound: a target fails on its seeds where the parser is wrong.
func TestFaultsAreFound(t *testing.T) {
	for fault, want := range map[string]string{
		"accepts": "accepts a file that breaks DVL", "refuses": "refuses a valid file: no",
		"grows": "a second save changes the file",
	} {
		cmd := exec.Command(os.Args[0], "-test.run=^FuzzBroken$")
		cmd.Env = append(os.Environ(), "FOREIGN_FAULT="+fault)
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, without %q", fault, err, want)
		}
	}
}
