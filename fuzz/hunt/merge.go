package hunt

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/picaproof/picaproof/fuzz/cover"
	"github.com/picaproof/picaproof/internal/atomicfile"
)

// ErrMerged means that a state is the result of a merge, with which no campaign goes on.
var ErrMerged = errors.New("the state was merged of shards: go on with these")

// ErrShards means that states are not the shards of one campaign.
var ErrShards = errors.New("not shards of one campaign")

// Damage is a shard, or a file of it, that cannot be read.
type Damage struct {
	Dir string `json:"directory"`
	Why string `json:"why"`
	// Files are its files with findings, which were copied.
	Files []string `json:"files,omitempty"`
}

// Merged is what Merge found out.
type Merged struct {
	Matrix  *cover.Matrix
	Damaged []Damage
	Missing []Shard
}

// shard is the state of a shard in its directory.
type shard struct {
	*State
	dir string
}

// Merge merges the shards of a campaign, each in its directory, into a new state. Findings are grouped by cause, each
// with its first case in the order of a campaign without shards; counts are added. The corpus is minimised for the
// coverpoints that the targets reach; targets returns those with the given names. Shards may be missing, and a damaged
// one is reported: its files with findings are copied beside the others. It is an error if no shard is whole, or if
// states do not belong together.
func Merge(into *State, dirs []string, targets func(names []string) ([]Target, error)) (*Merged, error) {
	if into.Targets != nil || into.Merged > 0 {
		return nil, fmt.Errorf("%s is the state of a campaign: name a new directory", into.dir)
	}
	m := new(Merged)
	var shards []shard
	for _, dir := range dirs {
		s := &State{dir: dir}
		err := s.load()
		if err == nil && s.Targets == nil {
			err = fmt.Errorf("%s: %w: it has no targets", s.path(), ErrState)
		}
		if err == nil {
			shards = append(shards, shard{s, dir})
			continue
		}
		files, copied := into.salvage(dir, len(m.Damaged)+1)
		if copied != nil {
			return nil, copied
		}
		m.Damaged = append(m.Damaged, Damage{dir, err.Error(), files})
	}
	if err := m.fit(shards); err != nil {
		return nil, err
	}
	first := shards[0]
	into.Seed, into.Merged = first.Seed, len(shards)
	var names []string
	for _, p := range first.Targets {
		names = append(names, p.Name)
	}
	list, err := targets(names)
	if err != nil {
		return nil, err
	}
	into.addProgress(shards)
	if m.Damaged, err = into.addBuckets(shards, m.Damaged); err != nil {
		return nil, err
	}
	if m.Matrix, err = into.addCorpus(shards, list); err != nil {
		return nil, err
	}
	return m, into.store()
}

// fit returns an error if states are not the shards of one campaign, and lists the missing shards.
func (m *Merged) fit(shards []shard) error {
	if len(shards) == 0 {
		return fmt.Errorf("%w: none is whole: %s", ErrShards, m.Damaged[0].Why)
	}
	first, given := shards[0], map[Shard]string{}
	names := func(s shard) (list []string) {
		for _, p := range s.Targets {
			list = append(list, p.Name)
		}
		return list
	}
	for _, s := range shards {
		switch {
		case s.Shard.Of == 0:
			return fmt.Errorf("%s: %w: it ran without --shard", s.dir, ErrShards)
		case given[s.Shard] != "":
			return fmt.Errorf("%s: %w: it is shard %s, and so is %s", s.dir, ErrShards, s.Shard, given[s.Shard])
		case s.Shard.Of != first.Shard.Of || s.Seed != first.Seed || !slices.Equal(names(s), names(first)):
			return fmt.Errorf("%s: %w: number of shards, seed or targets differ from %s", s.dir, ErrShards, first.dir)
		}
		given[s.Shard] = s.dir
	}
	for n := range first.Shard.Of {
		if s := (Shard{n + 1, first.Shard.Of}); given[s] == "" {
			m.Missing = append(m.Missing, s)
		}
	}
	return nil
}

