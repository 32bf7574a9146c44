package storm

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"caveau/push"
	"caveau/wire"
)

// What takes a house of its own, or is too seldom for any usual evening: each of these is told on one evening alone, again and again.

// seldom are those, as they stand in a story; scenes are what people do then.
var (
	seldom = []habit{{0, "people", "both"}, {0, "people", "frail"}, {0, "people", "age"}, {0, "people", "begin"}, {0, "people", "forget"}, {0, "people", "talker"}, {0, "people", "amiss"}, {0, "people", "week"}, {0, "people", "shut"}}
	scenes = map[string]func(*World, int){"both": (*World).both, "frail": (*World).frail, "age": (*World).age, "begin": (*World).beginsWithout, "forget": (*World).forgets, "talker": (*World).talker, "amiss": (*World).callsAmiss, "week": (*World).playsForAWeek, "shut": (*World).shutsHisTable}
)

// mostScenes is how many tables there are on an evening at which none of these begins any more.
const mostScenes = 30

// callsAmiss is that somebody is called to his turn, and nobody hears that it is noted; or his service is busy, and when it is free again it cannot be read whether he wants to be told yet.
func (w *World) callsAmiss(n int) {
	rng := rand.New(rand.NewPCG(w.story.Seed, uint64(n)))
	if w.house.clock.stopped || w.story.Real || len(w.tables) > mostScenes {
		return
	}
	e, all := w.gathers(w.people[rng.IntN(len(names))], 2, map[string]any{"game": "toy", "edition": "", "seats": 2, "listed": false, "sit": true, "awayTime": 2 * 3600}, false)
	if e == nil {
		return
	}
	for _, p := range all[:2] {
		p.pages[0].wantsToKnow(1)
	}
	if g := all[0].at(e); g != nil {
		g.send(g.new(wire.Command{Do: "start", Table: e.id}))
	}
	w.wait(time.Second)
	w.playsOn(e, rng.IntN(3))
	w.cutAll()
	if rng.IntN(2) == 0 {
		w.house.gate.ails(ailment{what: "Tell", fate: lost})
		w.wait(callTime + 5*time.Second)
	} else {
		w.serves(push.Later{Err: errors.New("busy")})
		w.wait(callTime + 5*time.Second)
		w.serves(nil)
		w.house.gate.ails(ailment{what: "Subscriptions", fate: failed})
		w.wait(triedAfter[1])
	}
	w.heal()
	w.wait(triedAfter[2] + 10*time.Second)
	w.checkBrowsers()
	for _, b := range w.browsers {
		for _, o := range b.owed {
			if !b.over && !b.doubted && o.call.id == e.id && o.asked > w.begun && w.stillSo(o.call) {
				w.fail("%s was busy, and then it could not be read whether %s wants to be told, and it is not asked again to tell %+v", b.endpoint, b.of.name, o.call.call)
			}
		}
	}
	w.rules(func(ctx context.Context) error { return w.house.lobby.CloseTable(ctx, e.id) })
}

// playsForAWeek is that two play who have a week for each move, and the house is closed for days of it: nobody has less of his week for that.
func (w *World) playsForAWeek(n int) {
	rng := rand.New(rand.NewPCG(w.story.Seed, uint64(n)))
	if w.house.clock.stopped || w.story.Real || len(w.tables) > mostScenes {
		return
	}
	e, all := w.gathers(w.people[rng.IntN(len(names))], 2, map[string]any{"game": "toy", "edition": "", "seats": 2, "listed": false, "sit": true, "awayTime": 30, "moveTime": 7 * 24 * 3600}, false)
	if e == nil {
		return
	}
	if g := all[0].at(e); g != nil {
		g.send(g.new(wire.Command{Do: "start", Table: e.id}))
	}
	w.wait(time.Second)
	w.playsOn(e, rng.IntN(3))
	w.cutAll()
	w.wait(time.Duration(rng.IntN(30)) * time.Hour)
	w.kill(rng.IntN(8), 1)
	w.wait(time.Duration(1+rng.IntN(90)) * time.Hour)
	w.begin()
	w.wait(time.Minute)
	all[rng.IntN(2)].pages[0].dial()
	w.wait(3 * time.Second)
	w.rules(func(ctx context.Context) error { return w.house.lobby.CloseTable(ctx, e.id) })
}

