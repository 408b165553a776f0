package derive

import (
	"context"
	"errors"
	"strings"
	"testing"

	"plancheck/internal/example"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

// What cannot be scheduled is refused, with what is missing.
func TestScheduleRefuses(t *testing.T) {
	m := layers(3, 8, 16, "f32")
	fresh := func() *scheduling { return onA100(t, m, task.Strategy{TensorParallel: 2}, rows) }
	for _, c := range []struct {
		name string
		of   func() *scheduling
		want string
	}{
		{"too little memory", func() *scheduling {
			s := fresh()
			s.Deployment.Memory = s.binding.Requires.Bytes // which is for one task, and what is given lives beside it
			return rebound(t, s)
		}, "schedule: device gpu0 has 1728 bytes of memory for buffers, and 96 are missing for what lives at once [region-capacity-exceeded]"},
		{"the memory of others", func() *scheduling {
			s := fresh()
			s.Deployment.Memory, s.Deployment.Reserved = 4096, 2304
			return rebound(t, s)
		}, "schedule: device gpu0 has 1792 bytes of memory for buffers, and 32 are missing for what lives at once [region-capacity-exceeded]"},
		{"another portable plan", func() *scheduling {
			s := fresh()
			s.Portable.Planner = "2"
			return s
		}, "[portable-digest-changed]"},
		{"another target", func() *scheduling {
			s := fresh()
			s.Target.Runtime = "13"
			return s
		}, "[parent-digest-wrong]"},
		{"another deployment", func() *scheduling {
			s := fresh()
			s.Deployment.Memory = 1 << 30
			return s
		}, "[parent-digest-wrong]"},
		{"a task that nothing does", func() *scheduling {
			s := fresh()
			s.Target.Kernels = s.Target.Kernels[1:]
			s.Target.Kernels[0].Capabilities = []string{"matmul"}
			return rebound(t, s)
		}, "[capability-unsupported]"},
		{"a portable plan that is not legal", func() *scheduling {
			s := fresh()
			s.Portable.Digest = "sha256:" + strings.Repeat("0", 64)
			return rebound(t, s)
		}, "[digest-mismatch]"},
		{"a target without memory", func() *scheduling {
			s := fresh()
			s.Target.Memory = nil
			s.Deployment.Memory = 1 << 30
			return rebound(t, s)
		}, "the target has no memory or no engine [capability-unsupported]"},
		{"a family that nobody knows", func() *scheduling {
			s := fresh()
			s.Target.Family = "analogue"
			return rebound(t, s)
		}, "schedule: targets of family analogue are not scheduled [target-extension-unknown]"},
	} {
		s := c.of()
		d, err := Schedule(s.Scheduling).Apply(context.Background(), read(t, s.binding))
		if d != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		var fault *Fault
		if errors.As(err, &fault) {
			t.Errorf("%s is called a fault: %v", c.name, err)
		}
	}
}

// Symbols without a value are found where a plan is bound; a portable plan of
// which a binding is told something else is refused here.
func TestScheduleOpenSymbols(t *testing.T) {
	m := built(t, "row-parallel", example.ModelSize{Hidden: 4, FFN: 8, DType: "f32"})
	s := onA100(t, m, strategy(m, 2, []string{"row"}), rows)
	s.Portable.Bindings = nil
	for i := range s.binding.Parents {
		if p := &s.binding.Parents[i]; p.Schema == portable.Schema {
			*p = level.Parent{Schema: portable.Schema, Digest: levels.Digest(s.Portable)}
		}
	}
	_, err := s.forQueues(s.binding)
	var no *Refused
	if !errors.As(err, &no) || no.Code != "scalar-symbolic-unbound" || !strings.Contains(no.Message, "[M] has no value") {
		t.Error(err)
	}
}
