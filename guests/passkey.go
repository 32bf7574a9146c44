package guests

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"caveau/game"
	"caveau/names"
	"caveau/wire"
)

// ErrWrong is for whoever shows a passkey that is none of ours, or not what he was asked for.
var ErrWrong = errors.New("that is not the passkey that was asked for, or no link that is good")

const mostPasskeys = 10 // that a guest may have

// newCeremonies is what checks passkeys; nil where browsers have none: they want https, or their own machine, and a name.
func newCeremonies(origin *url.URL) (*webauthn.WebAuthn, error) {
	host := origin.Hostname()
	if _, err := netip.ParseAddr(host); err == nil || origin.Scheme != "https" && host != "localhost" {
		return nil, nil
	}
	return webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: "Caveau", RPOrigins: []string{origin.String()},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, RequireResidentKey: protocol.ResidentKeyRequired(),
			UserVerification: protocol.VerificationPreferred,
		},
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore, // keepers of passwords tell more than they are asked
	})
}

// PasskeysFor is the name of the house for which passkeys can be had, "" where they cannot.
func (b *Book) PasskeysFor() string {
	if b.ceremonies == nil {
		return ""
	}
	return b.ceremonies.Config.RPID
}

// An owner is a guest as the library wants him.
type owner struct {
	guest wire.Guest
	keys  []webauthn.Credential
}

func (o owner) WebAuthnID() []byte                         { return []byte(o.guest.ID) }
func (o owner) WebAuthnName() string                       { return o.guest.Name }
func (o owner) WebAuthnDisplayName() string                { return o.guest.Name }
func (o owner) WebAuthnCredentials() []webauthn.Credential { return o.keys }

func ownerOf(guest wire.Guest, all []Passkey) (o owner, err error) {
	o = owner{guest, make([]webauthn.Credential, len(all))}
	for i, p := range all {
		if err := json.Unmarshal(p.Check, &o.keys[i]); err != nil {
			return o, fmt.Errorf("passkey %x: %w", p.ID, err)
		}
	}
	return o, nil
}

// AskToMake is what a guest's browser needs to make a passkey.
func (b *Book) AskToMake(w http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	o, err := b.maker(r.Context(), badge)
	if err != nil {
		return nil, err
	}
	challenge, err := b.challenge()
	if err != nil {
		return nil, err
	}
	options, session, err := b.ceremonies.BeginRegistration(o, webauthn.WithExclusions(webauthn.Credentials(o.keys).CredentialDescriptors()),
		func(options *protocol.PublicKeyCredentialCreationOptions) error {
			options.Challenge = challenge
			return nil
		})
	if err != nil {
		return nil, err
	}
	return options, b.begun(w, r, session)
}

// maker is a guest who may have one more passkey.
func (b *Book) maker(ctx context.Context, badge Badge) (owner, error) {
	switch {
	case b.ceremonies == nil:
		return owner{}, errNoPasskeys
	case badge.ID == "":
		return owner{}, errNobody
	}
	all, err := b.Keeper.Passkeys(ctx, badge.ID)
	if err == nil && len(all) >= mostPasskeys {
		err = wire.Refuse(wire.CodeTooMany, "you have ten passkeys: remove one first")
	}
	if err != nil {
		return owner{}, err
	}
	return ownerOf(badge.Guest, all)
}

var (
	errNobody     = wire.Refuse(wire.CodeNoGuest, "say who you are first: POST /api/guest")
	errNoPasskeys = wire.Refuse("no_passkeys", "passkeys can be had by https and a name alone")
)

// Make keeps the passkey that a guest's browser has made, under the name that he gives it.
func (b *Book) Make(w http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	over, err := b.making.Of(r.Context(), badge.ID)
	if err != nil {
		return nil, err
	}
	defer over()
	o, err := b.maker(r.Context(), badge)
	if err != nil {
		return nil, err
	}
	var said struct {
		Name string          `json:"name"`
		Made json.RawMessage `json:"made"`
	}
	text, err := io.ReadAll(r.Body)
	if err != nil || game.ReadStrict(text, &said) != nil {
		return nil, ErrWrong
	}
	name, ok := names.Clean(said.Name)
	if !ok {
		return nil, wire.Refuse("bad_name", "name: 1 to 24 letters that can be seen")
	}
	c, err := b.ceremony(r)
	if err != nil {
		return nil, err
	}
	made, err := protocol.ParseCredentialCreationResponseBytes(said.Made)
	if err != nil {
		return nil, ErrWrong
	}
	key, err := b.ceremonies.CreateCredential(o, c.Session, made)
	if err != nil {
		return nil, ErrWrong
	}
	if err := b.finished(w, r, c); err != nil {
		return nil, err
	}
	p := Passkey{ID: key.ID, Guest: badge.ID, Name: name, Made: b.Now().UTC()}
	key.Attestation = webauthn.CredentialAttestation{} // what the device says of itself is not kept
	if p.Check, err = json.Marshal(key); err != nil {
		return nil, err
	}
	if err := b.Keeper.AddPasskey(r.Context(), p, badge); errors.Is(err, ErrTaken) {
		return nil, ErrWrong
	} else if err != nil {
		return nil, nobodyIf(err)
	}
	return cardOf(p), nil
}

