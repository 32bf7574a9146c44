package pocket

import (
	"context"
	"encoding/json"
	"slices"

	"caveau/lobby"
	"caveau/wire"
)

// A Client is a line to one table, with somebody's eyes. It says and is told what a socket would be (docs/protocol.md).
type Client struct {
	session *lobby.Session
	tell    func(text []byte)
	refused error // why there is nothing at this line
}

// Sit makes a line for whoever has that seat; with none, for everybody around the device. Tell is told one message at a time. Nobody is
// turned away at the door, as at a house: where there is no such table that is the answer to whatever is said.
func (h *House) Sit(ctx context.Context, id wire.ID, seat string, tell func(text []byte)) *Client {
	people, err := h.come(ctx, id)
	who, sits := people[seat]
	if !sits {
		who = everybody
	}
	c := h.connect(who, tell)
	if people == nil {
		c.refused = err
	}
	return c
}

func (h *House) connect(who wire.Guest, tell func([]byte)) *Client {
	c := &Client{tell: tell}
	c.session = h.lobby.Connect(lobby.Visitor{Guest: who}, func() { go c.flush() })
	return c
}

// Say does what somebody says.
func (c *Client) Say(text []byte) {
	cmd, err := wire.ReadCommand(text)
	if err != nil {
		c.session.Refuse("", &wire.Error{Code: "bad_json", Message: "that is not the JSON of a command: " + err.Error()})
		return
	}
	if c.refused != nil {
		c.session.Refuse(cmd.ID, c.refused)
		return
	}
	c.session.Do(cmd)
}

// Close hangs up.
func (c *Client) Close() { c.session.Close() }

// flush tells what there is to be told; the session calls for one at a time.
func (c *Client) flush() {
	for messages, _ := c.session.Take(nil); len(messages) > 0; messages, _ = c.session.Take(nil) {
		for _, m := range messages {
			c.tell(m.Text)
		}
	}
}

// stay has somebody sit down and watch for as long as the house is open: nobody is away who is around the device. People at one device
// talk to each other, so what one of them proposes the others have agreed to.
func (h *House) stay(id wire.ID, seat string, who wire.Guest) *Client {
	var c *Client
	c = h.connect(who, func(text []byte) {
		if seq := proposed(text, seat); seq > 0 {
			c.session.Do(wire.Command{ID: "agree", Do: "agree", Table: id, Seq: seq})
		}
	})
	if seat != "" {
		c.session.Do(wire.Command{ID: "sit", Do: "sit", Table: id, Seat: seat})
	}
	c.session.Do(wire.Command{ID: "watch", Do: "watch", Table: id})
	return c
}

// proposed is the number of a proposal to which whoever sits there is asked to agree; 0 for none.
func proposed(text []byte, seat string) int {
	var told struct {
		Frame struct {
			About struct {
				Proposal *struct {
					Seq   int
					Asked []string
				}
			}
		}
	}
	if json.Unmarshal(text, &told) != nil || told.Frame.About.Proposal == nil || !slices.Contains(told.Frame.About.Proposal.Asked, seat) {
		return 0
	}
	return told.Frame.About.Proposal.Seq
}
