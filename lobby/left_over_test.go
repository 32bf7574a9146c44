package lobby_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"caveau/fact"
	"caveau/game"
	"caveau/wire"
)

// An earlier version wrote down what somebody answered when the game was over, so its log does not end with the end. Nobody wakes that
// table again and again.
func TestAnAnswerAfterTheEnd(t *testing.T) {
	inHouse(t, func(t *testing.T, h *house) {
		id := h.make(toy(2, "first"))
		ana := h.as("Ana", id)
		ana.ok(wire.Command{Do: "start"})
		finish(ana)
		ana.client.Close()
		entries, err := h.log.Entries(t.Context(), id, 0)
		if err != nil {
			t.Fatal(err)
		}
		h.lobby.Close()
		for _, answer := range []string{"agree", "decline"} {
			text := json.RawMessage(`{"kind":"` + answer + `","fact":{"seat":"A"}}`)
			if err := h.log.Append(t.Context(), id, fact.Entry{Seq: len(entries) + 1, At: time.Now(), Data: text}); err != nil {
				t.Fatal(err)
			}
			entries = append(entries, fact.Entry{})
		}
		h.open()
		time.Sleep(3 * time.Minute)
		synctest.Wait()
		if due, err := h.log.Due(t.Context(), time.Now().Add(100*365*24*time.Hour)); err != nil || len(due) > 0 {
			t.Errorf("these tables are to be woken: %v, %v", due, err)
		}
		h.counts(map[string]int{})
		ana = h.as("Ana", id)
		ana.mustBe("over", game.NoSeat)
	})
}
