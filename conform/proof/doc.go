// Package proof serves this module: it finds the changes of the oracle that predict the answers of a core. A
// [Search] takes the answers that a profile does not predict, smallest first, and asks which hypotheses predict
// them and contradict no answer that the profile predicts. Further jobs separate those that remain. The
// hypothesis that explains most joins the model, and the search goes on with what differs then.
package proof
