package importer

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/rules"
)

const (
	pytorchCompute = "pytorch/zb1p_2rank_2stagep_compute.csv"
	pytorchComms   = "pytorch/zb1p_2rank_2stagep_comms.csv"
)

// The schedules of PyTorch's own tests, whole and spoilt. With 3F0 and 3B0
// swapped 6 computations are done, without 2F3 34.
func TestPyTorchWorkloads(t *testing.T) {
	const (
		plain = "note[backward-read]: B is read as the backward of the input, because there are W and no I"
		added = "note[transfers-added]: the file has no transfers: sends come right behind what they send, receives right before what reads them"
		held  = "microbatches in flight in each stage: 4 4 2 2"
	)
	for _, test := range []struct {
		name, file string
		old, new   string
		said       []string
		judged     map[string]int
	}{
		{"compute", pytorchCompute, "", "", []string{plain,
			"note[schedule-read]: 96 computations in 4 stages of 2 ranks, 8 microbatches; 49 steps if a forward and each half of a backward take one; " + held,
			added}, map[string]int{}},
		{"comms", pytorchComms, "", "", []string{plain,
			"note[schedule-read]: 80 computations in 4 stages of 2 ranks, 8 microbatches; 79 steps if a forward and each half of a backward take one; " + held,
		}, map[string]int{}},
		{"swapped", pytorchCompute, "3F0,3B0", "3B0,3F0", []string{plain,
			"note[schedule-read]: 96 computations in 4 stages of 2 ranks, 8 microbatches; " + held,
			added,
			"1:18: warning[schedule-stuck]: after 6 of 96 computations rank 0 waits at 2B0 for 3B0, which is never reached",
			"2:10: warning[schedule-stuck]: after 6 of 96 computations rank 1 waits at 3B0 for 3F0, which is never reached",
		}, map[string]int{"schedule-deadlock": 1}},
		{"deleted", pytorchCompute, "2F3,", "", []string{
			"warning[actions-missing]: the schedule lacks 1 computation: 2F3", plain,
			"note[schedule-read]: 95 computations in 4 stages of 2 ranks, 8 microbatches; " + held,
			added,
			"1:74: warning[schedule-stuck]: after 34 of 95 computations rank 0 waits at 2B3 for 2F3, which is missing",
			"2:66: warning[schedule-stuck]: after 34 of 95 computations rank 1 waits at 3F3 for 2F3, which is missing",
		}, map[string]int{"p2p-unmatched": 2}},
	} {
		t.Run(test.name, func(t *testing.T) {
			whole := string(workloads(t, test.file)[0].Text())
			if strings.Count(whole, test.old) != 1 && test.old != "" {
				t.Fatalf("%s is not there once", test.old)
			}
			p, ds := Import("pytorch-pipeline", []*diag.Source{diag.NewSource("s.csv", []byte(strings.Replace(whole, test.old, test.new, 1)))}, Options{})
			if p == nil {
				t.Fatal(said(ds))
			}
			if d := cmp.Diff(test.said, brief(ds)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(test.judged, judged(t, p, rules.Options{})); d != "" {
				t.Error(d)
			}
		})
	}
}

// brief is said without the name of the only file.
func brief(ds []diag.Diagnostic) []string {
	var lines []string
	for _, line := range said(ds) {
		_, line, _ = strings.Cut(line, ":")
		lines = append(lines, strings.Replace(strings.TrimSpace(line), " : ", ": ", 1))
	}
	return lines
}

func importSchedule(text string, o Options) (*ir.Plan, []diag.Diagnostic) {
	return Import("pytorch-pipeline", []*diag.Source{diag.NewSource("folder/small.csv", []byte(text))}, o)
}

// What B is depends on what else there is, and commands have the names that the
// file uses.
func TestPyTorchNotation(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string // command: op
		note string
	}{
		{"0F0,0B0", []string{"0F0: forward", "0B0: backward"}, "B is read as the whole backward"},
		{"0F0,0BW0", []string{"0F0: forward", "0BW0: backward"}, ""},
		{"0F0,0B0,0W0", []string{"0F0: forward", "0B0: backward_input", "0W0: backward_weights"},
			"B is read as the backward of the input, because there are W and no I"},
		{"0F0,0F1,0I0,0B1,0W0", []string{"0F0: forward", "0F1: forward", "0I0: backward_input", "0B1: backward", "0W0: backward_weights"},
			"B is read as the whole backward"},
		{"\r\n, 0F0 ,,0BW0,\r\n\r\n,\r\n", []string{"0F0: forward", "0BW0: backward"}, ""},
	} {
		p, ds := importSchedule(test.text, Options{})
		if p == nil {
			t.Fatal(said(ds))
		}
		var got []string
		for _, c := range p.Program.Commands {
			got = append(got, p.Text(c.ID)+": "+c.Op)
		}
		note := ""
		for _, d := range ds {
			if d.Code == "backward-read" {
				note = d.Message
			}
		}
		if d := cmp.Diff(test.want, got) + cmp.Diff(test.note, note); d != "" || p.Name != "small" {
			t.Errorf("%q: %s %s", test.text, p.Name, d)
		}
	}
}

// A rank without actions in the middle of a file is a rank.
func TestPyTorchIdleRank(t *testing.T) {
	p, ds := importSchedule("0F0,0BW0\n\n1F0,1BW0\n", Options{})
	if p == nil {
		t.Fatal(said(ds))
	}
	var queues []string
	for _, c := range p.Program.Commands {
		queues = append(queues, p.Text(c.Queue))
	}
	want := []string{"queue0", "queue0", "queue0", "queue0", "queue2", "queue2", "queue2", "queue2"}
	if d := cmp.Diff(want, queues); d != "" || len(p.Program.Devices) != 3 {
		t.Error(d, p.Program.Devices)
	}
}

