package duel

// Somebody begins with a fortune of one and bets, deal by deal, that a share is more than it is said to be, a part of his fortune each time,
// at odds that are fair if the share is what it is said to be. Then his fortune grows to 200, however long he plays, in no more than one case
// of 200 (Ville 1939): so one may look after every deal, and stop when one likes. Another bets that it is less. What share the games have is
// not believed to be any of those with which one of the two has become rich: in all but one case of a hundred, at every look at once.
//
// That is the hedged capital process of Waudby-Smith and Ramdas ("Estimating means of bounded random variables by betting", 2023), with
// several parts that are bet side by side, each from its own purse, as in their grid Kelly, so that nothing is assumed of the games but
// that deals do not depend on each other and that a share is from 0 to 1.

// rich is the fortune that is believed: twice 100, as there are two who bet.
const rich = 200

// parts are how much of a purse is bet. Great parts tell great differences soon, small ones small differences at all.
var parts = [...]float64{1. / 64, 1. / 32, 1. / 16, 1. / 8, 1. / 4, 1. / 2, 0.9}

// bets are all that was bet on one share.
type bets struct {
	share      float64
	more, less [len(parts)]float64 // the purses
}

func betOn(share float64) *bets {
	b := &bets{share: share}
	for i := range parts {
		b.more[i], b.less[i] = 1, 1
	}
	return b
}

// deal pays for a deal at which that was won, and tells whether the share is known by now to be more than it was said to be, or less.
func (b *bets) deal(won float64) (more, less bool) {
	sums := [2]float64{}
	for i, part := range parts {
		b.more[i] *= 1 + part*(won-b.share)/b.share
		b.less[i] *= 1 - part*(won-b.share)/(1-b.share)
		sums[0] += b.more[i]
		sums[1] += b.less[i]
	}
	return sums[0] >= rich*float64(len(parts)), sums[1] >= rich*float64(len(parts))
}

// told tells whether deals have told that a share is more than this one, or less, and after how many.
func told(share float64, deals []float64) (more, less bool, after int) {
	b := betOn(share)
	for i, won := range deals {
		if more, less = b.deal(won); more || less {
			return more, less, i + 1
		}
	}
	return false, false, len(deals)
}

// interval is between the shares that deals have told the true one from: the less a share, the richer by them is who bets on more.
func interval(deals []float64) (low, high float64) {
	low = edge(0, 1, func(share float64) bool { more, _, _ := told(share, deals); return more })
	high = edge(1, 0, func(share float64) bool { _, less, _ := told(share, deals); return less })
	return low, high
}

// edge is up to where something is so, from the end at which it is so if it is anywhere.
func edge(so, not float64, is func(float64) bool) float64 {
	for range 20 {
		if middle := (so + not) / 2; is(middle) {
			so = middle
		} else {
			not = middle
		}
	}
	return so
}

func mean(list []float64) (mean float64) {
	for _, x := range list {
		mean += x / float64(len(list))
	}
	return mean
}