// addProgress adds the counts of shards.
func (s *State) addProgress(shards []shard) {
	for _, from := range shards {
		for _, p := range from.Targets {
			to := s.Progress(p.Name)
			to.Next += from.Shard.Judged(p.Next)
			for outcome, n := range p.Outcomes {
				if to.Outcomes == nil {
					to.Outcomes = map[string]uint64{}
				}
				to.Outcomes[outcome] += n
			}
			counts := map[message]uint64{}
			for text, outcomes := range p.Messages {
				for outcome, n := range outcomes {
					counts[message{text, outcome}] += n
				}
			}
			to.addMessages(counts)
		}
	}
}

// turn compares cases in the order in which a campaign without shards records them: its targets take turns.
func (s *State) turn(target string, number uint64, other string, otherNumber uint64) int {
	place := func(name string) int {
		return slices.IndexFunc(s.Targets, func(p *Progress) bool { return p.Name == name })
	}
	return cmp.Or(cmp.Compare(number/batchSize, otherNumber/batchSize), cmp.Compare(place(target), place(other)),
		cmp.Compare(number, otherNumber))
}

// addBuckets adds the buckets of shards with their files, and reports files that are not there.
func (s *State) addBuckets(shards []shard, damaged []Damage) ([]Damage, error) {
	type found struct {
		*Bucket
		dir string
	}
	var all []found
	for _, from := range shards {
		for _, b := range from.Buckets {
			all = append(all, found{b, from.dir})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return s.turn(a.Target, a.Number, b.Target, b.Number) })
	for _, f := range all {
		if b := s.find(f.Target, f.Key); b != nil {
			b.Count += f.Count
			continue
		}
		b := *f.Bucket
		s.add(&b)
		files := filesOf(f.dir, func(base string) bool { return base == f.File })
		if len(files) == 0 {
			damaged = append(damaged, Damage{Dir: f.dir, Why: "the files of " + f.File + " are gone"})
		}
		for _, name := range files {
			to := b.File + name[len(f.File):]
			if err := copyFile(filepath.Join(f.dir, name), filepath.Join(s.dir, to)); err != nil {
				damaged = append(damaged, Damage{Dir: f.dir, Why: err.Error()})
			}
		}
	}
	return damaged, nil
}

// addCorpus adds the corpora of shards, minimised, and returns the points that they reach.
func (s *State) addCorpus(shards []shard, targets []Target) (*cover.Matrix, error) {
	for _, from := range shards {
		s.Corpus = append(s.Corpus, from.Corpus...)
	}
	slices.SortFunc(s.Corpus, func(a, b Entry) int { return s.turn(a.Target, a.Number, b.Target, b.Number) })
	r := &run{State: s, targets: targets}
	if err := r.replay(func(entry int, _ []byte, reached *cover.Set) {
		s.Corpus[entry].Points = r.reached.Union(reached)
		r.matrix.Add(reached)
	}); err != nil {
		return nil, err
	}
	return &r.matrix, r.minimise()
}

// salvage copies the files with findings of a damaged shard into a directory of their own, and returns their names.
func (s *State) salvage(dir string, number int) (files []string, err error) {
	into := fmt.Sprintf("damaged-%d", number)
	for _, name := range filesOf(dir, func(base string) bool { return base != "" && base != "campaign" }) {
		if err := os.MkdirAll(filepath.Join(s.dir, into), 0o777); err != nil {
			return files, err
		}
		if copyFile(filepath.Join(dir, name), filepath.Join(s.dir, into, name)) == nil {
			files = append(files, into+"/"+name)
		}
	}
	return files, nil
}

// filesOf returns the names of the files in a directory whose names up to the first dot are plain and wanted.
func filesOf(dir string, wanted func(base string) bool) (names []string) {
	list, _ := os.ReadDir(dir) // a directory that cannot be read has no files to copy
	for _, entry := range list {
		base, extension, _ := strings.Cut(entry.Name(), ".")
		if extension != "" && plainName.MatchString(base) && wanted(base) {
			names = append(names, entry.Name())
		}
	}
	return names
}

func copyFile(from, to string) error {
	b, err := atomicfile.Read(from, maxState)
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(to, b)
}
