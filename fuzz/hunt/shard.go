package hunt

import (
	"fmt"
	"strconv"
	"strings"
)

// Shard is one of several parts of a campaign, which run beside each other and are merged. Batches are dealt to the
// shards in turn. The zero Shard is the whole campaign.
type Shard struct {
	Number, Of int // Number is from 1
}

// maxShards limits the number of shards.
const maxShards = 1 << 20

// ParseShard reads "2/4".
func ParseShard(text string) (s Shard, err error) {
	number, of, _ := strings.Cut(text, "/")
	s.Number, err = strconv.Atoi(number)
	if err == nil {
		s.Of, err = strconv.Atoi(of)
	}
	if err != nil || s.Number < 1 || s.Number > s.Of || s.Of > maxShards {
		return Shard{}, fmt.Errorf("%q: want 1/4 to 4/4, say", text)
	}
	return s, nil
}

// String returns "2/4", or "" for the zero Shard.
func (s Shard) String() string {
	if s == (Shard{}) {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Number, s.Of)
}

// MarshalText implements encoding.TextMarshaler.
func (s Shard) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (s *Shard) UnmarshalText(text []byte) (err error) {
	*s, err = ParseShard(string(text))
	return err
}

// next returns the first case of the shard's next batch: of batch number n or a later one.
func (s Shard) next(n uint64) uint64 {
	if s.Of > 0 {
		of, own := uint64(s.Of), uint64(s.Number-1)
		n += (own + of - n%of) % of
	}
	return n * batchSize
}

// Judged returns the number of cases of the shard below a case.
func (s Shard) Judged(below uint64) uint64 {
	if s.Of == 0 {
		return below
	}
	of, own, batches := uint64(s.Of), uint64(s.Number-1), (below+batchSize-1)/batchSize
	return (batches + of - 1 - own) / of * batchSize
}
