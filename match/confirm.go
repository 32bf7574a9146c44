package match

import (
	"errors"
	"log/slog"
	"slices"

	"caveau/fact"
)

// Who refuses has looked. An entry is fenced: the log takes none of a node that has lost the table. A refusal writes none, nor does an
// acknowledgement of what was so already. So where other nodes write to the log it is asked before either is told, once for all that had been said by then.

// deny refuses what the table does not allow.
func (o *Owner) deny(s *Said, err error) {
	if o.confirms(s) {
		o.refuse(s, err)
	}
}

// already acknowledges what was so already.
func (o *Owner) already(s *Said) {
	if o.confirms(s) {
		o.acknowledge(s)
	}
}

// confirms tells whether the log has had no more than the table since something was said. If that is not known it is asked, and then it is decided again.
func (o *Owner) confirms(s *Said) bool {
	if !o.hours.Shared || s.Nth <= o.looked {
		return true
	}
	o.pending = &pending{said: s, at: o.now}
	o.do(Confirm{})
	return false
}

func (o *Owner) confirmed(in Confirmed) {
	p, seq := o.pending, o.table.Seq()
	switch {
	case errors.Is(in.Err, fact.ErrEpoch) || in.Err == nil && in.Last < seq:
		o.disown()
	case in.Err != nil:
		o.report(slog.LevelError, "the log cannot be asked whether the table is as it is here", "err", in.Err)
		o.pending = nil
		o.fail(p, in.Err)
	case in.Last > seq:
		o.unsure = true
		o.do(Read{seq})
	default:
		o.pending, o.looked = nil, in.Said
		o.hear(*p.said)
	}
}

// disown: the table is another's, or the log has forgotten what it had acknowledged. Whoever watches or waits is told nothing any more, and comes again.
func (o *Owner) disown() {
	o.disowned = true
	o.report(slog.LevelWarn, "the table is not this node's any more")
}

// Disowned tells whether the table is not this owner's any more.
func (o *Owner) Disowned() bool { return o.disowned }

// Stranded are whose pages have to come again: all who watch, and where the table is another's whoever waits for an answer. Where the owner broke he is told.
func (o *Owner) Stranded() []Client {
	all := slices.Clone(o.subs)
	if !o.disowned {
		return all
	}
	if p := o.pending; p != nil && p.said != nil {
		all = append(all, p.said.Client)
	}
	for _, in := range o.queue {
		if s, is := in.(Said); is {
			all = append(all, s.Client)
		}
	}
	return all
}