// AskToShow is what a browser needs to show a passkey, whoever it is.
func (b *Book) AskToShow(w http.ResponseWriter, r *http.Request, _ Badge) (any, error) {
	if b.ceremonies == nil {
		return nil, errNoPasskeys
	}
	challenge, err := b.challenge()
	if err != nil {
		return nil, err
	}
	options, session, err := b.ceremonies.BeginDiscoverableLogin(webauthn.WithChallenge(challenge))
	if err != nil {
		return nil, err
	}
	return options, b.begun(w, r, session)
}

// Show is whose passkey a browser has shown: from now on it is his, and the session that it had ends.
func (b *Book) Show(w http.ResponseWriter, r *http.Request, badge Badge) (any, error) {
	if b.ceremonies == nil {
		return nil, errNoPasskeys
	}
	c, err := b.ceremony(r)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, ErrWrong
	}
	shown, err := protocol.ParseCredentialRequestResponseBytes(text)
	if err != nil {
		return nil, ErrWrong
	}
	p, there, err := b.Keeper.Passkey(r.Context(), shown.RawID)
	if err != nil {
		return nil, err
	}
	o, err := ownerOf(wire.Guest{ID: p.Guest}, []Passkey{p})
	if !there || err != nil {
		return nil, ErrWrong
	}
	key, err := b.ceremonies.ValidateDiscoverableLogin(func(_, handle []byte) (webauthn.User, error) { return o, nil }, c.Session, shown)
	if err != nil {
		return nil, ErrWrong
	}
	if err := b.finished(w, r, c); err != nil {
		return nil, err
	}
	if p.Check, err = json.Marshal(key); err != nil {
		return nil, err
	}
	_, round, err := b.Keeper.Ended(r.Context(), p.Guest, "") // before it is looked whether he has it still: whoever is forgotten from now on has no session
	if err != nil {
		return nil, err
	}
	if there, err := b.Keeper.UsePasskey(r.Context(), p.ID, b.Now().UTC(), p.Check); err != nil {
		return nil, err
	} else if !there {
		return nil, ErrWrong
	}
	guest, err := b.Called(r.Context(), wire.Guest{ID: p.Guest})
	if err == nil && badge.ID != "" {
		err = b.End(r.Context(), badge)
	}
	if err != nil {
		return nil, err
	}
	return guest, b.begin(w, r, Badge{Guest: guest, Round: round})
}

// A ceremony is what a browser has been asked to sign. It lies in a cookie of its own, marked by the house. Whether it was to make a
// passkey follows from its session, which names a guest then.
type ceremony struct {
	Until   int64                `json:"until"` // in Unix seconds
	Session webauthn.SessionData `json:"session"`
}

// ceremonyName is the cookie of a ceremony, patience how long it may take.
const (
	ceremonyName = "caveau_passkey"
	patience     = 5 * time.Minute

	ceremonyMark = "passkey" // what the mark of such a cookie is of, with its text
)

func (b *Book) challenge() ([]byte, error) {
	challenge := make([]byte, protocol.ChallengeLength)
	_, err := io.ReadFull(b.Random, challenge)
	return challenge, err
}

// begun gives the browser what it has been asked.
func (b *Book) begun(w http.ResponseWriter, r *http.Request, session *webauthn.SessionData) error {
	value, err := b.marked(ceremonyMark, ceremony{b.Now().Add(patience).Unix(), *session})
	if err == nil {
		b.setCookie(w, r, ceremonyName, value, patience)
	}
	return err
}

// ceremony is what the browser has been asked.
func (b *Book) ceremony(r *http.Request) (c ceremony, err error) {
	cookie, err := r.Cookie(b.cookieName(r, ceremonyName))
	if err != nil || b.read(cookie.Value, ceremonyMark, &c) != nil || b.Now().Unix() > c.Until {
		return c, ErrWrong
	}
	return c, nil
}

// finished ends a ceremony, and sees to it that what was signed is of no use a second time: it is a session of nobody that has ended.
func (b *Book) finished(w http.ResponseWriter, r *http.Request, c ceremony) error {
	first, err := b.Keeper.End(r.Context(), "", c.Session.Challenge, b.Now(), time.Unix(c.Until+1, 0))
	if err == nil && !first {
		err = ErrWrong
	}
	b.setCookie(w, r, ceremonyName, "", -1)
	return err
}
