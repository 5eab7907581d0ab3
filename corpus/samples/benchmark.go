package samples

import (
	"encoding/json"
	"math"
	"math/bits"
	"path"
	"strconv"
	"strings"
)

// A Benchmark is a program with many input vertices. bench/README.md describes the file and the
// checksum.
type Benchmark struct {
	Name     string
	JSON     []byte            // a job as in the adapter protocol, and the rules of its input vertices
	Checksum map[string]uint64 // of all outputs, by profile: hw, f24, and f32 where that profile runs the program
}

// checksums has the checksums of hw and f24. The checksums of f32 are in the files, except where
// the recorded one has the errors of a C library.
var checksums = map[string]map[string]uint64{
	"a_minimal":   {"hw": 0xef8766067d3b5aca, "f24": 0xef8766067d3b5aca},
	"b_mvp":       {"hw": 0x03d007740543097f, "f24": 0x1f0af8ff256a1cfc},
	"c_skin_lit":  {"hw": 0xec862fc24a3e4dbf, "f24": 0xcad35be79718da6f},
	"d_loop":      {"hw": 0x61094d7dfed93320, "f24": 0xfee20089404e7621},
	"e_branch":    {"hw": 0xfc737addf2775b11, "f24": 0x8ee19621ab7a795c},
	"f_transc":    {"hw": 0xd3108128ba7af566, "f24": 0x3c1291d5d8cab7ac, "f32": 0xfbd0ef3dd7bbdac9},
	"g_mix":       {"hw": 0xa7292264eefc41da, "f24": 0x2ee6de8ca3f1c0fc},
	"g2_litp_dst": {"hw": 0x04610342381d325a, "f24": 0xecbd57a8a71e3794},
}

// Benchmarks returns the programs in the order of their names.
func Benchmarks(t T) (list []Benchmark) {
	t.Helper()
	for _, file := range Glob(t, "bench/*.json") {
		b := Benchmark{Name: strings.TrimSuffix(path.Base(file), ".json"), JSON: Read(t, file),
			Checksum: map[string]uint64{}}
		var recorded struct {
			F32 string `json:"checksum_float32"`
		}
		if err := json.Unmarshal(b.JSON, &recorded); err != nil {
			t.Fatalf("samples: %s: %v", file, err)
		}
		if sum, err := strconv.ParseUint(recorded.F32, 16, 64); err == nil {
			b.Checksum["f32"] = sum
		}
		for profile, sum := range checksums[b.Name] {
			b.Checksum[profile] = sum
		}
		list = append(list, b)
	}
	return list
}

// Inputs makes the input vertices of a benchmark: for each vertex, float32 patterns of the registers from v0 on.
func Inputs[V ~[4]uint32](t T, b Benchmark) [][]V {
	t.Helper()
	var rules struct {
		Gen struct {
			Seed  uint32
			Count int
			Regs  [][4][3]any // kind, low, high
		}
	}
	if err := json.Unmarshal(b.JSON, &rules); err != nil {
		t.Fatalf("samples: %s: %v", b.Name, err)
	}
	x := rules.Gen.Seed
	list := make([][]V, rules.Gen.Count)
	for i := range list {
		list[i] = make([]V, len(rules.Gen.Regs))
		for k, register := range rules.Gen.Regs {
			for c, rule := range register {
				low, high := rule[1].(float64), rule[2].(float64)
				v := low
				if rule[0] != "c" {
					x ^= x << 13
					x ^= x >> 17
					x ^= x << 5
					v += float64((high - low) * (float64(x>>8) / (1 << 24)))
				}
				if rule[0] == "i" {
					v = math.Floor(v)
				}
				list[i][k][c] = math.Float32bits(float32(v)) &^ 0x7F
			}
		}
	}
	return list
}

// Fold adds an output register, as float32 patterns, to a checksum.
func Fold[V ~[4]uint32](c uint64, v V) uint64 {
	return bits.RotateLeft64(c, 1) ^ (uint64(v[0]) | uint64(v[1])<<32) ^ (uint64(v[2]) | uint64(v[3])<<32)
}
