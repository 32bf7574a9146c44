package storm

import (
	"caveau/fact"
	"caveau/terms"
	"caveau/wire"
)

// checkSetup: another game is at a table like this one, as it stood in the end: whoever sat there has agreed to that. But for who begins.
func (w *World) checkSetup(e, again *evening) {
	was, is := e.setup(), again.setup()
	was.First, is.First = "", ""
	was.Listed = e.paper.listed
	if !same(wire.Message(was), wire.Message(is)) {
		w.fail("table %s was a table of %s, and the next one, %s, is one of %s", e.id, wire.Message(was), again.id, wire.Message(is))
	}
}

// setup is what a table was made as.
func (e *evening) setup() terms.Setup {
	f, _, _, _ := fact.Read(e.log[0].Data)
	return f.(*fact.Made).Setup
}
