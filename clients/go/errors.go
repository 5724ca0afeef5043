package shedu

import (
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"shedu.example/shedu/sheduv1"
)

// Kinds of failure, for errors.Is. Each failure is an [*Error] of one kind.
var (
	// ErrInvalidRequest: a field has an invalid value; Violations names each.
	ErrInvalidRequest = errors.New("invalid request")
	// ErrNotFound: no such title, game or seat, or none that the caller may know of.
	ErrNotFound = errors.New("not found")
	// ErrUnauthenticated: the call needs a token, or has a bad or an expired one.
	ErrUnauthenticated = errors.New("unauthenticated")
	// ErrForbidden: the token is valid, but does not permit the call.
	ErrForbidden = errors.New("forbidden")
	// ErrAlreadyJoined: the caller has that seat.
	ErrAlreadyJoined = errors.New("already joined")
	// ErrNotNow: the game is not in the state for it; Reason says why.
	ErrNotNow = errors.New("not now")
	// ErrRefused: the rules of the title refuse the action; Reason and Rule say why.
	ErrRefused = errors.New("refused by the rules")
	// ErrStale: the decision was answered or the version has passed; Missed has what happened since.
	ErrStale = errors.New("stale")
	// ErrVersionInFuture: the game has not reached that version.
	ErrVersionInFuture = errors.New("version in the future")
	// ErrTooMuch: over a limit; RetryAfter says when to try again.
	ErrTooMuch = errors.New("too much")
	// ErrTooLarge: the request or its headers are too large.
	ErrTooLarge = errors.New("too large")
	// ErrUnavailable: no server answers, or its store is down.
	ErrUnavailable = errors.New("unavailable")
	// ErrTimedOut: no answer in time; whether the call took effect is not known.
	ErrTimedOut = errors.New("timed out")
	// ErrCanceled: the context of the call was canceled.
	ErrCanceled = errors.New("canceled")
	// ErrUnreadable: the server cannot read the log of the game.
	ErrUnreadable = errors.New("unreadable")
	// ErrNotOffered: the server does not know the call, or the port is one of another protocol.
	ErrNotOffered = errors.New("not offered")
	// ErrInternal: a fault of the service, or an answer that breaks its promises.
	ErrInternal = errors.New("internal error")
	// ErrInvalidAddress: the address or the certificates given to Connect cannot be used.
	ErrInvalidAddress = errors.New("invalid address")
)

// Violation is a problem of one field of a request.
type Violation struct {
	Field       string
	Description string
}

// Error is the error of a failed call. Get it with errors.As, or compare its kind with errors.Is(err, ErrStale).
type Error struct {
	// Kind is one of the Err variables of this package.
	Kind error
	// Code is the status code of gRPC.
	Code codes.Code
	// Message is a human-readable description.
	Message string
	// Reason is a stable code such as "GAME_NOT_FOUND", or one of the title if the rules refuse. It is empty if no
	// server answered.
	Reason string
	// Rule is the id of the rule behind a refusal, such as "TT-2".
	Rule string
	// Metadata is that of the ErrorInfo.
	Metadata map[string]string
	// Violations names the invalid fields of a request.
	Violations []Violation
	// RetryAfter is when to try again; 0 if the server did not say.
	RetryAfter time.Duration
	// Missed has the events that a stale caller has not seen.
	Missed *sheduv1.MissedEvents

	cause error
}

// Error returns the message with the reason.
func (e *Error) Error() string { return "shedu: " + e.text() }

func (e *Error) text() string {
	if e.Reason == "" {
		return e.Message
	}
	return e.Message + " (" + e.Reason + ")"
}

// Unwrap returns the kind and the error of gRPC or of the context.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.cause}
}

func newError(kind error, message string) *Error {
	return &Error{Kind: kind, Code: codes.Unknown, Message: message}
}

var kinds = map[codes.Code]error{
	codes.InvalidArgument:    ErrInvalidRequest,
	codes.NotFound:           ErrNotFound,
	codes.Unauthenticated:    ErrUnauthenticated,
	codes.PermissionDenied:   ErrForbidden,
	codes.AlreadyExists:      ErrAlreadyJoined,
	codes.FailedPrecondition: ErrNotNow,
	codes.Aborted:            ErrStale,
	codes.OutOfRange:         ErrVersionInFuture,
	codes.ResourceExhausted:  ErrTooMuch,
	codes.Unavailable:        ErrUnavailable,
	codes.DeadlineExceeded:   ErrTimedOut,
	codes.DataLoss:           ErrUnreadable,
	codes.Unimplemented:      ErrNotOffered,
}

// wrongPorts has what grpc-go says about a connection to a port of another protocol, which no further attempt changes,
// and what to do about it. The first sign that is found counts.
var wrongPorts = []struct{ sign, advice string }{
	{
		"looked like an HTTP/1.1 header",
		"this is a port of HTTP, such as that of REST; gRPC is another one, by default " + plainPort,
	},
	{
		"frame too large",
		"this port does not speak gRPC without TLS; if it uses TLS, its address begins with grpcs://",
	},
	{
		"first record does not look like a TLS handshake",
		"the server does not use TLS: its address begins with grpc://",
	},
}

// errorOf converts the error that gRPC returned for a failed attempt.
func errorOf(err error) *Error {
	var known *Error
	if errors.As(err, &known) {
		return known
	}
	if errors.Is(err, io.EOF) {
		return &Error{Kind: ErrUnavailable, Code: codes.Unavailable, Message: "the stream ended", cause: err}
	}
	answer := status.Convert(err)
	made := &Error{Code: answer.Code(), Message: answer.Message(), cause: err}
	for _, detail := range answer.Details() {
		made.read(detail)
	}
	made.Kind = kindOf(made)
	for _, port := range wrongPorts {
		if made.Reason == "" && strings.Contains(made.Message, port.sign) {
			made.Kind, made.Message = ErrNotOffered, port.advice
			break
		}
	}
	return made
}

func (e *Error) read(detail any) {
	switch found := detail.(type) {
	case *errdetails.ErrorInfo:
		e.Reason, e.Metadata, e.Rule = found.Reason, found.Metadata, found.Metadata["rule"]
	case *errdetails.BadRequest:
		for _, violation := range found.FieldViolations {
			e.Violations = append(e.Violations, Violation{violation.Field, violation.Description})
		}
	case *errdetails.RetryInfo:
		e.RetryAfter = found.RetryDelay.AsDuration()
	case *sheduv1.MissedEvents:
		e.Missed = found
	}
}

func kindOf(e *Error) error {
	switch e.Code {
	case codes.Canceled, codes.Internal, codes.Unknown:
		// Without a reason it comes from gRPC or a proxy when a connection breaks.
		if e.Reason == "" {
			return ErrUnavailable
		}
		return ErrInternal
	}
	if e.Reason == "REQUEST_TOO_LARGE" || e.Reason == "HEADERS_TOO_LARGE" {
		return ErrTooLarge
	}
	if e.Rule != "" {
		return ErrRefused
	}
	if kind, known := kinds[e.Code]; known {
		return kind
	}
	return ErrInternal
}

// ended returns the error of a call whose context is done; last is the failure of its last attempt, if any.
func ended(ctx context.Context, last *Error) *Error {
	made := &Error{Kind: ErrCanceled, Code: codes.Canceled, Message: context.Cause(ctx).Error(), cause: ctx.Err()}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		made.Kind, made.Code = ErrTimedOut, codes.DeadlineExceeded
	}
	if last != nil && last.Code != codes.Canceled && last.Code != codes.DeadlineExceeded {
		made.Message += "; before that: " + last.Message
	}
	return made
}
