package jsonstream_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/picaproof/picaproof/corpus"
	"github.com/picaproof/picaproof/formats/registry"
	"github.com/picaproof/picaproof/internal/jsonstream"
)

type embedded struct {
	A int `json:"a"`
	b int
}

type odd struct {
	embedded
	Text    string          `json:"text,omitempty"`
	List    []int           `json:"list"`
	None    []string        `json:"none"`
	Bytes   []byte          `json:"bytes"`
	Array   [2]uint8        `json:"array"`
	Map     map[string]any  `json:"map,omitempty"`
	Numbers map[int]string  `json:"numbers"`
	Raw     json.RawMessage `json:"raw"`
	Next    *odd            `json:"next,omitempty"`
	Any     any             `json:"any"`
	Quoted  int             `json:"-"`
	Empty   struct{}        `json:"empty,omitempty"`
	Nested  []map[string][]int
	Float   float64 `json:"float,omitempty"`
	Flag    bool    `json:"flag,omitempty"`
}

func encoded(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func same(t *testing.T, name string, v any) {
	t.Helper()
	var b bytes.Buffer
	if err := jsonstream.Encode(&b, v); err != nil || b.String() != encoded(t, v) {
		t.Errorf("%s: %v\ngot  %.2000s\nwant %.2000s", name, err, b.String(), encoded(t, v))
	}
}

// TestEncode: the bytes are those of encoding/json.
func TestEncode(t *testing.T) {
	full := &odd{embedded: embedded{1, 2}, Text: "<&>\u2028\x00", List: []int{}, Bytes: []byte{1},
		Map: map[string]any{"z": nil, "a<": []any{1, "x"}, "e": map[string]any{}}, Numbers: map[int]string{3: "c", -1: "d"},
		Raw: json.RawMessage(`{"x":[1,{}],"y":{}}`), Next: &odd{Raw: json.RawMessage("null")}, Any: [][]int{{}, {1}, nil},
		Nested: []map[string][]int{nil, {}, {"k": {1, 2}}}, Float: 1e30, Flag: true}
	for name, v := range map[string]any{"full": full, "value": *full, "zero": odd{Raw: json.RawMessage("0")}, "nil": nil,
		"nil pointer": (*odd)(nil), "string": "s", "list": []any{nil, 1.5, "x"}, "quoted": struct {
			N int `json:"n,string"`
		}{1}} {
		same(t, name, v)
	}
	if err := jsonstream.Encode(new(bytes.Buffer), []any{func() {}}); err == nil {
		t.Error("a function has JSON")
	}
	full2 := errors.New("full")
	if err := jsonstream.Encode(failing{full2}, full); !errors.Is(err, full2) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ error }

func (f failing) Write([]byte) (int, error) { return 0, f.error }

// TestModels: the model, the regions and the findings of each file of the corpus.
func TestModels(t *testing.T) {
	for format := range registry.All() {
		list, err := corpus.Vectors(format.Name)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, v := range list {
			outline := format.Outline(v.Data)
			same(t, v.Name, &outline)
			doc, err := format.Parse(v.Data)
			if err != nil {
				continue
			}
			n++
			same(t, v.Name, doc.Model())
			same(t, v.Name, doc.Regions())
		}
		if n == 0 {
			t.Errorf("%s: no file", format.Name)
		}
	}
}
