package ir

// extension checks what only the whole target extension can tell. Which queues,
// units and links there are is for rules to judge where the words are theirs;
// here are the commands and queues that it names.
func (c *checker) extension(ids *programIDs, x *Extension) {
	if x == nil {
		return
	}
	if x.Queue != nil {
		c.queueExtension(ids, x.Queue)
	}
	if x.Spatial != nil {
		c.spatialExtension(ids, x.Spatial)
	}
}
