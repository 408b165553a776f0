package ir

import "embed"

// Sources has the files of the types of the levels, whose comments say what fields
// mean.
//
//go:embed level/level.go model/model.go task/task.go portable/portable.go
//go:embed machine/machine.go timeline/timeline.go observation/observation.go
//go:embed evidence/target.go evidence/evidence.go evidence/binding.go
var Sources embed.FS
