package hunt

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/fuzz/reduce"
	"github.com/picaproof/picaproof/internal/atomicfile"
	"github.com/picaproof/picaproof/internal/lockfile"
)

// State is the stored state of a hunt: its progress, its findings, and the cases that first
// reached coverpoints. It lives in a directory:
//
//	campaign.json           the state
//	mul-one-step.found.json the first case of a bucket, as it was found
//	mul-one-step.json       the same, reduced
//	mul-one-step.txt        the report on it
type State struct {
	Seed    uint64      `json:"seed"`
	Shard   Shard       `json:"shard,omitzero"`
	Merged  int         `json:"merged,omitempty"` // number of shards that were merged
	Targets []*Progress `json:"targets"`
	Buckets []*Bucket   `json:"buckets"`
	Corpus  []Entry     `json:"corpus"`

	dir  string
	lock *lockfile.Lock // held while the state is open
}

// ErrRunning means that another process has the hunt open.
var ErrRunning = errors.New("the campaign is already running")

// Progress is the progress of a target.
type Progress struct {
	Name string `json:"name"`
	// Next is the end of the judged cases: every case below is judged, as far as it belongs to the shard. In a
	// merged state it is the number of judged cases.
	Next uint64 `json:"next"`
	// Outcomes counts the cases with an outcome other than right or wrong.
	Outcomes map[string]uint64 `json:"outcomes,omitempty"`
	// Messages counts the cases with each message, by their outcomes.
	Messages map[string]map[string]uint64 `json:"messages,omitempty"`

	issued uint64 // every case below is judged or being judged
}

// Bucket is a group of findings with one key.
type Bucket struct {
	Target string     `json:"target"`
	Key    string     `json:"key"`
	Count  int        `json:"count"`
	Number uint64     `json:"number"` // of the first case
	Text   string     `json:"text"`   // its finding
	File   string     `json:"file"`   // its name in the directory, without extension
	End    reduce.End `json:"end,omitempty"`

	Reduced Reduced `json:"-"` // if the bucket was reduced in this run

	found []byte // the first case
}

// Entry is a case that reached new coverpoints.
type Entry struct {
	Target string `json:"target"`
	Number uint64 `json:"number"`
	Points int    `json:"points"`
}

