package pica_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/pica"
)

func named(name string) (pica.Profile, error) { return pica.Profile{Name: name}, nil }

// TestJobAsProtocolObject freezes the JSON form of a job.
func TestJobAsProtocolObject(t *testing.T) {
	job := &pica.Job{
		Program: pica.Program{Code: []uint32{0x4C000000, 0x88000000}, Descriptors: []uint32{0x0D86C36F}},
		Entry:   1, Stage: pica.Geometry, OutMask: 0x8001,
		Floats: []pica.Upload{
			{Register: 4, Format: pica.Float32, Values: []pica.Vec4{{0x3F800000, 0, 0, 1}, {2, 3, 4, 5}}},
			{Register: 5, Format: pica.Float24, Values: []pica.Vec4{{0x3F0000, 0, 0, 0x800000}}},
			// c96 does not exist
			{Register: 95, Format: pica.Float32, Values: []pica.Vec4{{1, 1, 1, 1}, {9, 9, 9, 9}}},
		},
		Ints: [4][4]uint8{{3, 0, 1, 255}}, Bools: 5, Keep: true, Budget: 7,
		Vertices: [][]pica.Vec4{{{0x3F800000, 0x40000000, 0, 0}}, nil},
		Profile:  pica.Profile{Name: "hw,round=rne"}, InputFormat: pica.Float32,
	}
	const want = `{"code":"4c00000088000000","desc":"0d86c36f","entry":1,"stage":"gs","outmask":32769,` +
		`"f32":{"4":"3f800000000000000000000000000001","95":"00000001000000010000000100000001"},` +
		`"f24":{"5":"3f0000000000000000800000"},` +
		`"i":["030001ff","00000000","00000000","00000000"],"b":5,` +
		`"in":["3f800000400000000000000000000000",""],"keep":true,"profile":"hw,round=rne","budget":7}`
	got, err := json.Marshal(job)
	if err != nil || string(got) != want {
		t.Fatalf("got  %s, %v\nwant %s", got, err, want)
	}
	back, err := pica.ParseJob(got, named)
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(back)
	if err != nil || string(again) != want {
		t.Errorf("after parsing: got  %s, %v\nwant %s", again, err, want)
	}
}

// TestParseJobDefaults: absent fields have the protocol's defaults.
func TestParseJobDefaults(t *testing.T) {
	got, err := pica.ParseJob([]byte(`{"code":"88000000"}`), named)
	want := &pica.Job{Program: pica.Program{Code: []uint32{0x88000000}, Descriptors: []uint32{}}, OutMask: 0xFFFF,
		InputFormat: pica.Float32}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v; want %+v", got, err, want)
	}
}

// TestParseJobRefuses names the field at fault.
func TestParseJobRefuses(t *testing.T) {
	for _, c := range []struct{ json, want string }{
		{`[]`, "job: json"},
		{`{"code":"8800000"}`, "job: code: 7 hex digits"},
		{`{"code":"8800000g"}`, "job: code: \"8800000g\""},
		{`{"code":"+8000000"}`, "job: code: \"+8000000\""},
		{`{"code":"","desc":"1"}`, "job: desc"},
		{`{"code":"","stage":"ps"}`, "job: stage"},
		{`{"code":"","f32":{"x":""}}`, "job: f32: \"x\""},
		{`{"code":"","f32":{"-1":""}}`, "job: f32: \"-1\""},
		{`{"code":"","f24":{"0":"3f0000"}}`, "job: f24: 1 components"},
		{`{"code":"","i":["00","","","",""]}`, "job: i: 5 values"},
		{`{"code":"","i":["00"]}`, "job: i: \"00\""},
		{`{"code":"","in":["00"]}`, "job: in"},
		{`{"code":"","in":[""],"in_f24":[""]}`, "job: in_f24"},
		{`{"code":"","outmask":65536}`, "job: json"},
	} {
		_, err := pica.ParseJob([]byte(c.json), named)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s...", c.json, err, c.want)
		}
	}
}
