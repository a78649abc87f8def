package sharedscan

// Len returns the number of jobs that have joined and not left.
func (c *CircularScan[K]) Len() int { return len(c.jobs) }