// Open returns the state in a directory, which it creates if necessary. A new state has the
// given seed. With an empty name nothing is stored. The caller closes it.
func Open(dir string, seed uint64) (*State, error) {
	s := &State{Seed: seed, dir: dir}
	if dir == "" {
		return s, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	var err error
	if s.lock, err = lockfile.Take(filepath.Join(dir, "lock")); errors.Is(err, lockfile.ErrTaken) {
		return nil, fmt.Errorf("%s: %w", dir, ErrRunning)
	} else if err != nil {
		return nil, err
	}
	if err := errors.Join(s.load(), atomicfile.Clean(dir)); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// load reads the state of earlier runs.
func (s *State) load() error {
	b, err := atomicfile.Read(s.path(), maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, s); err != nil {
		return fmt.Errorf("%s: %w: %w", s.path(), ErrState, err)
	}
	if err := s.validate(); err != nil {
		return fmt.Errorf("%s: %w: %w", s.path(), ErrState, err)
	}
	for _, p := range s.Targets {
		p.issued = p.Next
	}
	return nil
}

// ErrState reports a state that no hunt has written.
var ErrState = errors.New("not the state of a campaign")

// maxState is the largest file of a hunt, in bytes.
const maxState = 1 << 29

// mostCases is the largest number of cases that a target can have judged; sums of such numbers
// do not overflow.
const mostCases = 1 << 48

// validate checks a state that was read, before anything relies on it. The names of files are
// plain names: nothing is written outside the directory.
func (s *State) validate() error {
	targets, files := map[string]bool{}, map[string]bool{}
	if s.Merged < 0 || s.Merged > maxShards {
		return fmt.Errorf("merged is %d", s.Merged)
	}
	for i, p := range s.Targets {
		switch {
		case p == nil || p.Name == "":
			return fmt.Errorf("targets[%d] has no name", i)
		case targets[p.Name]:
			return fmt.Errorf("targets[%d]: %q is listed twice", i, p.Name)
		case p.Next > mostCases:
			return fmt.Errorf("targets[%d]: next is %d, want at most %d", i, p.Next, uint64(mostCases))
		}
		for _, counts := range append(slices.Collect(maps.Values(p.Messages)), p.Outcomes) {
			for name, n := range counts {
				if n > mostCases {
					return fmt.Errorf("targets[%d]: %q has %d cases, want at most %d", i, name, n, uint64(mostCases))
				}
			}
		}
		targets[p.Name] = true
	}
	for i, b := range s.Buckets {
		switch {
		case b == nil:
			return fmt.Errorf("buckets[%d] is null", i)
		case !plainName.MatchString(b.File):
			return fmt.Errorf("buckets[%d]: file %q is no plain name of letters, digits and hyphens", i, b.File)
		case b.Target == "" || b.Key == "":
			return fmt.Errorf("buckets[%d] has no target or no key", i)
		case files[b.File]:
			return fmt.Errorf("buckets[%d]: file %q is listed twice", i, b.File)
		case b.Count < 0 || b.Count > mostCases || b.Number > mostCases:
			return fmt.Errorf("buckets[%d]: count %d, number %d, want at most %d", i, b.Count, b.Number, uint64(mostCases))
		}
		files[b.File] = true
	}
	for i, e := range s.Corpus {
		if e.Target == "" || e.Number > mostCases || e.Points < 0 {
			return fmt.Errorf("corpus[%d]: target %q, number %d, points %d", i, e.Target, e.Number, e.Points)
		}
	}
	return nil
}

// plainName matches what fileName makes, with the number that add appends.
var plainName = regexp.MustCompile(`^[a-z0-9-]{0,80}$`)

// Close lets other processes open the hunt.
func (s *State) Close() error {
	if s.lock == nil {
		return nil
	}
	return s.lock.Release()
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
	return atomicfile.WriteBytes(s.path(), append(b, '\n'))
}

// Progress returns the progress of a target.
func (s *State) Progress(target string) *Progress {
	for _, p := range s.Targets {
		if p.Name == target {
			return p
		}
	}
	p := &Progress{Name: target}
	s.Targets = append(s.Targets, p)
	return p
}

// Cases returns the number of judged cases.
func (s *State) Cases() (n uint64) {
	for _, p := range s.Targets {
		n += s.Shard.Judged(p.Next)
	}
	return n
}

// find returns the bucket with a key; nil if there is none.
func (s *State) find(target, key string) *Bucket {
	i := slices.IndexFunc(s.Buckets, func(b *Bucket) bool { return b.Key == key && b.Target == target })
	if i < 0 {
		return nil
	}
	return s.Buckets[i]
}

// add adds a bucket whose files have unique names.
func (s *State) add(b *Bucket) {
	b.File = fileName(b.Key)
	for n := 2; slices.ContainsFunc(s.Buckets, func(c *Bucket) bool { return c.File == b.File }); n++ {
		b.File = fmt.Sprintf("%s-%d", fileName(b.Key), n)
	}
	s.Buckets = append(s.Buckets, b)
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

// saveFound writes the first case of a bucket.
func (s *State) saveFound(b *Bucket, extension string) error {
	if s.dir == "" {
		return nil
	}
	return atomicfile.WriteBytes(filepath.Join(s.dir, b.File+".found"+extension), b.found)
}

// loadFound reads that case, if an earlier run wrote it.
func (s *State) loadFound(b *Bucket, extension string) (err error) {
	if b.found == nil && s.dir != "" {
		b.found, err = atomicfile.Read(filepath.Join(s.dir, b.File+".found"+extension), maxState)
	}
	return err
}

// saveReduced writes the reduced case of a bucket and the report on it.
func (s *State) saveReduced(b *Bucket, extension string) error {
	if s.dir == "" {
		return nil
	}
	if err := atomicfile.WriteBytes(filepath.Join(s.dir, b.File+extension), b.Reduced.Data); err != nil {
		return err
	}
	return atomicfile.WriteBytes(filepath.Join(s.dir, b.File+".txt"), fmt.Appendf(nil, "%s\n%s", b.Key, b.Reduced.Text))
}
