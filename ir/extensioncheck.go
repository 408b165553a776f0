package ir

// extension checks what only the whole target extension can tell. Which queues,
// units and links there are is for rules to judge where the words are theirs;
// here are the commands and queues that it names.
func (c *checker) extension(ids *programIDs, x *Extension) {
	if x == nil {
		return
	}
	if x.Queue != nil {
		for i := range x.Queue.Orders {
			o := &x.Queue.Orders[i]
			c.refers(&ids.queues, o.Queue, o.At, "queue")
			for k, id := range o.Commands { // repeats are for rules to judge
				if !c.known(&ids.commands, id) {
					c.stranger(&ids.commands, id, c.locateEntry(o.At, "commands", k))
				}
			}
		}
	}
	if x.Spatial != nil {
		names(c, "clock domain", x.Spatial.ClockDomains, func(x *ClockDomain) (ID, uint32) { return x.ID, x.At })
	}
}
