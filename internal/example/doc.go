// Package example builds pipeline plans of well-known networks from their
// published architecture: the layer graph with real parameter counts and real
// multiply-accumulate counts, cut into stages and packed onto a small machine.
//
// The networks are
//
//	resnet50   He, Zhang, Ren, Sun: Deep Residual Learning for Image
//	           Recognition, 2015, table 1, column "50-layer"
//	bert-base  Devlin, Chang, Lee, Toutanova: BERT, 2018, section 3
//	gpt2       Radford, Wu, Child, Luan, Amodei, Sutskever: Language Models are
//	           Unsupervised Multitask Learners, 2019, table 2, the smallest model
//
// Beside them stand small models (model.go), documents of the level above, from
// which plans are derived.
//
// A network (one file each) knows only its layers. A machine (machine.go) turns
// multiply-accumulates into cycles. The splitter (stages.go, forward.go,
// pack.go) is constructive and plain: it makes legal plans, not the best ones.
package example
