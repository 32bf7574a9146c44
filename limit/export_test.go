package limit

// Len is how many buckets are kept.
func (b *Buckets) Len() int { return len(b.young) + len(b.old) }
