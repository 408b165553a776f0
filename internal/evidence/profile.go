package evidence

import (
	"fmt"
	"slices"
	"strings"

	"plancheck/internal/costs"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/levels"
)

// Collectives are those that both profiles can do.
func collectives() []string {
	return []string{"all-reduce", "all-gather", "reduce-scatter", "all-to-all", "broadcast"}
}

// pointwise are ops on each element by itself.
func pointwise() []string { return []string{"gelu", "relu", "add", "copy", "fill"} }

// dialect lists ops by the names that levels have for them: with and without a
// dialect, with hyphens and with underscores.
func dialect(ops ...string) []string {
	var all []string
	for _, op := range ops {
		all = append(all, op, "model."+op)
		if other := strings.ReplaceAll(op, "-", "_"); other != op {
			all = append(all, other)
		}
	}
	return all
}

// A100 is a GPU in the manner of NVIDIA's A100 with 80 GB: eight of them share one
// network.
//
// From NVIDIA's data sheet of the A100 (2021): 312 TFLOP/s of the tensor cores on
// bf16 and f16 and 624 TOP/s on i8, 78 TFLOP/s on f16, 39 on bf16 and 19.5 on f32
// outside them, 600 GB/s of NVLink, half of it each way. From the public system
// file a100_80g.json of Calculon (calculon-ai/calculon): memory of 80 GiB at 2048
// GB/s, where the data sheet has 2039, and what shares of these rates are reached
// at which sizes. The network's latency of 10 us, its share of 65 % and the volume
// 2 (1 - 1/P) n of an all-reduce are fitted figures of the public peer Blueprinting,
// and so are 1.5 (1 - 1/P) n of the other two, which are no physics.
func A100() *evidence.Target {
	const tera = 1_000_000_000_000
	curve := func(points ...int64) []evidence.Threshold {
		var all []evidence.Threshold
		for i := 0; i < len(points); i += 2 {
			all = append(all, evidence.Threshold{From: points[i], Millionth: points[i+1]})
		}
		return all
	}
	matrix := func() []evidence.Threshold {
		return curve(128_000_000_000, 950_000, 16_000_000_000, 900_000, 1_000_000_000, 600_000, 0, 100_000)
	}
	vector := func() []evidence.Threshold { return curve(16_000_000_000, 950_000, 1_000_000_000, 500_000, 0, 100_000) }
	floats := []string{"bf16", "f16", "f32"}
	all := []string{"bf16", "f16", "f32", "f64", "i8", "i32", "i64"}
	const abi = "cuda-12"
	return &evidence.Target{
		Header: level.Header{Schema: evidence.TargetSchema, Name: "A100-80GB"},
		Family: "queue", Architecture: "sm_80", Revision: "1", Runtime: "12.4", ABI: abi,
		Source: "NVIDIA A100 data sheet (2021); Calculon systems/a100_80g.json; Blueprinting",
		Engines: []evidence.Engine{
			{ID: "matrix", Kind: "compute", Count: 1, Width: 1}, {ID: "vector", Kind: "compute", Count: 1, Width: 1},
			{ID: "network", Kind: "collective", Count: 1, Width: 1}, {ID: "copy", Kind: "transfer", Count: 2, Width: 1}, {ID: "host", Kind: "host", Count: 1, Width: 1},
		},
		Memory:  []evidence.Memory{{Space: "hbm", Bytes: 80 << 30, Alignment: 16}},
		Formula: "no_overlap",
		Compute: []evidence.Rate{
			{ID: "matrix.bf16", Engine: "matrix", DType: "bf16", PerSecond: 312 * tera, Curve: matrix()},
			{ID: "matrix.f16", Engine: "matrix", DType: "f16", PerSecond: 312 * tera, Curve: matrix()},
			{ID: "matrix.i8", Engine: "matrix", DType: "i8", PerSecond: 624 * tera, Curve: matrix()},
			{ID: "vector.f16", Engine: "vector", DType: "f16", PerSecond: 78 * tera, Curve: vector()},
			{ID: "vector.bf16", Engine: "vector", DType: "bf16", PerSecond: 39 * tera, Curve: vector()},
			{ID: "vector.f32", Engine: "vector", DType: "f32", PerSecond: 195 * tera / 10, Curve: vector()},
		},
		Bandwidth: &evidence.Curve{PerSecond: 2_048_000_000_000, Curve: curve(100_000_000, 900_000, 10_000_000, 750_000, 1_000_000, 600_000, 0, 300_000)},
		Tiers: []evidence.Tier{{
			Size: 8, PerSecond: 300_000_000_000, Efficiency: 650_000, Latency: 10_000_000, Formula: "volume",
			Collectives: []evidence.Multiplier{
				{Op: "all-reduce", Times: 2 * costs.Million, Offset: -costs.Million},
				{Op: "all-gather", Times: 1_500_000, Offset: -costs.Million},
				{Op: "reduce-scatter", Times: 1_500_000, Offset: -costs.Million},
			},
		}},
		Kernels: []evidence.Implementation{
			{ID: "cublas.gemm", Namespace: "cublas", Name: "gemm", Version: "12.4", ABI: abi, Engine: "matrix", Capabilities: dialect("linear", "matmul"), DTypes: []string{"bf16", "f16", "i8"}, MaxDim: 1<<31 - 1},
			{ID: "cublas.sgemm", Namespace: "cublas", Name: "sgemm", Version: "12.4", ABI: abi, Engine: "vector", Capabilities: dialect("linear", "matmul"), DTypes: []string{"f32"}, MaxDim: 1<<31 - 1},
			{ID: "kernels.pointwise", Namespace: "kernels", Name: "pointwise", Version: "1", ABI: abi, Engine: "vector", Capabilities: dialect(pointwise()...), DTypes: floats},
			{ID: "nccl.collective", Namespace: "nccl", Name: "collective", Version: "2.20", ABI: abi, Engine: "network", Capabilities: dialect(collectives()...), DTypes: all},
			{ID: "cuda.copy", Namespace: "cuda", Name: "copy", Version: "12.4", ABI: abi, Engine: "copy", Capabilities: dialect("copy", "transfer", "send-recv"), DTypes: all},
		},
	}
}

