package vm

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
)

// Tier is a way to execute a program. All of them compute the same bits.
type Tier uint8

// The tiers, from the slowest.
const (
	TierAuto   Tier = iota // the fastest tier of the host
	TierScalar             // one vertex at a time
	TierBatch              // 64 vertices side by side
	TierNative             // 64 vertices side by side, with vector instructions
	NumTiers
)

var tierNames = [NumTiers]string{"auto", "scalar", "batch", "native"}

// String returns "native", say.
func (t Tier) String() string {
	if t < NumTiers {
		return tierNames[t]
	}
	return fmt.Sprintf("Tier(%d)", uint8(t))
}

// TierVariable is the environment variable that names the highest tier to use.
const TierVariable = "PICAPROOF_VM_TIER"

// Native reports whether this host runs the native tier.
func Native() bool { return fastest() == TierNative }

var fastest = sync.OnceValue(func() Tier {
	t := TierBatch
	if haveNative {
		t = TierNative
	}
	if limit, err := HighestTier(); err == nil {
		t = min(t, limit)
	}
	return t
})

// HighestTier returns the tier that [TierVariable] names, or TierNative if it is not
// set. If it names no tier, HighestTier returns an error, and no tier is excluded.
func HighestTier() (Tier, error) {
	name := os.Getenv(TierVariable)
	if name == "" {
		return TierNative, nil
	}
	if k := slices.Index(tierNames[:], name); k > int(TierAuto) {
		return Tier(k), nil
	}
	return 0, fmt.Errorf("%s=%q: want %s", TierVariable, name, strings.Join(tierNames[TierAuto+1:], ", "))
}
