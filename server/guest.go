package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"caveau/wire"
)

// cookieName is the cookie that says who somebody is: his id and name, signed.
const cookieName = "caveau_guest"

// Strict: no second text says the same.
var base = base64.RawURLEncoding.Strict()

// whois is the guest that a request comes from, false if nobody we have named.
func (s *Server) whois(r *http.Request) (g wire.Guest, ok bool) {
	c, err := r.Cookie(cookieName)
	if err != nil {
		return g, false
	}
	text, mark, _ := strings.Cut(c.Value, ".")
	signed, err := base.DecodeString(mark)
	if err != nil || !hmac.Equal(signed, s.sign(text)) {
		return g, false
	}
	data, err := base.DecodeString(text)
	if err != nil || json.Unmarshal(data, &g) != nil || g.ID == "" {
		return wire.Guest{}, false
	}
	return g, true
}

func (s *Server) sign(text string) []byte {
	mac := hmac.New(sha256.New, s.Secret)
	mac.Write([]byte(cookieName + "\n" + text))
	return mac.Sum(nil)
}

// remember gives the guest his cookie.
func (s *Server) remember(w http.ResponseWriter, g wire.Guest) error {
	data, err := json.Marshal(g)
	if err != nil {
		return err
	}
	text := base.EncodeToString(data)
	s.setCookie(w, text+"."+base.EncodeToString(s.sign(text)), 365*24*3600)
	return nil
}

// forget takes his cookie back.
func (s *Server) forget(w http.ResponseWriter) { s.setCookie(w, "", -1) }

func (s *Server) setCookie(w http.ResponseWriter, value string, seconds int) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName, Value: value, Path: "/", MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: s.origin.Scheme == "https",
	})
}

// newGuestID draws an id that nobody can guess.
func (s *Server) newGuestID() (string, error) {
	id := make([]byte, 16)
	_, err := io.ReadFull(s.Random, id)
	return hex.EncodeToString(id), err
}
