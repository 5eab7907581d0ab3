package samples

import (
	"encoding/json"
	"path"
	"strconv"
	"strings"
)

// A Benchmark is a program with many input vertices. bench/README.md describes the file and the
// checksum.
type Benchmark struct {
	Name     string
	JSON     []byte            // a job of the adapter protocol, and the rules of its input vertices
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
