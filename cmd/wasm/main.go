//go:build js && wasm

// Command wasm is the engine for a browser: what the page /verify loads when somebody wants a record checked, /replay when somebody
// wants to see one played, and /here and /learn when somebody plays without a network or learns. It is built into web/dist by make build.
package main

import (
	"encoding/json"
	"syscall/js"

	"caveau/catalog"
	"caveau/fair"
	"caveau/record"
)

// A verdict is what the page is told of a record.
type verdict struct {
	OK      bool                `json:"ok"`
	Checks  []record.Check      `json:"checks"`
	Game    string              `json:"game"`
	Edition string              `json:"edition"`
	Options map[string]int      `json:"options"`
	Players []string            `json:"players"`
	Moves   int                 `json:"moves"`
	Over    bool                `json:"over"`
	Winners []string            `json:"winners"`
	Seal    fair.Bits           `json:"seal"`
	Numbers []fair.Number       `json:"numbers"`
	Failed  []fair.Attempt      `json:"failed"`
	Claim   fair.Claim          `json:"claim"`
	First   string              `json:"first"`
	Choices map[string][]string `json:"choices"`
}

func main() {
	js.Global().Set("caveauVerify", js.FuncOf(func(_ js.Value, args []js.Value) any { return verify(args[0].String()) }))
	js.Global().Set("caveauReplay", js.FuncOf(func(_ js.Value, args []js.Value) any { return play(args[0].String(), args[1].String()) }))
	js.Global().Set("caveauOpen", js.FuncOf(open))
	js.Global().Set("caveauAsk", js.FuncOf(ask))
	js.Global().Set("caveauLine", js.FuncOf(line))
	select {} // until the page goes
}

func verify(text string) string {
	v := record.Verify([]byte(text), catalog.House)
	told := verdict{
		OK: v.OK(), Checks: v.Checks, Game: v.Record.Game, Edition: v.Record.Edition, Options: v.Record.Options, Players: v.Record.Players, Moves: len(v.Record.Moves),
		Over: v.Outcome.Over, Seal: v.Proof.Seal, Numbers: v.Proof.Numbers, Failed: v.Proof.Failed, Claim: v.Proof.Claim(),
		First: v.Proof.First, Choices: v.Proof.Choices,
	}
	for _, seat := range v.Outcome.Winners.List() {
		told.Winners = append(told.Winners, seat.String())
	}
	answer, err := json.Marshal(told)
	if err != nil {
		panic(err) // there is nothing in it that JSON cannot say
	}
	return string(answer)
}
