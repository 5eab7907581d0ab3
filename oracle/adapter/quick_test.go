package adapter_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/picaproof/picaproof/fuzz/gen"
	"github.com/picaproof/picaproof/oracle/adapter"
	"github.com/picaproof/picaproof/pica"
)

// TestRequests: the JSON library reads a request of the hand-written encoder as the job that was
// sent.
func TestRequests(t *testing.T) {
	var g gen.Generator
	f24 := func(string) (pica.Profile, error) { return pica.Profile{}, nil }
	for n := range uint64(2000) {
		sent := *adapter.AsSent(g.Job(gen.Seed(2, n), gen.Modes[n%uint64(len(gen.Modes))]))
		sent.Profile = pica.Profile{}
		want, err := sent.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var q adapter.Request
		if err := json.Unmarshal(adapter.AppendJob(&sent), &q); err != nil {
			t.Fatalf("job %d: %v", n, err)
		}
		got, err := q.Job(f24)
		if err != nil {
			t.Fatalf("job %d: %v", n, err)
		}
		text, err := got.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(text, want) {
			t.Fatalf("job %d: got %s, want %s", n, text, want)
		}
		if string(q.ID) != "7" || q.TimeoutMS != 1000 {
			t.Fatalf("id %s, timeout %d", q.ID, q.TimeoutMS)
		}
	}
}

// TestQuickAnswer: the quick reader accepts the answers of our own engines, and reads every
// accepted answer, however damaged, as the JSON library does.
func TestQuickAnswer(t *testing.T) {
	const seed = 3
	random := rand.New(rand.NewPCG(seed, 0))
	var g gen.Generator
	took, damaged, rounds := 0, 0, 300
	if testing.Short() {
		rounds = 30
	}
	for n := range uint64(400) {
		job := adapter.AsSent(g.Job(gen.Seed(seed, n), gen.Modes[n%uint64(len(gen.Modes))]))
		job.Budget = 300
		line := adapter.AppendJob(job)
		var q adapter.Request
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := server(t, "azahar-interp").Serve(bytes.NewReader(line), &out); err != nil {
			t.Fatal(err)
		}
		reply := out.Bytes()
		quick, ok := adapter.QuickAnswer(reply, &q)
		if strings.Contains(out.String(), `"status":"ok"`) {
			took++
			if !ok {
				t.Fatalf("job %d: not taken: %.200s", n, reply)
			}
		}
		same := func(text []byte) {
			quick, ok = adapter.QuickAnswer(text, &q)
			if !ok {
				return
			}
			damaged++
			slow, err := adapter.SlowAnswer(bytes.Clone(text), &q)
			if err != nil || !reflect.DeepEqual(quick, slow) {
				t.Fatalf("seed %d, job %d: %.300s\nquick %+v\nslow %+v, %v", seed, n, text, quick, slow, err)
			}
		}
		same(reply)
		for range rounds {
			same(damage(random, reply))
		}
	}
	if took < 100 || damaged < 1000 {
		t.Errorf("%d answers of status ok, %d damaged ones that were taken", took, damaged)
	}
}

// TestNoVertices: an answer without vertices leaves nothing out.
func TestNoVertices(t *testing.T) {
	line := []byte(`{"id":7,"status":"ok","out":[]}`)
	quick, ok := adapter.QuickAnswer(line, &adapter.Request{})
	slow, err := adapter.SlowAnswer(line, &adapter.Request{})
	if !ok || err != nil || quick.Unreported|slow.Unreported != 0 || quick.Fate != adapter.Answered {
		t.Errorf("got %+v, %t, and %+v, %v", quick, ok, slow, err)
	}
}

// TestUnreported: an answer may leave registers out.
func TestUnreported(t *testing.T) {
	bank := strings.Repeat("0", 512)
	const a, cc = `"a":[0,0,0]`, `"cc":0`
	temporaries, addresses, flags := pica.RegTemporaries, pica.RegA0X|pica.RegA0Y|pica.RegAL, pica.RegCCX|pica.RegCCY
	r := `"r":"` + bank + `"`
	for _, x := range []struct {
		fields [2]string // of the two vertices
		want   pica.Registers
	}{
		{[2]string{"," + r + "," + a + "," + cc, "," + cc + "," + a + "," + r}, 0},
		{[2]string{}, temporaries | addresses | flags},
		{[2]string{"," + a, "," + a + "," + r}, temporaries | flags},
		{[2]string{"," + cc + "," + r, "," + a + "," + r}, addresses | flags},
	} {
		vertex := func(n int) string { return `{"o":"` + bank + `"` + x.fields[n] + "}" }
		line := []byte(`{"id":7,"status":"ok","out":[` + vertex(0) + "," + vertex(1) + "]}")
		q := &adapter.Request{JobJSON: pica.JobJSON{In: make([]string, 2)}}
		quick, ok := adapter.QuickAnswer(line, q)
		slow, err := adapter.SlowAnswer(line, q)
		if !ok || err != nil || quick.Unreported != x.want || slow.Unreported != x.want {
			t.Errorf("%q: left out %v, %v, want %v; %t, %v", x.fields, quick.Unreported.Names(), slow.Unreported.Names(),
				x.want.Names(), ok, err)
		}
	}
}

// damage changes an answer outside the long strings.
func damage(random *rand.Rand, reply []byte) []byte {
	b := bytes.Clone(reply)
	at := random.IntN(len(b))
	if k := bytes.IndexAny(b[at:], `"[]{},:`); k >= 0 && random.IntN(8) > 0 {
		at += k
	}
	at = max(0, min(len(b)-1, at+random.IntN(5)-2))
	const alphabet = " \t0123456789-.eE+\"[]{},:\\abcfox\x00\xc3"
	switch random.IntN(4) {
	case 0:
		b[at] = alphabet[random.IntN(len(alphabet))]
	case 1:
		b = append(b[:at], b[at+1:]...)
	case 2:
		b = append(b[:at], append([]byte{alphabet[random.IntN(len(alphabet))]}, b[at:]...)...)
	case 3:
		b = append(b[:at], append([]byte(" \t"), b[at:]...)...)
	}
	return b
}
