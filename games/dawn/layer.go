package dawn

import "math/bits"

// A layer is what every grave has of one kind, below sixteen: bit g of the n-th set is bit n of what grave g has. So all graves that have
// the same are found at once, and a position is small. None of this is a rule of play.
type layer[T ~uint8] [4]Graves

// at is what a grave has.
func (l *layer[T]) at(g Grave) T {
	return T(l[0]>>g&1 | l[1]>>g&1<<1 | l[2]>>g&1<<2 | l[3]>>g&1<<3)
}

// set gives it something else.
func (l *layer[T]) set(g Grave, what T) { l.fill(1<<g, what) }

// fill gives the same to several.
func (l *layer[T]) fill(gs Graves, what T) {
	for n := range l {
		l[n] = l[n]&^gs | gs&-Graves(what>>n&1)
	}
}

// only is what those graves have; all others have nothing.
func (l *layer[T]) only(gs Graves) (some layer[T]) {
	for n := range l {
		some[n] = l[n] & gs
	}
	return some
}

// of are the graves that have this, bare ground included.
func (l *layer[T]) of(what T) Graves {
	has := ^Graves(0)
	for n := range l {
		has &= l[n] ^ (Graves(what>>n&1) - 1)
	}
	return has & (1<<numGraves - 1)
}

func (gs Graves) len() int { return bits.OnesCount64(uint64(gs)) }

// vampires are the graves in which one lies.
func (l *layer[T]) vampires() Graves { return (l[0] | l[1] | l[2]) &^ l[3] }