func TestPyTorchWarnings(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"0F0,0UNSHARD,0RESHARD", []string{
			"note[schedule-read]: 1 computation in 1 stage of 1 rank, 1 microbatch; 1 step if a forward and each half of a backward take one",
			"note[sharding-ignored]: 2 actions that gather or scatter weights or gradients: left out"}},
		{"0F0,0F1,0SEND_F0,0SEND_F1\n1RECV_F1,1F1,1RECV_F0,1F0", []string{
			"warning[messages-out-of-order]: stage 1 does not receive from stage 0 in the order of sending: each message has a channel of its own",
			"note[schedule-read]: 4 computations in 2 stages of 2 ranks, 2 microbatches; 4 steps if a forward and each half of a backward take one"}},
		{"0F0,0F1,0F2,0F3,0F4,0F5,0F6,0F7,0F8,0I0", []string{
			"warning[actions-missing]: the schedule lacks 17 computations: 0W0, 0I1, 0W1, 0I2, 0W2, 0I3, 0W3, 0I4, ...",
			"note[schedule-read]: 10 computations in 1 stage of 1 rank, 9 microbatches; 10 steps if a forward and each half of a backward take one; microbatches in flight in each stage: 9"}},
		{"0F0,1F0,2F0,3F0,4F0,5F0,6F0,7F0,8F0,8BW0,7BW0,6BW0,5BW0,4BW0,3BW0,2BW0,1BW0,0BW0", []string{
			"note[schedule-read]: 18 computations in 9 stages of 1 rank, 1 microbatch; 27 steps if a forward and each half of a backward take one; up to 1 microbatch in flight in a stage"}},
	} {
		p, ds := importSchedule(test.text, Options{})
		if d := cmp.Diff(test.want, brief(ds)); d != "" || p == nil {
			t.Errorf("%q: %s", test.text, d)
		}
	}
}

func TestPyTorchErrors(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"", []string{"1:1: error[schedule-empty]: the file has no actions"}},
		{",,\n,\n", []string{"1:1: error[schedule-empty]: the file has no actions"}},
		{"0F0,F1\n 1X0,1F", []string{
			`1:5: error[unknown-type-tag]: "F1" is not an action`,
			"2:2: error[unknown-type-tag]: 1X0 is not an action that is known",
			"2:6: error[missing-field]: 1F has no microbatch"}},
		{"(0F0;0B0)OVERLAP_F_B", []string{`1:1: error[unknown-type-tag]: "(0F0;0B0)OVERLAP_F_B" is not an action`}},
		{"1048576F0,0F99999999999999999999", []string{
			"1:1: error[integer-out-of-range]: the stage of 1048576F0 must be below 1048576",
			"1:11: error[integer-out-of-range]: the microbatch of 0F99999999999999999999 must be below 1048576"}},
		{"0F0,0F1,00F1\n0BW0,0B0,0F2", []string{
			"1:9: error[action-repeated]: 00F1 is done already, by 0F1 on line 1",
			"2:1: error[stage-on-other-rank]: 0BW0 is on rank 1, but stage 0 is computed on rank 0",
			"2:6: error[action-repeated]: 0B0 is done already, by 0BW0 on line 2",
			"2:6: error[stage-on-other-rank]: 0B0 is on rank 1, but stage 0 is computed on rank 0",
			"2:10: error[stage-on-other-rank]: 0F2 is on rank 1, but stage 0 is computed on rank 0"}},
		{"0F0,0SEND_F0,0SEND_B0,1F0\n3RECV_F0", []string{
			"1:5: error[transfer-without-peer]: the other end of 0SEND_F0 is stage 1, which is on the same rank",
			"1:14: error[transfer-without-peer]: the other end of 0SEND_B0 is stage -1, which no rank computes",
			"2:1: error[stage-on-other-rank]: 3RECV_F0 is for stage 3, which no rank computes",
			"2:1: error[transfer-without-peer]: the other end of 3RECV_F0 is stage 2, which no rank computes"}},
	} {
		p, ds := importSchedule(test.text, Options{})
		if d := cmp.Diff(test.want, brief(ds)); d != "" || p != nil {
			t.Errorf("%q: %v %s", test.text, p, d)
		}
	}
}

func TestPyTorchOptions(t *testing.T) {
	var o Options
	for _, x := range [][2]string{{"activation-bytes", "100"}, {"message-bytes", "8"}, {"capacity-bytes", "150"}, {"depth", "2"}} {
		if err := o.Set(x[0], x[1]); err != nil {
			t.Fatal(err)
		}
	}
	p, ds := importSchedule("0F0,0F1,0BW0,0BW1\n1F0,1BW0,1F1,1BW1", o)
	if p == nil {
		t.Fatal(said(ds))
	}
	if d := cmp.Diff(map[string]int{"buffer-out-of-bounds": 5}, judged(t, p, rules.Options{})); d != "" {
		t.Error(d)
	}
	for i, c := range p.Program.Channels {
		if c.Depth != 2 || c.Slot != 8 {
			t.Errorf("channel %d: %+v", i, c)
		}
	}
	p, ds = importSchedule("0F0,0F1,0BW0,0BW1", Options{ActivationBytes: Amount{1 << 62, true}})
	want := []string{"1:1: error[import-usage]: the memory of a rank is beyond 64 bits: 4611686018427387904 bytes 2 times"}
	if d := cmp.Diff(want, brief(ds)); d != "" || p != nil {
		t.Error(d)
	}
}
