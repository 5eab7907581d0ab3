package pica

import "slices"

// Job returns a job without vertices that runs a shader with its constants; its
// inputs are of format Float32. Words reach no more than MaxDescriptors operand descriptors, so that the job has no
// more of them, whatever an emulator's dump holds.
func (s *Shader) Job(p Profile) Job {
	job := Job{Program: s.Program, Entry: s.Entry, Stage: s.Stage, OutMask: s.OutMask, Profile: p,
		Floats: slices.Clone(s.Floats), InputFormat: Float32}
	job.Descriptors = job.Descriptors[:min(len(job.Descriptors), MaxDescriptors)]
	if job.OutMask == 0 {
		job.OutMask = 0xFFFF
	}
	for k, v := range s.Ints {
		job.Ints[k] = v
	}
	for k, v := range s.Bools {
		if v {
			job.Bools |= 1 << k
		}
	}
	return job
}