// shutsHisTable is that a host closes his table before it begins, while the log fails now and then or the house is stopped; and says it once more, as whoever has heard nothing does.
func (w *World) shutsHisTable(n int) {
	rng := rand.New(rand.NewPCG(w.story.Seed, uint64(n)))
	if w.house.clock.stopped || w.story.Real || len(w.tables) > mostScenes {
		return
	}
	e, all := w.gathers(w.people[rng.IntN(len(names))], 2, map[string]any{"game": "toy", "edition": "", "seats": 2, "listed": rng.IntN(2) == 0, "sit": true}, false)
	if e == nil {
		return
	}
	host := all[0].at(e)
	if host == nil {
		return
	}
	if rng.IntN(2) == 0 {
		w.house.fail, w.house.lose = rng.IntN(2), rng.IntN(2)
	}
	closes := host.new(wire.Command{Do: "close", Table: e.id})
	host.send(closes)
	w.wait([]time.Duration{10 * time.Millisecond, 300 * time.Millisecond, 3 * time.Second}[rng.IntN(3)])
	w.house.fail, w.house.lose = 0, 0
	if rng.IntN(3) == 0 {
		w.kill(rng.IntN(8), 1)
		w.wait(time.Second)
		w.begin()
		w.wait(time.Second)
	}
	for _, p := range all[:2] {
		if g := p.pages[0]; g.cable == nil {
			g.dial()
		}
	}
	w.wait(2 * time.Second)
	if g := all[1].pages[0]; g.cable != nil {
		g.send(g.new(wire.Command{Do: "close", Table: e.id})) // he is not the host
	}
	if g := all[0].pages[0]; g.cable != nil {
		g.send(closes)
	}
	w.wait(2 * time.Second)
}

// beginsWithout is that a game begins while some who play there are gone, and the services of their browsers are busy: they are told so all the same when these are not any
// more, whoever is asked by then.
func (w *World) beginsWithout(n int) {
	rng := rand.New(rand.NewPCG(w.story.Seed, uint64(n)))
	if w.house.clock.stopped || w.story.Real || len(w.tables) > mostScenes {
		return
	}
	seats := 2 + rng.IntN(3)
	e, all := w.gathers(w.people[rng.IntN(len(names))], seats, map[string]any{"game": "toy", "edition": "", "seats": seats, "listed": false, "sit": true, "awayTime": 2 * 3600, "moveTime": []int{0, 7200}[rng.IntN(2)]}, false)
	if e == nil {
		return
	}
	for _, p := range all[:seats] {
		p.pages[0].wantsToKnow(1)
	}
	for _, p := range all[1:] {
		for _, g := range p.pages {
			g.cut()
		}
	}
	w.serves(push.Later{After: time.Duration(rng.IntN(2)) * time.Minute, Err: errors.New("busy")})
	if g := all[0].at(e); g != nil {
		g.send(g.new(wire.Command{Do: "start", Table: e.id}))
	}
	w.wait(time.Second)
	if rng.IntN(2) == 0 {
		w.playsOn(e, 1)
	}
	for _, g := range all[0].pages {
		g.cut()
	}
	w.wait([]time.Duration{20 * time.Second, 4 * time.Minute, 50 * time.Minute}[rng.IntN(3)])
	w.serves(nil)
	w.wait(10 * time.Minute)
	w.checkBrowsers()
	if rng.IntN(4) > 0 { // else its time goes by
		w.rules(func(ctx context.Context) error { return w.house.lobby.CloseTable(ctx, e.id) })
	}
}
