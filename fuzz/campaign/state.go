package campaign

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"github.com/picaproof/picaproof/fuzz/reduce"
)

// State is what a campaign keeps from run to run: how far it is, what it found,
// and which cases reached coverpoints first. It lives in a directory:
//
//	campaign.json           the state
//	mul-one-step.found.json the first case of a bucket, as it was found
//	mul-one-step.json       the same, reduced
//	mul-one-step.txt        the report on it
type State struct {
	Seed    uint64    `json:"seed"`
	Targets []*Place  `json:"targets"`
	Buckets []*Bucket `json:"buckets"`
	Corpus  []Entry   `json:"corpus"`

	dir     string
	lock    *flock.Flock // held while the state is open
	claimed map[*Bucket]bool
}

// ErrRunning: another process has the campaign open.
var ErrRunning = errors.New("the campaign is running already")

// Place is how far a target is.
type Place struct {
	Name string `json:"name"`
	Next uint64 `json:"next"` // every case below is judged

	issued  uint64   // number of the first case of the next batch
	running []uint64 // batches that are being judged
}

// begin hands out the next batch.
func (p *Place) begin() (first uint64) {
	first = max(p.issued, p.Next)
	p.issued = first + batch
	p.running = append(p.running, first)
	return first
}

// finish takes a batch back.
func (p *Place) finish(first uint64) {
	p.running = slices.DeleteFunc(p.running, func(n uint64) bool { return n == first })
	p.Next = p.issued
	if len(p.running) > 0 {
		p.Next = slices.Min(p.running)
	}
}

// Bucket is a group of findings with one key.
type Bucket struct {
	Target string     `json:"target"`
	Key    string     `json:"key"`
	Count  int        `json:"count"`
	Number uint64     `json:"number"` // of the first case
	Text   string     `json:"text"`   // what was wrong with it
	File   string     `json:"file"`   // its name in the directory, without extension
	End    reduce.End `json:"end,omitempty"`
	Report string     `json:"-"` // on the reduced case
}

// Entry is a case that reached new coverpoints.
type Entry struct {
	Target string `json:"target"`
	Number uint64 `json:"number"`
	Points int    `json:"points"`
}

// Open returns the state in a directory, which is made if need be; a new one
// begins with the given seed. With an empty name nothing is stored. The caller
// closes it.
func Open(dir string, seed uint64) (*State, error) {
	s := &State{Seed: seed, dir: dir, claimed: map[*Bucket]bool{}}
	if dir == "" {
		return s, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	s.lock = flock.New(filepath.Join(dir, "lock"))
	if locked, err := s.lock.TryLock(); err != nil {
		return nil, err
	} else if !locked {
		return nil, fmt.Errorf("%s: %w", dir, ErrRunning)
	}
	if err := s.load(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// load reads what earlier runs stored.
func (s *State) load() error {
	b, err := os.ReadFile(s.path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, s); err != nil {
		return fmt.Errorf("%s: %w", s.path(), err)
	}
	return nil
}

// Close lets others open the campaign.
func (s *State) Close() error {
	if s.lock == nil {
		return nil
	}
	return s.lock.Close()
}

func (s *State) path() string { return filepath.Join(s.dir, "campaign.json") }

// store writes the state.
func (s *State) store() error {
	if s.dir == "" {
		return nil
	}
	b, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return err
	}
	return replace(s.path(), append(b, '\n'))
}

// replace writes a file under a temporary name and renames it.
func replace(name string, b []byte) error {
	temporary := name + ".new"
	if err := os.WriteFile(temporary, b, 0o666); err != nil {
		return err
	}
	return os.Rename(temporary, name)
}

// target returns the place of a target.
func (s *State) target(name string) *Place {
	for _, t := range s.Targets {
		if t.Name == name {
			return t
		}
	}
	t := &Place{Name: name}
	s.Targets = append(s.Targets, t)
	return t
}

func (s *State) cases() (n uint64) {
	for _, t := range s.Targets {
		n += t.Next
	}
	return n
}

// bucket returns the bucket of a key, and whether it is new.
func (s *State) bucket(target, key string) (b *Bucket, first bool) {
	for _, b := range s.Buckets {
		if b.Key == key && b.Target == target {
			return b, false
		}
	}
	names := map[string]bool{}
	for _, b := range s.Buckets {
		names[b.File] = true
	}
	name := fileName(key)
	for n := 2; names[name]; n++ {
		name = fmt.Sprintf("%s-%d", fileName(key), n)
	}
	b = &Bucket{Target: target, Key: key, File: name}
	s.Buckets = append(s.Buckets, b)
	s.claimed[b] = true
	return b, true
}

// fileName makes a file name of a key.
func fileName(key string) string {
	const longest = 60
	words := strings.FieldsFunc(strings.ToLower(key), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	name := strings.Join(words, "-")
	return name[:min(len(name), longest)]
}

// save writes a finding as it was found.
func (s *State) save(b *Bucket, extension string, f Found) error {
	if s.dir == "" {
		return nil
	}
	return replace(filepath.Join(s.dir, b.File+".found"+extension), f.Data)
}

// saveReduced writes the reduced case and the report on it.
func (s *State) saveReduced(b *Bucket, extension string, r Reduced) error {
	if s.dir == "" {
		return nil
	}
	if err := replace(filepath.Join(s.dir, b.File+extension), r.Data); err != nil {
		return err
	}
	return replace(filepath.Join(s.dir, b.File+".txt"), fmt.Appendf(nil, "%s\n%s", b.Key, r.Text))
}

// claim returns a bucket of a target whose reduction was interrupted, with its
// smallest case; nil if there is none.
func (r *run) claim(t *Target) (*Bucket, []byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.dir == "" {
		return nil, nil, nil
	}
	for _, b := range r.Buckets {
		if b.Target != t.Name || r.claimed[b] || b.End == reduce.Minimal || b.End == reduce.BudgetExhausted {
			continue
		}
		r.claimed[b] = true
		data, err := os.ReadFile(filepath.Join(r.dir, b.File+t.Extension))
		if errors.Is(err, fs.ErrNotExist) {
			data, err = os.ReadFile(filepath.Join(r.dir, b.File+".found"+t.Extension))
		}
		return b, data, err
	}
	return nil, nil, nil
}
