package shedu

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"shedu.example/shedu/sheduv1"
)

// Game is one game as the holder of a token sees it: the token of a seat, of a spectator or of a caller.
type Game struct {
	// InviteCode is needed to join a private game. It is empty unless this client created it.
	InviteCode string
	// SpectatorToken is needed to watch where the game asks for one. It is empty unless this client created it.
	SpectatorToken string

	wire  *wire
	id    string
	token string
	seat  *uint32
}

// ID returns the id of the game.
func (g *Game) ID() string { return g.id }

// Look returns the game: its seats, status and version.
func (g *Game) Look(ctx context.Context) (*sheduv1.Game, error) {
	answer, err := call(ctx, g.wire, g.wire.games.GetGame, &sheduv1.GetGameRequest{GameId: g.id}, g.token)
	return answer.GetGame(), err
}

// Outcome returns the outcome, or nil while the game goes on.
func (g *Game) Outcome(ctx context.Context) (*sheduv1.Outcome, error) {
	game, err := g.Look(ctx)
	return game.GetOutcome(), err
}

// ViewOption changes which view is returned.
type ViewOption func(*sheduv1.GetViewRequest)

// AtVersion selects the view at an earlier version.
func AtVersion(version uint64) ViewOption {
	return func(request *sheduv1.GetViewRequest) { request.Version = &version }
}

// AsSeat selects the view of a seat, after the end of the game.
func AsSeat(seat uint32) ViewOption {
	return func(request *sheduv1.GetViewRequest) { request.AsSeat = &seat }
}

// View returns the view of the caller.
func (g *Game) View(ctx context.Context, opts ...ViewOption) (*sheduv1.View, error) {
	request := &sheduv1.GetViewRequest{GameId: g.id, Seat: g.seat}
	for _, option := range opts {
		option(request)
	}
	answer, err := call(ctx, g.wire, g.wire.games.GetView, request, g.token)
	return answer.GetView(), err
}

// Events returns the events after a version, page by page.
func (g *Game) Events(ctx context.Context, after uint64) iter.Seq2[*sheduv1.Event, error] {
	return func(yield func(*sheduv1.Event, error) bool) {
		request := &sheduv1.ListEventsRequest{
			GameId: g.id, AfterVersion: after, PageSize: eventPage, Seat: g.seat,
		}
		for {
			page, err := call(ctx, g.wire, g.wire.games.ListEvents, request, g.token)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, event := range page.Events {
				if !yield(event, nil) {
					return
				}
			}
			if page.NextPageToken == "" {
				return
			}
			request.PageToken = page.NextPageToken
		}
	}
}

// Watch streams the game until it is over. The first moment is the current view; then every version comes
// once, in order, also across reconnects.
func (g *Game) Watch(ctx context.Context) iter.Seq2[*Moment, error] { return g.watch(ctx, nil) }

// WatchAfter streams the game after the last version that was already seen; 0 begins with the first event.
func (g *Game) WatchAfter(ctx context.Context, version uint64) iter.Seq2[*Moment, error] {
	return g.watch(ctx, &version)
}

// Fairness returns the commitment to the luck of the game and, after the end, the seed.
func (g *Game) Fairness(ctx context.Context) (*sheduv1.Fairness, error) {
	answer, err := call(ctx, g.wire, g.wire.games.GetFairness, &sheduv1.GetFairnessRequest{GameId: g.id}, g.token)
	return answer.GetFairness(), err
}

// Join takes a seat: the one that the request names, else the first open one. nil is an empty request. The game
// id, and the invite code and the request id unless they are set, are filled in.
func (g *Game) Join(ctx context.Context, request *sheduv1.JoinGameRequest) (*Player, error) {
	made := &sheduv1.JoinGameRequest{InviteCode: g.InviteCode}
	proto.Merge(made, request)
	made.GameId = g.id
	fill(&made.RequestId)
	joined, err := call(ctx, g.wire, g.wire.games.JoinGame, made, g.token)
	if err != nil {
		return nil, err
	}
	seat := joined.Seat
	return &Player{Game{wire: g.wire, id: g.id, token: joined.SeatToken, seat: &seat}}, nil
}

// Fork creates a sandbox with the position of a version, or of now if it is nil. All its seats are the caller's, but
// those for which bots names a level: one entry for each seat, empty for the caller's own.
func (g *Game) Fork(ctx context.Context, version *uint64, bots ...string) ([]*Player, error) {
	request := &sheduv1.ForkGameRequest{
		GameId: g.id, Version: version, Seats: Seats(0, bots...), Seat: g.seat, RequestId: NewRequestID(),
	}
	made, err := call(ctx, g.wire, g.wire.games.ForkGame, request, g.token)
	if err != nil {
		return nil, err
	}
	var players []*Player
	for number, token := range made.SeatTokens {
		seat := uint32(number)
		players = append(players, &Player{Game{wire: g.wire, id: made.Game.GetGameId(), token: token, seat: &seat}})
	}
	return players, nil
}

// Export writes a finished game as JSON lines, from which shedu replay and shedu verify read it. The error is ErrNotNow
// while the game goes on.
func (g *Game) Export(ctx context.Context, file io.Writer) error {
	game, err := g.Look(ctx)
	if err != nil {
		return err
	}
	if game.Outcome == nil {
		failed := newError(ErrNotNow, "game "+g.id+" is not over")
		failed.Code, failed.Reason = codes.FailedPrecondition, "GAME_NOT_OVER"
		return failed
	}
	outcome := game.Outcome
	game.Outcome = nil
	if err := writeLine(file, `{"format":"shedu-game","formatVersion":1,`, game, ""); err != nil {
		return err
	}
	for event, err := range g.Events(ctx, 0) {
		if err == nil {
			err = writeLine(file, "{", event, "")
		}
		if err != nil {
			return err
		}
	}
	return writeLine(file, `{"outcome":{`, outcome, "}")
}

// writeLine writes a message that has at least one field, with a beginning in place of its brace.
func writeLine(file io.Writer, beginning string, message proto.Message, end string) error {
	text, err := protojson.Marshal(message)
	if err != nil {
		return err
	}
	var line bytes.Buffer
	if err := json.Compact(&line, text); err != nil { // protojson varies its spaces
		return err
	}
	_, err = fmt.Fprintf(file, "%s%s%s\n", beginning, line.Bytes()[1:], end)
	return err
}
