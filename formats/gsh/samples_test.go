package gsh_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/picaproof/picaproof/formats/gsh"
	"github.com/picaproof/picaproof/formats/gx2"
	"github.com/picaproof/picaproof/formats/internal/formattest"
)

// sampleInfo is what the manifest says about a sample. Tables are lists of mixed
// values, compared as JSON.
type sampleInfo struct {
	SHA256     string       `json:"sha256"`
	Size       int          `json:"size"`
	Canonical  *bool        `json:"canonical"` // null: the file has no canonical form
	Style      string       `json:"style"`
	Align      uint32       `json:"align"`
	BlockList  [][5]int     `json:"block_list"` // type, offset, data size, id, index
	Shaders    []shaderInfo `json:"shaders"`
	Findings   []string     `json:"findings"`
	FindingsAt [][2]any     `json:"findings_at"` // in order
}

type shaderInfo struct {
	Type       string   `json:"type"`
	Mode       int      `json:"mode"`
	HeaderAt   int      `json:"header_at"`
	HeaderSize int      `json:"header_size"`
	DataSize   int      `json:"data_size"`
	TextAt     int      `json:"text_at"`
	CodeAt     int      `json:"code_at"`
	Code       int      `json:"code"`
	CopyAt     int      `json:"copy_at"`
	Copy       int      `json:"copy"`
	Ring       uint32   `json:"ring"`
	StreamOut  any      `json:"stream_out"`
	Patches    []string `json:"patches"`
	Blocks     any      `json:"blocks"`
	Uniforms   any      `json:"uniforms"`
	Loops      any      `json:"loops"`
	Samplers   any      `json:"samplers"`
	Attributes any      `json:"attributes"`
}

// TestSamples compares findings, model and both written forms of every sample
// with its manifest.
func TestSamples(t *testing.T) {
	var manifest map[string]sampleInfo
	formattest.JSON(t, "gsh/manifest.json", &manifest)
	if len(manifest) != 5 {
		t.Errorf("%d samples, want 5", len(manifest))
	}
	for name, want := range manifest {
		t.Run(name, func(t *testing.T) {
			b := sample(t, name)
			format.Agree(t, b)
			got := describe(t, b, want.Canonical)
			if diff := cmp.Diff(formattest.Normal(t, want), formattest.Normal(t, got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			format.JSON(t, b)
		})
	}
}

// describe says about a file what the manifest says.
func describe(t *testing.T, b []byte, canonical *bool) sampleInfo {
	t.Helper()
	f := mustParse(t, b)
	sum := sha256.Sum256(b)
	info := sampleInfo{SHA256: hex.EncodeToString(sum[:]), Size: len(b), Style: f.Style.String(), Align: f.Align,
		Findings: []string{}, FindingsAt: [][2]any{}}
	form, err := f.Canonical().AppendBinary(nil)
	switch {
	case (err == nil) != (canonical != nil):
		t.Errorf("canonical form: %v", err)
	case err == nil:
		same := bytes.Equal(form, b)
		info.Canonical = &same
	}
	findings := plain(gsh.Check(b))
	for i, x := range findings {
		id := formattest.IDs(findings)[i]
		info.FindingsAt = append(info.FindingsAt, [2]any{id, x.Off})
		info.Findings = append(info.Findings, id)
	}
	slices.Sort(info.Findings)
	info.Findings = slices.Compact(info.Findings)
	at, shader := 0x20, 0
	ends := map[gx2.Type]*shaderInfo{}
	for i := range f.Shaders {
		info.Shaders = append(info.Shaders, describeShader(&f.Shaders[i]))
	}
	for _, block := range f.Layout.Blocks {
		size := int(binary.BigEndian.Uint32(b[at+0x14:]))
		info.BlockList = append(info.BlockList, [5]int{int(block.Type), at, size, int(block.ID), int(block.Index)})
		switch data := at + 0x20; block.Type {
		case gsh.VertexHeader, gsh.PixelHeader, gsh.GeometryHeader:
			s := &info.Shaders[shader]
			ends[f.Shaders[shader].Type] = s
			s.HeaderAt, s.HeaderSize = data, size
			shader++
		case gsh.VertexProgram:
			ends[gx2.Vertex].CodeAt = data
		case gsh.PixelProgram:
			ends[gx2.Pixel].CodeAt = data
		case gsh.GeometryProgram:
			ends[gx2.Geometry].CodeAt = data
		case gsh.CopyProgram:
			ends[gx2.Geometry].CopyAt = data
		}
		at += 0x20 + size
	}
	return info
}

func describeShader(s *gsh.Shader) shaderInfo {
	d := shaderInfo{
		Type: s.Type.String(), Mode: int(s.Mode), DataSize: int(s.Layout.Size), TextAt: int(s.Slack.TextOffset),
		Code: len(s.Code), Copy: len(s.CopyCode), Patches: []string{},
	}
	if s.Type != gx2.Pixel {
		d.Ring = s.Stream.RingItemSize
		d.StreamOut = []any{s.Stream.Enabled, s.Stream.Strides}
	}
	for _, p := range s.Slack.Patches {
		d.Patches = append(d.Patches, fmt.Sprintf("%08X", p))
	}
	d.Blocks = formattest.Rows(s.Blocks, func(x gx2.UniformBlock) []any { return []any{x.Name, x.Location, x.Size} })
	d.Uniforms = formattest.Rows(s.Uniforms,
		func(x gx2.UniformVar) []any { return []any{x.Name, x.Type, x.Count, x.Offset, x.Block} })
	d.Loops = formattest.Rows(s.Loops, func(x gx2.LoopVar) []any {
		return []any{binary.BigEndian.Uint32(x[:]), binary.BigEndian.Uint32(x[4:])}
	})
	d.Samplers = formattest.Rows(s.Samplers, func(x gx2.SamplerVar) []any { return []any{x.Name, x.Type, x.Location} })
	d.Attributes = formattest.Rows(s.Attributes,
		func(x gx2.AttribVar) []any { return []any{x.Name, x.Type, x.Count, x.Location} })
	return d
}

// TestMutations runs the one-fault files, which say at which offset a finding is;
// the offsets of the rules of shaders are here.
func TestMutations(t *testing.T) {
	format.Mutations(t, "gsh", func(formattest.Mutation) bool { return true }, map[string]int{
		"g112": 0x178, // name that is the record itself
		"g114": 0x174, // pointer to the name whose NUL is gone
		"g121": 0x174, // pointer to the name that is empty now
		"g123": 0x1D9, // start of the name inside another
		"g124": 0x138, // pointer to the loop variables that moved
	})
}
