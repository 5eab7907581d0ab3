package adapter

import "context"

// Briefly returns a context in which a job has one short attempt. That a job hangs is a guess then, and that it crashes a
// process which has answered others: the answer has the kind KindGuessed. It serves those who try many jobs, and ask for
// the one that they choose without it.
func Briefly(ctx context.Context) context.Context { return context.WithValue(ctx, briefly{}, true) }

// briefly is the key of the value of a context.
type briefly struct{}

// IsBrief reports whether jobs have one short attempt.
func IsBrief(ctx context.Context) bool { return ctx.Value(briefly{}) != nil }

// KindGuessed is the kind of an answer to a job that a fresh process with all time may answer otherwise.
const KindGuessed = "guessed"

// guessed is the answer to a job that was asked briefly, and did not end.
func guessed() Answer {
	return Answer{Fate: Hung, Kind: KindGuessed, Message: "no answer in a short attempt"}
}
