package shedu

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"google.golang.org/protobuf/proto"

	"shedu.example/shedu/sheduv1"
)

// DecideFunc is a bot: it returns one of the actions of the turn. It may read all of the turn, and change none of it.
type DecideFunc func(turn *Turn) *sheduv1.LegalAction

// Runner plays for a bot, many games at once, through restarts of the server. Its zero value with Decide or NewBot set is
// ready.
type Runner struct {
	// Decide is a bot that keeps no state, or that can be asked about several games in turn.
	Decide DecideFunc
	// NewBot creates a bot for each game, which may keep state: func() DecideFunc { return new(myBot).decide }. It is
	// used if Decide is nil. A bot that is too slow is replaced by a new one.
	NewBot func() DecideFunc
	// Name is shown to others in the game.
	Name string
	// Title is the only title that is played; empty for all.
	Title string
	// Games is after how many games Run returns. 0 is SHEDU_GAMES or, without it, never.
	Games int
	// Parallel is how many decisions the bot is asked for at a time, never two of one seat; 1 unless set. Decide must be
	// safe for concurrent use if it is more.
	Parallel int
	// DecisionTimeout is how long the bot may take, one minute unless set. After it the decision counts as a failure.
	DecisionTimeout time.Duration
	// ResignOnFailure gives up where the bot fails; otherwise the first legal action is played.
	ResignOnFailure bool
	// Notify is told what people should know, such as why the bot failed: each kind of failure once.
	Notify func(string)

	once      sync.Once
	slots     chan struct{}
	scores    scores
	described sync.Map // by kind of failure
}

// seatBot is the bot of one seat; nil until it is asked, and after it was too slow.
type seatBot struct{ decide DecideFunc }

// Report returns how the bot has fared until now.
func (r *Runner) Report() *Report { return r.scores.result() }

func (r *Runner) ready() {
	r.once.Do(func() {
		r.slots = make(chan struct{}, max(1, r.Parallel))
	})
}

// readGames reads SHEDU_GAMES, unless Games is set.
func (r *Runner) readGames() error {
	if value := strings.TrimSpace(os.Getenv("SHEDU_GAMES")); r.Games == 0 && value != "" {
		games, err := strconv.Atoi(value)
		if err != nil {
			return newError(ErrInvalidRequest, "SHEDU_GAMES is not a number: "+value)
		}
		r.Games = games
	}
	if r.Games < 0 {
		return newError(ErrInvalidRequest, fmt.Sprintf("games is %d, less than 0", r.Games))
	}
	return nil
}

// Play plays one seat to the end of its game. It needs no identity.
func (r *Runner) Play(ctx context.Context, player *Player) (*sheduv1.Outcome, error) {
	r.ready()
	if err := reclaim(ctx, player); err != nil {
		return nil, err
	}
	var bot seatBot
	for turn, err := range player.Turns(ctx) {
		if err == nil {
			err = r.answer(ctx, &bot, turn)
		}
		if err != nil {
			return nil, err
		}
	}
	outcome, err := player.Outcome(ctx)
	if err == nil {
		r.scores.finished(player.Seat(), outcome)
	}
	return outcome, err
}

// PlayAll plays these seats at the same time. An error in one game does not end the others; it returns all of them.
func (r *Runner) PlayAll(ctx context.Context, players ...*Player) (*Report, error) {
	failures := make([]error, len(players))
	var group sync.WaitGroup
	for number, player := range players {
		group.Go(func() {
			if _, err := r.Play(ctx, player); err != nil {
				failures[number] = fmt.Errorf("game %s: %w", player.ID(), err)
				r.lost(player.ID(), err)
			}
		})
	}
	group.Wait()
	return r.Report(), errors.Join(failures...)
}

// answer asks the bot and plays what it says. That the decision is no longer open is no error.
func (r *Runner) answer(ctx context.Context, bot *seatBot, turn *Turn) error {
	action, err := r.think(ctx, bot, turn)
	if ctx.Err() != nil {
		return ended(ctx, nil)
	}
	if err != nil {
		r.scores.change(func(report *Report) { report.Failures++ })
		r.describe(turn.Decision.DecisionId, err)
		action = turn.Actions[0]
	}
	began := time.Now()
	if err != nil && r.ResignOnFailure {
		_, err = turn.Player.Resign(ctx)
	} else {
		_, err = turn.Play(ctx, action)
	}
	if errors.Is(err, ErrStale) || errors.Is(err, ErrNotNow) { // the clock, an undo or another process answered
		r.scores.change(func(report *Report) { report.Late++ })
		return reclaim(ctx, turn.Player)
	}
	if err == nil {
		r.scores.decided(time.Since(began))
	}
	return err
}

// think asks the bot, in a goroutine of its own: one that hangs is left alone.
func (r *Runner) think(ctx context.Context, bot *seatBot, turn *Turn) (*sheduv1.LegalAction, error) {
	asked := time.Now()
	select {
	case r.slots <- struct{}{}:
		defer func() { <-r.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	limit := r.DecisionTimeout
	if limit == 0 {
		limit = time.Minute
	}
	began, answered, decide := time.Now(), make(chan thought, 1), bot.decide
	go func() { answered <- r.ask(decide, turn) }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case found := <-answered:
		bot.decide = found.bot
		r.scores.thought(began.Sub(asked), time.Since(began))
		return found.action, found.err
	case <-timer.C:
		bot.decide = nil // it may still be at work; another one goes on
		return nil, &botFailure{kind: "slow", text: fmt.Sprintf("no answer after %v", limit)}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type thought struct {
	bot    DecideFunc
	action *sheduv1.LegalAction
	err    error
}

// ask asks the bot of a seat, and creates it before if it is nil.
func (r *Runner) ask(bot DecideFunc, turn *Turn) (found thought) {
	defer func() {
		if trouble := recover(); trouble != nil {
			found = thought{bot: bot, err: panicked(trouble)}
		}
	}()
	if bot == nil {
		if bot = r.Decide; bot == nil {
			bot = r.NewBot()
		}
	}
	chosen := bot(turn)
	for _, legal := range turn.Actions {
		if chosen != nil && (legal == chosen || proto.Equal(legal.Action, chosen.Action)) {
			return thought{bot: bot, action: legal}
		}
	}
	return thought{bot: bot, err: &botFailure{kind: "wrong", text: "it returns none of the legal actions"}}
}

// reclaim takes the seat back if a bot took it over when time was up, and the game still goes on.
func reclaim(ctx context.Context, player *Player) error {
	game, err := player.Look(ctx)
	if err != nil {
		return err
	}
	if seats := game.GetSeats(); int(player.Seat()) >= len(seats) || !seats[player.Seat()].TakenOver {
		return nil
	}
	if _, err = player.Reclaim(ctx); errors.Is(err, ErrNotNow) { // the game is over, or another process was faster
		return nil
	}
	return err
}

func (r *Runner) lost(game string, err error) {
	r.scores.change(func(report *Report) { report.Lost++ })
	r.notify(fmt.Sprintf("game %s is left alone: %v", game, err))
}

func (r *Runner) notify(message string) {
	if r.Notify != nil {
		r.Notify(r.named(message))
	}
}

func (r *Runner) named(message string) string {
	if r.Name == "" {
		return message
	}
	return r.Name + ": " + message
}
