package shedu

import (
	"context"
	"errors"
	"iter"

	"shedu.example/shedu/sheduv1"
)

// Player is one seat of a game. Its token is the right to play it: keep it secret.
type Player struct{ Game }

// Seat returns the number of the seat.
func (p *Player) Seat() uint32 { return *p.seat }

// Token returns the token of the seat. Client.Player continues with it.
func (p *Player) Token() string { return p.token }

// Legal has the open decision of a seat and its legal actions. Decision is nil if the seat has none.
type Legal struct {
	Decision *sheduv1.Decision
	Actions  []*sheduv1.LegalAction
	Version  uint64
}

// LegalActions returns the open decision of the seat, if any, and all its legal actions.
func (p *Player) LegalActions(ctx context.Context) (*Legal, error) {
	for {
		legal, err := p.allPages(ctx)
		if !errors.Is(err, ErrStale) { // else the game moved on between two pages
			return legal, err
		}
	}
}

func (p *Player) allPages(ctx context.Context) (*Legal, error) {
	legal := &Legal{}
	request := &sheduv1.ListLegalActionsRequest{GameId: p.id, PageSize: actionPage, Seat: p.seat}
	for {
		page, err := call(ctx, p.wire, p.wire.games.ListLegalActions, request, p.token)
		if err != nil {
			return nil, err
		}
		legal.Actions = append(legal.Actions, page.Actions...)
		legal.Decision, legal.Version = page.Decision, page.Version
		if page.NextPageToken == "" {
			return legal, nil
		}
		request.PageToken = page.NextPageToken
	}
}

// PlayOption changes how an action is played.
type PlayOption func(*sheduv1.PlayActionRequest)

// WithRequestID sets the request id, so that a move is played once even if your program crashes and repeats it.
func WithRequestID(id string) PlayOption {
	return func(request *sheduv1.PlayActionRequest) { request.RequestId = id }
}

// ExpectVersion refuses the action unless the game is at this version.
func ExpectVersion(version uint64) PlayOption {
	return func(request *sheduv1.PlayActionRequest) { request.ExpectedVersion = &version }
}

// ValidateOnly only checks whether the action would be accepted.
func ValidateOnly() PlayOption {
	return func(request *sheduv1.PlayActionRequest) { request.ValidateOnly = true }
}

// Play answers a decision, and returns the events and the view of the seat. The error is ErrRefused when the
// rules refuse the action, and ErrStale when the decision is no longer open.
func (p *Player) Play(
	ctx context.Context, decisionID string, action *sheduv1.Action, opts ...PlayOption,
) (*sheduv1.PlayActionResponse, error) {
	request := &sheduv1.PlayActionRequest{GameId: p.id, DecisionId: decisionID, Action: action, Seat: p.seat}
	for _, option := range opts {
		option(request)
	}
	fill(&request.RequestId)
	return call(ctx, p.wire, p.wire.games.PlayAction, request, p.token)
}

// Turn is a decision of a seat, the view of the seat, and all legal actions.
type Turn struct {
	Player   *Player
	View     *sheduv1.View
	Decision *sheduv1.Decision
	Actions  []*sheduv1.LegalAction
}

// Play answers the decision with one of the actions.
func (t *Turn) Play(ctx context.Context, action *sheduv1.LegalAction) (*sheduv1.PlayActionResponse, error) {
	return t.Player.Play(ctx, t.Decision.DecisionId, action.Action)
}

// Turns streams every decision of the seat once, until the game is over.
func (p *Player) Turns(ctx context.Context) iter.Seq2[*Turn, error] {
	return func(yield func(*Turn, error) bool) {
		handedOn := map[string]bool{}
		for moment, err := range p.Watch(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			p.forget(moment, handedOn)
			turn, err := p.turn(ctx, moment.View, handedOn)
			if err != nil {
				yield(nil, err)
				return
			}
			if turn != nil {
				handedOn[turn.Decision.DecisionId] = true
				if !yield(turn, nil) {
					return
				}
			}
		}
	}
}

// forget lets decisions be delivered again when the seat was reclaimed from a bot.
func (p *Player) forget(moment *Moment, handedOn map[string]bool) {
	for _, event := range moment.Events {
		if taken := event.GetSeatReclaimed(); taken != nil && taken.Seat == *p.seat {
			clear(handedOn)
		}
	}
}

