package shedu

import (
	"context"
	"fmt"
	"iter"

	"google.golang.org/grpc"

	"shedu.example/shedu/sheduv1"
)

// Moment is a set of events with one cause and the view that they lead to. The first of a stream may have no events.
type Moment struct {
	View   *sheduv1.View
	Events []*sheduv1.Event
	// Live is false for what had happened when the stream began.
	Live bool
}

// InboxItem is something that wants the caller's attention. Keep Cursor to go on after it another day.
type InboxItem struct {
	*sheduv1.InboxItem
	Cursor string
}

// gameStream is how far the stream of one game has got.
type gameStream struct {
	request *sheduv1.WatchGameRequest
	live    bool
}

func (g *Game) watch(ctx context.Context, after *uint64) iter.Seq2[*Moment, error] {
	return func(yield func(*Moment, error) bool) {
		request := &sheduv1.WatchGameRequest{GameId: g.id, AfterVersion: after, Seat: g.seat}
		stream := &gameStream{request: request}
		open := func(ctx context.Context) (grpc.ServerStreamingClient[sheduv1.WatchGameResponse], error) {
			return g.wire.games.WatchGame(ctx, stream.request)
		}
		follow(ctx, g.wire, g.token, open, stream.take)(yield)
	}
}

// take hands each version on once. Kinds of messages that this client does not know are passed over.
func (s *gameStream) take(
	message *sheduv1.WatchGameResponse, yield func(*Moment, error) bool,
) (bool, error) {
	switch kind := message.Kind.(type) {
	case *sheduv1.WatchGameResponse_Snapshot:
		return s.begin(kind.Snapshot, yield)
	case *sheduv1.WatchGameResponse_Happened:
		return s.goOn(kind.Happened, yield)
	case *sheduv1.WatchGameResponse_CaughtUp:
		s.live = true
	case *sheduv1.WatchGameResponse_GoAway:
		return kind.GoAway.Reason != sheduv1.GoAwayReason_GO_AWAY_REASON_FINISHED, nil
	}
	return true, nil
}

func (s *gameStream) begin(view *sheduv1.View, yield func(*Moment, error) bool) (bool, error) {
	if s.request.AfterVersion == nil {
		version := view.Version
		s.request.AfterVersion = &version
		return yield(&Moment{View: view}, nil), nil
	}
	if view.Version > *s.request.AfterVersion {
		return true, s.gap(view.Version)
	}
	return true, nil
}

func (s *gameStream) goOn(happened *sheduv1.Happened, yield func(*Moment, error) bool) (bool, error) {
	seen := s.request.GetAfterVersion()
	var news []*sheduv1.Event
	for _, event := range happened.Events {
		if event.Version > seen {
			news = append(news, event)
		}
	}
	if len(news) == 0 {
		return true, nil
	}
	if news[0].Version != seen+1 {
		return true, s.gap(news[0].Version)
	}
	version := news[len(news)-1].Version
	s.request.AfterVersion = &version
	return yield(&Moment{happened.View, news, s.live}, nil), nil
}

func (s *gameStream) gap(version uint64) error {
	return newError(ErrInternal, fmt.Sprintf("the stream of game %s leaps from version %d to %d",
		s.request.GameId, s.request.GetAfterVersion(), version))
}

// inbox streams the inbox of whoever has the token. An item counts as dealt with when the caller asks for the next one.
func (w *wire) inbox(ctx context.Context, cursor, token string) iter.Seq2[*InboxItem, error] {
	return func(yield func(*InboxItem, error) bool) {
		request := &sheduv1.WatchInboxRequest{Cursor: cursor}
		open := func(ctx context.Context) (grpc.ServerStreamingClient[sheduv1.WatchInboxResponse], error) {
			return w.games.WatchInbox(ctx, request)
		}
		take := func(message *sheduv1.WatchInboxResponse, yield func(*InboxItem, error) bool) (bool, error) {
			if item := message.GetItem(); item != nil && !yield(&InboxItem{item, message.Cursor}, nil) {
				return false, nil
			}
			if message.Cursor != "" {
				request.Cursor = message.Cursor
			}
			return message.GetGoAway().GetReason() != sheduv1.GoAwayReason_GO_AWAY_REASON_FINISHED, nil
		}
		follow(ctx, w, token, open, take)(yield)
	}
}
