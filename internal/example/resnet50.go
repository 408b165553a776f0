package example

import "fmt"

// resnet50 is the 50-layer network of He et al. 2015, table 1, for one image
// of 224 x 224 pixels. Weights and activations are int8, one byte each. As in
// the paper the first 1 x 1 convolution of conv3_1, conv4_1 and conv5_1 has
// stride 2, and the shortcuts of the first blocks are projections.
//
// Batch norm holds two parameters a channel, the published count: at inference
// the running mean and variance are folded into them.
func resnet50() *network {
	r := &resnet{net: network{paramBytes: 1}}
	stem := r.convNorm("conv1", "bn1", shape{3, 224}, 64, 7, 2)
	stem = r.relu("relu", stem)
	r.net.feed("image", true, 3*224*224, 0)
	x := r.add("maxpool", "max_pool", shape{64, 56}, 9, stem.ref)

	for i, layer := range []struct{ blocks, width, stride int64 }{
		{3, 64, 1}, {4, 128, 2}, {6, 256, 2}, {3, 512, 2},
	} {
		for b := range layer.blocks {
			stride := int64(1)
			if b == 0 {
				stride = layer.stride
			}
			x = r.bottleneck(fmt.Sprintf("layer%d.%d", i+1, b), x, layer.width, stride)
		}
	}

	pool := r.add("avgpool", "avg_pool", shape{x.channels, 1}, x.side*x.side, x.ref)
	r.net.add(node{
		id: "fc", kind: "linear", laneChoices: []int64{1, 2, 4, 8},
		macs: pool.channels * 1000, weights: affine("fc", pool.channels*1000, 1000),
		outBytes: 1000,
	}, pool.ref)
	return &r.net
}

type resnet struct{ net network }

// shape is that of a square feature map, without its batch of one.
type shape struct{ channels, side int64 }

func (s shape) elements() int64 { return s.channels * s.side * s.side }

// feature is a feature map and the node that makes it.
type feature struct {
	shape
	ref ref
}

// channelGroups are the lanes of ops that work on channels: a lane makes a
// group of output channels.
var channelGroups = []int64{1, 2, 4, 8, 16}

// add appends an op without weights that takes ops vector operations for each
// element of its result.
func (r *resnet) add(id, kind string, out shape, ops int64, from ...ref) feature {
	return feature{out, r.net.add(node{
		id: id, kind: kind, laneChoices: channelGroups,
		elementOps: ops * out.elements(), outBytes: out.elements(),
	}, from...)}
}

func (r *resnet) relu(id string, x feature) feature { return r.add(id, "relu", x.shape, 1, x.ref) }

// convNorm appends a convolution without bias, padded to keep its size but for
// the stride, and its batch norm.
func (r *resnet) convNorm(conv, norm string, in shape, channels, kernel, stride int64, from ...ref) feature {
	out := shape{channels, ceilDiv(in.side, stride)}
	params := kernel * kernel * in.channels * channels
	c := r.net.add(node{
		id: conv, kind: "conv", laneChoices: channelGroups,
		macs:    params * out.side * out.side,
		weights: []weight{{conv + ".weight", params}}, outBytes: out.elements(),
	}, from...)
	return feature{out, r.net.add(node{
		id: norm, kind: "batch_norm", laneChoices: channelGroups,
		elementOps: 2 * out.elements(), // scale and shift
		weights:    affine(norm, channels, channels), outBytes: out.elements(),
	}, c)}
}

// bottleneck appends a block of 1 x 1, 3 x 3 and 1 x 1 convolutions with its
// shortcut, which is a projection where the shape changes.
func (r *resnet) bottleneck(id string, x feature, width, stride int64) feature {
	a := r.relu(id+".relu1", r.convNorm(id+".conv1", id+".bn1", x.shape, width, 1, stride, x.ref))
	b := r.relu(id+".relu2", r.convNorm(id+".conv2", id+".bn2", a.shape, width, 3, 1, a.ref))
	c := r.convNorm(id+".conv3", id+".bn3", b.shape, 4*width, 1, 1, b.ref)
	shortcut := x
	if x.shape != c.shape {
		shortcut = r.convNorm(id+".downsample.conv", id+".downsample.bn", x.shape, 4*width, 1, stride, x.ref)
	}
	return r.relu(id+".relu", r.add(id+".add", "add", c.shape, 1, c.ref, shortcut.ref))
}
