package shedu

import (
	"context"
	"errors"
	"sync"

	"shedu.example/shedu/sheduv1"
)

// seatKey names one seat of one game.
type seatKey struct {
	game string
	seat uint32
}

// invitations plays all seats of a caller, from one inbox.
type invitations struct {
	runner *Runner
	client *Client
	group  sync.WaitGroup

	mutex sync.Mutex
	seats map[seatKey]chan *InboxItem
}

// Run plays every game that the caller has a seat in or is invited to, over one inbox, until Games are over or the
// context is done. It needs an identity. After a crash of the program it continues all games. The report is returned
// also with an error.
func (r *Runner) Run(ctx context.Context, client *Client) (*Report, error) {
	r.ready()
	if err := r.readGames(); err != nil {
		return r.Report(), err
	}
	ctx, cancel := context.WithCancel(ctx)
	all := &invitations{runner: r, client: client, seats: map[seatKey]chan *InboxItem{}}
	err := all.read(ctx, cancel)
	cancel()
	all.group.Wait()
	return r.Report(), err
}

// read passes items on until enough games are over; then stop ends the stream.
func (all *invitations) read(ctx context.Context, stop context.CancelFunc) error {
	for item, err := range all.client.Inbox(ctx, "") {
		if all.enough() {
			return nil
		}
		if err != nil {
			return err
		}
		if all.runner.Title != "" && item.Title != all.runner.Title {
			continue
		}
		all.hand(ctx, stop, item)
	}
	return nil
}

func (all *invitations) enough() bool {
	return all.runner.Games > 0 && all.runner.scores.over() >= all.runner.Games
}

// hand passes an item to the goroutine of its seat, and starts one for a new seat.
func (all *invitations) hand(ctx context.Context, stop context.CancelFunc, item *InboxItem) {
	key := seatKey{item.GameId, item.Seat}
	all.mutex.Lock()
	items, known := all.seats[key]
	if !known {
		if all.runner.Games > 0 && len(all.seats) >= all.runner.Games {
			all.mutex.Unlock() // enough games are under way
			return
		}
		items = make(chan *InboxItem, 64)
		all.seats[key] = items
		all.group.Go(func() {
			all.play(ctx, key, items)
			if all.enough() {
				stop()
			}
		})
	}
	all.mutex.Unlock()
	select {
	case items <- item:
	default: // a seat whose bot is busy: it looks at what is asked then, so the oldest item is not needed
		select {
		case <-items:
		default:
		}
		items <- item
	}
}

// play plays one seat until its game is over. An error ends only this game.
func (all *invitations) play(ctx context.Context, key seatKey, items <-chan *InboxItem) {
	player, bot := all.client.Player(key.game, key.seat, ""), new(seatBot)
	for first := true; ; first = false {
		select {
		case <-ctx.Done():
			return
		case item := <-items:
			done, err := all.deal(ctx, player, bot, item, first)
			if err != nil && ctx.Err() == nil {
				all.runner.lost(key.game, err)
			}
			if done || err != nil {
				return
			}
		}
	}
}

// deal handles an item. It returns true when the game is over.
func (all *invitations) deal(
	ctx context.Context, player *Player, bot *seatBot, item *InboxItem, first bool,
) (bool, error) {
	switch kind := item.Kind.(type) {
	case *sheduv1.InboxItem_Finished:
		all.runner.scores.finished(player.Seat(), kind.Finished.GetOutcome())
		return true, nil
	case *sheduv1.InboxItem_Invited:
		return false, all.join(ctx, player)
	}
	if first {
		if err := reclaim(ctx, player); err != nil {
			return false, err
		}
	}
	return false, all.answer(ctx, player, bot)
}

func (all *invitations) join(ctx context.Context, player *Player) error {
	seat := player.Seat()
	request := &sheduv1.JoinGameRequest{Seat: &seat, DisplayName: all.runner.Name}
	_, err := all.client.Game(player.ID()).Join(ctx, request)
	if errors.Is(err, ErrAlreadyJoined) {
		return nil
	}
	return err
}

// answer plays while the seat has a decision; a repeated item finds none.
func (all *invitations) answer(ctx context.Context, player *Player, bot *seatBot) error {
	for {
		view, err := player.View(ctx)
		if err != nil {
			return err
		}
		turn, err := player.turn(ctx, view, nil)
		if errors.Is(err, ErrNotNow) || (err == nil && turn == nil) {
			return nil
		}
		if err == nil {
			err = all.runner.answer(ctx, bot, turn)
		}
		if err != nil {
			return err
		}
	}
}