// turn returns the decision of the seat in a view, unless it was delivered or answered before.
func (p *Player) turn(ctx context.Context, view *sheduv1.View, handedOn map[string]bool) (*Turn, error) {
	asked := map[string]bool{}
	for _, decision := range view.GetDecisions() {
		if decision.Seat == *p.seat && !handedOn[decision.DecisionId] {
			asked[decision.DecisionId] = true
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	legal, err := p.LegalActions(ctx)
	if err != nil || legal.Decision == nil || !asked[legal.Decision.DecisionId] {
		return nil, err
	}
	return &Turn{p, view, legal.Decision, legal.Actions}, nil
}

// Inbox streams what needs attention for this seat until the game is over. See Client.Inbox.
func (p *Player) Inbox(ctx context.Context, cursor string) iter.Seq2[*InboxItem, error] {
	return p.wire.inbox(ctx, cursor, p.token)
}

// Leave leaves the seat before the start.
func (p *Player) Leave(ctx context.Context) (*sheduv1.Game, error) {
	request := &sheduv1.LeaveGameRequest{GameId: p.id, Seat: p.seat, RequestId: NewRequestID()}
	answer, err := call(ctx, p.wire, p.wire.games.LeaveGame, request, p.token)
	return answer.GetGame(), err
}

// Start starts a full game that was created with ManualStart.
func (p *Player) Start(ctx context.Context) (*sheduv1.Game, error) {
	request := &sheduv1.StartGameRequest{GameId: p.id, Seat: p.seat, RequestId: NewRequestID()}
	answer, err := call(ctx, p.wire, p.wire.games.StartGame, request, p.token)
	return answer.GetGame(), err
}

// AddBot seats a hosted bot before the start, and returns where. An empty level is the choice of the title.
func (p *Player) AddBot(ctx context.Context, level string) (uint32, error) {
	request := &sheduv1.AddBotRequest{GameId: p.id, Seat: p.seat, BotLevel: level, RequestId: NewRequestID()}
	answer, err := call(ctx, p.wire, p.wire.games.AddBot, request, p.token)
	return answer.GetBotSeat(), err
}

// Resign resigns; it cannot be undone.
func (p *Player) Resign(ctx context.Context) (*sheduv1.Game, error) {
	request := &sheduv1.ResignRequest{GameId: p.id, Seat: p.seat, RequestId: NewRequestID()}
	answer, err := call(ctx, p.wire, p.wire.games.Resign, request, p.token)
	return answer.GetGame(), err
}

// Reclaim takes the seat back from the bot that took it over when time was up.
func (p *Player) Reclaim(ctx context.Context) (*sheduv1.Game, error) {
	request := &sheduv1.ReclaimSeatRequest{GameId: p.id, Seat: p.seat, RequestId: NewRequestID()}
	answer, err := call(ctx, p.wire, p.wire.games.ReclaimSeat, request, p.token)
	return answer.GetGame(), err
}

// Undo takes back the last action of the seat, or everything after a version: at once if nothing was revealed since,
// otherwise when all others agree.
func (p *Player) Undo(ctx context.Context, toVersion *uint64) (*sheduv1.ProposeUndoResponse, error) {
	request := &sheduv1.ProposeUndoRequest{
		GameId: p.id, Seat: p.seat, ToVersion: toVersion, RequestId: NewRequestID(),
	}
	return call(ctx, p.wire, p.wire.games.ProposeUndo, request, p.token)
}

// ProposeAbandon ends the game without a winner when all others agree.
func (p *Player) ProposeAbandon(ctx context.Context) (*sheduv1.ProposeAbandonResponse, error) {
	request := &sheduv1.ProposeAbandonRequest{GameId: p.id, Seat: p.seat, RequestId: NewRequestID()}
	return call(ctx, p.wire, p.wire.games.ProposeAbandon, request, p.token)
}

// Answer accepts or declines a proposal.
func (p *Player) Answer(
	ctx context.Context, proposalID string, accept bool,
) (*sheduv1.AnswerProposalResponse, error) {
	request := &sheduv1.AnswerProposalRequest{
		GameId: p.id, Seat: p.seat, ProposalId: proposalID, Accept: accept, RequestId: NewRequestID(),
	}
	return call(ctx, p.wire, p.wire.games.AnswerProposal, request, p.token)
}

// Rematch returns the same seat in a new game with the same settings.
func (p *Player) Rematch(ctx context.Context) (*Player, error) {
	request := &sheduv1.RematchRequest{GameId: p.id, Seat: p.seat, RequestId: NewRequestID()}
	again, err := call(ctx, p.wire, p.wire.games.Rematch, request, p.token)
	if err != nil {
		return nil, err
	}
	seat := again.Seat
	return &Player{Game{wire: p.wire, id: again.Game.GetGameId(), token: again.SeatToken, seat: &seat}}, nil
}

// RefreshToken returns the seat with a token that is valid for longer.
func (p *Player) RefreshToken(ctx context.Context) (*Player, error) {
	request := &sheduv1.RefreshSeatTokenRequest{GameId: p.id, Seat: p.seat}
	answer, err := call(ctx, p.wire, p.wire.games.RefreshSeatToken, request, p.token)
	if err != nil {
		return nil, err
	}
	return p.with(answer.SeatToken), nil
}

// RevokeTokens invalidates all earlier tokens of the seat, and returns the seat with a new one.
func (p *Player) RevokeTokens(ctx context.Context) (*Player, error) {
	request := &sheduv1.RevokeSeatTokensRequest{GameId: p.id, Seat: p.seat, RequestId: NewRequestID()}
	answer, err := call(ctx, p.wire, p.wire.games.RevokeSeatTokens, request, p.token)
	if err != nil {
		return nil, err
	}
	return p.with(answer.SeatToken), nil
}

func (p *Player) with(token string) *Player {
	return &Player{Game{wire: p.wire, id: p.id, token: token, seat: p.seat}}
}
