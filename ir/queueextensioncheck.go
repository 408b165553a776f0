package ir

// queueExtension checks the names in an extension for queues. That a queue names
// an engine that there is, is for rules to judge.
func (c *checker) queueExtension(ids *programIDs, x *QueueExtension) {
	for i := range x.Orders {
		o := &x.Orders[i]
		c.refers(&ids.queues, o.Queue, o.At, "queue")
		for k, id := range o.Commands { // repeats are for rules to judge
			if !c.known(&ids.commands, id) {
				c.stranger(&ids.commands, id, c.locateEntry(o.At, "commands", k))
			}
		}
	}
	names(c, "engine", x.Engines, func(x *Engine) (ID, uint32) { return x.ID, x.At })
	for i := range x.Engines {
		c.refers(&ids.devices, x.Engines[i].Device, x.Engines[i].At, "device")
	}
	names(c, "communicator", x.Communicators, func(x *Communicator) (ID, uint32) { return x.ID, x.At })
	for i := range x.Communicators {
		m := &x.Communicators[i]
		c.refers(&ids.groups, m.Group, m.At, "group")
		c.refersList(&ids.queues, m.Queues, m.At, "queues")
	}
}
