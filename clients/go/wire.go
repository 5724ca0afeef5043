package shedu

import (
	"context"
	"fmt"
	"iter"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"shedu.example/shedu/sheduv1"
)

// quiet is how long calls fail before people are told: a program says within a second what it waits for.
const quiet = 500 * time.Millisecond

// wire makes calls and streams that survive broken connections and restarted servers.
type wire struct {
	channel  *grpc.ClientConn
	catalog  sheduv1.CatalogServiceClient
	games    sheduv1.GameServiceClient
	patience time.Duration
	line     line
}

func newWire(channel *grpc.ClientConn, target string, patience time.Duration, notify func(string)) *wire {
	return &wire{
		channel:  channel,
		catalog:  sheduv1.NewCatalogServiceClient(channel),
		games:    sheduv1.NewGameServiceClient(channel),
		patience: patience,
		line:     line{target: target, notify: notify},
	}
}

func withToken(ctx context.Context, token string) context.Context {
	if token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
}

// call makes a call until it is answered, as long as that may help and the patience lasts.
func call[Request, Response any](
	ctx context.Context,
	w *wire,
	method func(context.Context, *Request, ...grpc.CallOption) (*Response, error),
	request *Request,
	token string,
) (*Response, error) {
	tries := newAttempts(w.patience)
	for {
		attempt, cancel := context.WithTimeout(withToken(ctx, token), tries.timeout())
		answer, err := method(attempt, request)
		cancel()
		if err == nil {
			w.line.answered()
			return answer, nil
		}
		failure := errorOf(err)
		if ctx.Err() != nil {
			return nil, ended(ctx, failure)
		}
		w.line.failed(failure)
		if err := tries.rest(ctx, failure); err != nil {
			return nil, err
		}
	}
}

// follow opens a stream again whenever it breaks. open knows where to go on. take returns whether to go on; it calls
// yield for what the caller is to know, and returns an error for an answer that breaks a promise.
func follow[Message, Item any](
	ctx context.Context,
	w *wire,
	token string,
	open func(context.Context) (grpc.ServerStreamingClient[Message], error),
	take func(*Message, func(Item, error) bool) (bool, error),
) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		var none Item
		tries := newAttempts(w.patience)
		tries.succeeded() // nothing has failed yet, however long it takes until something does
		for {
			goOn, err := once(withToken(ctx, token), w, tries, open, take, yield)
			if !goOn {
				return
			}
			failure := errorOf(err)
			if ctx.Err() != nil {
				yield(none, ended(ctx, failure))
				return
			}
			w.line.failed(failure)
			if err := tries.rest(ctx, failure); err != nil {
				yield(none, err)
				return
			}
		}
	}
}

// once reads one stream to its end. It returns false when the caller has heard all, or wants no more.
func once[Message, Item any](
	ctx context.Context,
	w *wire,
	tries *attempts,
	open func(context.Context) (grpc.ServerStreamingClient[Message], error),
	take func(*Message, func(Item, error) bool) (bool, error),
	yield func(Item, error) bool,
) (bool, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := open(ctx)
	if err != nil {
		return true, err
	}
	for {
		message, err := stream.Recv()
		if err != nil { // also io.EOF: a stream that is over says so before
			return true, err
		}
		tries.succeeded()
		w.line.answered()
		goOn, err := take(message, yield)
		if !goOn || err != nil {
			return goOn, err
		}
	}
}

// line tells people once when nobody has answered for a while, and once when somebody does again.
type line struct {
	target string
	notify func(string)

	mutex     sync.Mutex
	deadSince time.Time
	told      bool
}

func (l *line) answered() {
	l.mutex.Lock()
	told := l.told
	l.told, l.deadSince = false, time.Time{}
	l.mutex.Unlock()
	if told {
		l.notify(l.target + " is back")
	}
}

// failed counts an attempt that nobody answered; an error that the server itself sent is an answer.
func (l *line) failed(err *Error) {
	if l.notify == nil {
		return
	}
	if err.Kind != ErrUnavailable && err.Kind != ErrTimedOut {
		l.answered()
		return
	}
	l.mutex.Lock()
	if l.deadSince.IsZero() {
		l.deadSince = time.Now()
	}
	tell := !l.told && (err.Kind == ErrTimedOut || time.Since(l.deadSince) >= quiet)
	l.told = l.told || tell
	l.mutex.Unlock()
	if tell {
		l.notify(fmt.Sprintf("waiting for %s: %s", l.target, err.Message))
	}
}