// Chip is a small spatial chip: a mesh of 4 by 4 cores, each with 4 MiB and with
// links to its neighbours. It is no product: its figures are round, of a clock of
// 1 GHz. A core does 2048 operations a cycle on i8, 1024 on bf16 and f16 and 512
// on f32, and moves 64 bytes of its memory; a link carries 32 bytes a cycle, and a
// hop takes 4 cycles. A device is a core.
func Chip() *evidence.Target {
	const clock = 1_000_000_000
	const abi = "chip-1"
	types := []string{"i8", "bf16", "f16", "f32"}
	rates := func(engine string, share int64) []evidence.Rate {
		var all []evidence.Rate
		for i, cycle := range []int64{2048, 1024, 1024, 512} {
			all = append(all, evidence.Rate{ID: engine + "." + types[i], Engine: engine, DType: types[i], PerSecond: cycle / share * clock})
		}
		return all
	}
	return &evidence.Target{
		Header: level.Header{Schema: evidence.TargetSchema, Name: "chip"},
		Family: "spatial", Architecture: "mesh-4x4", Revision: "1", Runtime: "1", ABI: abi,
		Source: "round figures of no product",
		Engines: []evidence.Engine{
			{ID: "array", Kind: "compute", Count: 1, Width: 1}, {ID: "vector", Kind: "compute", Count: 1, Width: 1},
			{ID: "reduce", Kind: "collective", Count: 1, Width: 1}, {ID: "router", Kind: "transfer", Count: 1, Width: 1},
		},
		Memory:    []evidence.Memory{{Space: "sram", Bytes: 4 << 20, Alignment: 16}},
		Formula:   "roofline",
		Compute:   slices.Concat(rates("array", 1), rates("vector", 16)),
		Bandwidth: &evidence.Curve{PerSecond: 64 * clock},
		Tiers:     []evidence.Tier{{Size: 16, PerSecond: 32 * clock, Efficiency: costs.Million, Latency: 4_000, Formula: "ring"}},
		Kernels: []evidence.Implementation{
			{ID: "array.matmul", Namespace: "array", Name: "matmul", Version: "1", ABI: abi, Engine: "array", Capabilities: dialect("linear", "matmul"), DTypes: types, MaxDim: 1 << 16},
			{ID: "vector.pointwise", Namespace: "vector", Name: "pointwise", Version: "1", ABI: abi, Engine: "vector", Capabilities: dialect(pointwise()...), DTypes: types},
			{ID: "router.reduce", Namespace: "router", Name: "reduce", Version: "1", ABI: abi, Engine: "reduce", Capabilities: dialect(collectives()...), DTypes: types},
			{ID: "router.send", Namespace: "router", Name: "send", Version: "1", ABI: abi, Engine: "router", Capabilities: dialect("copy", "transfer", "send-recv"), DTypes: types},
		},
		Mesh: &evidence.Mesh{Rows: 4, Cols: 4}, Clock: clock, Link: &evidence.Link{PerCycle: 32, Latency: 4},
	}
}

// A100Deployment is eight GPUs of A100 in one machine.
func A100Deployment() *evidence.Deployment { return deployment(A100(), "gpu", 8, "all-to-all") }

// ChipDeployment is the cores of one Chip.
func ChipDeployment() *evidence.Deployment { return deployment(Chip(), "core", 16, "mesh") }

func deployment(target *evidence.Target, device string, count int, topology string) *evidence.Deployment {
	d := &evidence.Deployment{
		Header:   level.Header{Schema: evidence.DeploymentSchema, Name: target.Name, Parents: []level.Parent{levels.Parent(target)}},
		Topology: topology, Memory: -1, Environment: target.Runtime,
	}
	for i := range count {
		d.Devices = append(d.Devices, fmt.Sprint(device, i))
	}
	return d
}

// NoRecords is evidence of a target without any record: all costs are by its
// formulas, until observations give factors.
func NoRecords(d *evidence.Deployment) *evidence.Evidence {
	return &evidence.Evidence{
		Header:   level.Header{Schema: evidence.EvidenceSchema, Name: d.Name, Parents: []level.Parent{levels.Parent(d)}},
		Provider: "measurements", Environment: d.Environment, Records: []evidence.Sample{},
	}
}
