// Package reply is how requests are read and answered over HTTP: JSON both ways, and refusals with a code and a fitting status.
package reply

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"caveau/game"
	"caveau/wire"
)

// status is the HTTP status that fits an error's code; 400 for those that are not here.
var status = map[string]int{
	wire.CodeNoGuest: http.StatusUnauthorized, wire.CodeUninvited: http.StatusForbidden, wire.CodeProgram: http.StatusForbidden,
	wire.CodeNoTable: http.StatusNotFound, wire.CodeNoSeat: http.StatusNotFound, wire.CodeGone: http.StatusGone,
	wire.CodeRunning: http.StatusConflict, wire.CodeEnough: http.StatusConflict, wire.CodeNotYourSeat: http.StatusConflict, wire.CodeNotStarted: http.StatusConflict, wire.CodeOver: http.StatusConflict,
	wire.CodeStorage: http.StatusServiceUnavailable, wire.CodeBusy: http.StatusServiceUnavailable,
	wire.CodeTooMany: http.StatusTooManyRequests, "bad_name": http.StatusBadRequest, "no_passkeys": http.StatusConflict,
}

// JSON answers with a body that nobody keeps.
func JSON(w http.ResponseWriter, code int, body any) {
	data, err := json.Marshal(body)
	if err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(code)
	w.Write(append(data, '\n'))
}

// With answers with a body that nobody keeps, or why there is none.
func With(w http.ResponseWriter, body any, err error) {
	if err != nil {
		Error(w, err)
		return
	}
	JSON(w, http.StatusOK, body)
}

// Refuse answers why something is not done.
func Refuse(w http.ResponseWriter, code int, name, message string) {
	JSON(w, code, wire.Error{Code: name, Message: message})
}

// Error answers with a refusal of the house, and with the status that fits it.
func Error(w http.ResponseWriter, err error) {
	told := *wire.AsError(err)
	code, ok := status[told.Code]
	if !ok {
		code, told.Code = http.StatusBadRequest, "bad_request"
	}
	JSON(w, code, told)
}

// Read reads a body of one JSON object, of at most so many bytes. If it is none, that has been answered.
func Read(w http.ResponseWriter, r *http.Request, most int64, into any) bool {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err == nil {
		err = game.ReadStrict(text, into)
	}
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		Refuse(w, http.StatusRequestEntityTooLarge, "too_long", fmt.Sprintf("at most %d bytes", most))
	case err != nil:
		Refuse(w, http.StatusBadRequest, "bad_request", "the body is not the JSON that is expected: "+err.Error())
	}
	return err == nil
}
