package shedu

import (
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"shedu.example/shedu/sheduv1"
	"shedu.example/shedu/tidesv1"
)

// serverOf returns the address of a real server; without one the test cannot run.
func serverOf(t *testing.T, variable string) string {
	t.Helper()
	address := os.Getenv(variable)
	if address == "" {
		t.Skip(variable + " names no server")
	}
	return address
}

// tides returns the two seats of a new game.
func tides(t *testing.T, address string) (*Client, *Player, *Player) {
	t.Helper()
	client, err := Connect(address, WithPatience(2*time.Minute), WithToken(""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	game, err := client.Create(t.Context(), &sheduv1.CreateGameRequest{Title: "tides"})
	if err != nil {
		t.Fatal(err)
	}
	var players []*Player
	for range 2 {
		player, err := game.Join(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		players = append(players, player)
	}
	return client, players[0], players[1]
}

func TestARefusalNamesItsRuleAndAStaleCallerWhatItMissed(t *testing.T) {
	_, ann, _ := tides(t, serverOf(t, "SHEDU_TEST_SERVER"))
	legal, err := ann.LegalActions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	relic := &tidesv1.Action{Kind: &tidesv1.Action_ChooseRelic{ChooseRelic: &tidesv1.ChooseRelic{Relic: 1, Removed: 2}}}
	var failed *Error

	_, err = ann.Play(t.Context(), legal.Decision.DecisionId, &sheduv1.Action{Title: &sheduv1.Action_Tides{Tides: relic}})
	if !errors.Is(err, ErrRefused) || !errors.As(err, &failed) || failed.Rule != "TT-2" {
		t.Fatal(err)
	}
	if _, err = ann.Play(t.Context(), legal.Decision.DecisionId, legal.Actions[0].Action); err != nil {
		t.Fatal(err)
	}
	_, err = ann.Play(t.Context(), legal.Decision.DecisionId, legal.Actions[1].Action)
	if !errors.Is(err, ErrStale) || !errors.As(err, &failed) || len(failed.Missed.GetEvents()) != 1 {
		t.Fatal(err)
	}
}

func TestAnExpiredTokenIsATypedError(t *testing.T) {
	_, ann, _ := tides(t, serverOf(t, "SHEDU_TEST_EXPIRING_SERVER"))
	end := time.Now().Add(time.Minute)
	for {
		_, err := ann.LegalActions(t.Context())
		var failed *Error
		if errors.As(err, &failed) {
			if failed.Kind != ErrUnauthenticated || failed.Reason != "TOKEN_EXPIRED" {
				t.Fatal(err)
			}
			return
		}
		if time.Now().After(end) {
			t.Fatal("the token does not expire")
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func TestThePortOfRESTIsNamedAsSuch(t *testing.T) {
	player := seatOf(t, serverOf(t, "SHEDU_TEST_REST"), Forever)

	_, err := player.View(t.Context())

	if !errors.Is(err, ErrNotOffered) || !strings.Contains(err.Error(), "REST") {
		t.Fatal(err)
	}
}

func TestABotMayKeepStateForEachGame(t *testing.T) {
	_, ann, bob := tides(t, serverOf(t, "SHEDU_TEST_SERVER"))
	var bots []*counting
	runner := &Runner{NewBot: func() DecideFunc {
		bots = append(bots, new(counting)) // one at a time, because Parallel is 1
		return bots[len(bots)-1].decide
	}}

	report, err := runner.PlayAll(t.Context(), ann, bob)

	if err != nil || report.Failures != 0 || len(bots) != 2 || bots[0].asked != 14 || bots[1].asked != 14 {
		t.Fatal(err, report, bots)
	}
}

// counting is a bot that counts its decisions.
type counting struct{ asked int }

func (c *counting) decide(turn *Turn) *sheduv1.LegalAction {
	c.asked++
	return turn.Actions[0]
}

func TestAForkHasTheBotsThatItAsksFor(t *testing.T) {
	_, ann, _ := tides(t, serverOf(t, "SHEDU_TEST_SERVER"))
	runner := &Runner{Decide: func(turn *Turn) *sheduv1.LegalAction { return turn.Actions[0] }}

	seats, err := ann.Fork(t.Context(), nil, "", "random")
	if err != nil {
		t.Fatal(err)
	}
	game, err := seats[0].Look(t.Context())
	if err != nil || game.Seats[0].BotLevel != "" || game.Seats[1].BotLevel != "random" {
		t.Fatal(err, game)
	}
	if _, err := runner.Play(t.Context(), seats[0]); err != nil {
		t.Fatal(err)
	}
}

func TestAFinishedGameIsExported(t *testing.T) {
	_, ann, bob := tides(t, serverOf(t, "SHEDU_TEST_SERVER"))
	runner := &Runner{Decide: func(turn *Turn) *sheduv1.LegalAction { return turn.Actions[0] }}
	var early, file strings.Builder
	if err := ann.Export(t.Context(), &early); !errors.Is(err, ErrNotNow) || early.Len() != 0 {
		t.Fatal(err, early.String())
	}
	if _, err := runner.PlayAll(t.Context(), ann, bob); err != nil {
		t.Fatal(err)
	}

	if err := ann.Export(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	if path := os.Getenv("SHEDU_TEST_EXPORT"); path != "" { // to be verified by the caller
		if err := os.WriteFile(path, []byte(file.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lines := strings.Split(strings.TrimSpace(file.String()), "\n")
	if !strings.HasPrefix(lines[0], `{"format":"shedu-game","formatVersion":1,"gameId":"`) || len(lines) < 60 {
		t.Fatal(len(lines), lines[0])
	}
}

// cutting forwards to a server, and hangs up on every connection after so many bytes of answers.
func cutting(t *testing.T, target string, bytes int64) (string, *atomic.Int32) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	cuts := new(atomic.Int32)
	go func() {
		for {
			here, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer here.Close()
				there, err := net.Dial("tcp", target)
				if err != nil {
					return
				}
				defer there.Close()
				go func() { _, _ = io.Copy(there, here) }()
				if copied, _ := io.CopyN(here, there, bytes); copied == bytes {
					cuts.Add(1)
				}
			}()
		}
	}()
	return listener.Addr().String(), cuts
}

func TestOverALineThatBreaksAMoveIsPlayedOnceAndAStreamHasNoGap(t *testing.T) {
	address := serverOf(t, "SHEDU_TEST_SERVER")
	broken, cuts := cutting(t, address, 40_000)
	client, ann, bob := tides(t, broken)
	runner := &Runner{Decide: func(turn *Turn) *sheduv1.LegalAction { return turn.Actions[0] }}
	var versions []uint64
	watched := make(chan error, 1)
	go func() {
		for moment, err := range client.Game(ann.ID()).WatchAfter(t.Context(), 0) {
			if err != nil {
				watched <- err
				return
			}
			for _, event := range moment.Events {
				versions = append(versions, event.Version)
			}
		}
		watched <- nil
	}()

	report, err := runner.PlayAll(t.Context(), ann, bob)

	if err := errors.Join(err, <-watched); err != nil {
		t.Fatal(err)
	}
	for index, version := range versions {
		if version != uint64(index+1) {
			t.Fatal(versions)
		}
	}
	if cuts.Load() < 2 || report.Games != 2 || report.Decisions != 28 || report.Late != 0 || len(versions) < 60 {
		t.Fatal(cuts.Load(), report, len(versions))
	}
}

func TestABotThatFailsDoesNotStopItsGame(t *testing.T) {
	_, ann, bob := tides(t, serverOf(t, "SHEDU_TEST_SERVER"))
	asked := 0
	hung := make(chan struct{})
	t.Cleanup(func() { close(hung) })
	runner := &Runner{DecisionTimeout: 50 * time.Millisecond, Decide: func(turn *Turn) *sheduv1.LegalAction {
		asked++
		switch asked {
		case 1:
			panic("a fault of the bot")
		case 2:
			return nil
		case 3:
			<-hung
		}
		return turn.Actions[0]
	}}

	report, err := runner.PlayAll(t.Context(), ann, bob)

	// On a busy machine the bot may also be too slow when it is not meant to be.
	if err != nil || report.Failures < 3 || report.Games != 2 || report.Decisions != 28 {
		t.Fatal(err, report)
	}
}
