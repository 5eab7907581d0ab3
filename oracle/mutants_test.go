package oracle_test

import (
	"fmt"
	"testing"

	"github.com/picaproof/picaproof/oracle"
	"github.com/picaproof/picaproof/pica"
)

// suite judges the arithmetic of an engine: programs and points with known
// results, then short operand streams against hashes of the intact oracle,
// which itself is held to the golden hashes.
func suite(engine pica.Engine, streams map[string]uint64) (string, error) {
	if err := checkPoints(engine); err != nil {
		return "points", err
	}
	if err := checkPrograms(engine); err != nil {
		return "programs", err
	}
	err := eachStream(func(name string, profile pica.Profile, op operation, normal bool) error {
		got, err := stream(engine, profile, op, normal, 2000)
		if err == nil && got != streams[name] {
			err = fmt.Errorf("%s: got %016x, want %016x", name, got, streams[name])
		}
		return err
	})
	return "streams", err
}

func eachStream(f func(name string, profile pica.Profile, op operation, normal bool) error) error {
	for _, op := range operations {
		for _, p := range []pica.Profile{f24, hw, f32} {
			for _, normal := range []bool{false, true} {
				if err := f(fmt.Sprintf("%s/%s/normal=%v", op.name, p.Name, normal), p, op, normal); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// TestMutants breaks every rule of the arithmetic once; the suite must notice
// each, and nothing else.
func TestMutants(t *testing.T) {
	streams := map[string]uint64{}
	intact := oracle.New()
	check(t, eachStream(func(name string, p pica.Profile, op operation, normal bool) (err error) {
		streams[name], err = stream(intact, p, op, normal, 2000)
		return err
	}))
	if part, err := suite(intact, streams); err != nil {
		t.Fatalf("the intact oracle fails the %s: %v", part, err)
	}
	by := map[string]int{}
	for i := range oracle.Mutants {
		m := &oracle.Mutants[i]
		part, err := suite(m.New(), streams)
		if err == nil {
			t.Errorf("%s: survives", m.Name)
			continue
		}
		by[part]++
	}
	t.Logf("%d mutants, killed by %v", len(oracle.Mutants), by)
}
