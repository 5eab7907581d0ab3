package fingerprint

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/picaproof/picaproof/fuzz/conform/view"
	"github.com/picaproof/picaproof/pica"
)

//go:embed zjobs.jsonl
var stored []byte

// Stored is a job of the fingerprint as data.
type Stored struct {
	// Separates names what the job was found for: "hw: round rz, rne".
	Separates string          `json:"separates"`
	Job       json.RawMessage `json:"job"`
}

// Jobs returns the jobs of the fingerprint. They are shared and must not be changed.
var Jobs = sync.OnceValues(func() (jobs []*pica.Job, err error) {
	lines := bufio.NewScanner(bytes.NewReader(stored))
	lines.Buffer(nil, len(stored)+1)
	for n := 1; lines.Scan(); n++ {
		var s Stored
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			return nil, fmt.Errorf("zjobs.jsonl:%d: %w", n, err)
		}
		job, err := pica.ParseJob(s.Job, func(string) (pica.Profile, error) { return pica.Profile{}, nil })
		if err != nil {
			return nil, fmt.Errorf("zjobs.jsonl:%d: %w", n, err)
		}
		jobs = append(jobs, view.Portable(job))
	}
	return jobs, lines.Err()
})
