package shedu

import (
	"context"
	"math"
	"math/rand/v2"
	"time"
)

// Forever is a patience that never ends.
const Forever time.Duration = math.MaxInt64

const (
	defaultPatience = 30 * time.Second
	oneAttempt      = 10 * time.Second
	firstPause      = 50 * time.Millisecond
	longestPause    = 2 * time.Second
)

// attempts are those at one call, or at one stream between two messages.
//
// Patience counts for a call from its beginning, and after a success, which every message of a stream is, from the next
// failure: a stream may be silent for as long as it likes. To try again is safe: whatever changes something carries a
// request id, the same in every attempt.
type attempts struct {
	patience time.Duration
	since    time.Time // zero after a success
	failures int
}

func newAttempts(patience time.Duration) *attempts {
	return &attempts{patience: patience, since: time.Now()}
}

func (a *attempts) succeeded() {
	a.since, a.failures = time.Time{}, 0
}

func (a *attempts) left() time.Duration {
	if a.since.IsZero() {
		return a.patience
	}
	return a.patience - time.Since(a.since)
}

// timeout is for the next attempt.
func (a *attempts) timeout() time.Duration {
	return max(time.Millisecond, min(a.left(), oneAttempt))
}

// rest waits before the next attempt. It returns the error where there is to be none.
func (a *attempts) rest(ctx context.Context, err *Error) error {
	if a.since.IsZero() {
		a.since = time.Now()
	}
	pause, again := a.pause(err)
	if !again || pause > a.left() {
		return err
	}
	a.failures++
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ended(ctx, err)
	case <-timer.C:
		return nil
	}
}

// pause returns how long to wait, and whether waiting helps at all.
func (a *attempts) pause(err *Error) (time.Duration, bool) {
	switch err.Kind {
	case ErrTooMuch:
		return jitter(err.RetryAfter, 1, 1.1), err.RetryAfter > 0
	case ErrUnavailable, ErrTimedOut:
		if err.Reason == "DRAINING" { // another process answers at once
			return a.backoff(), true
		}
		return max(a.backoff(), err.RetryAfter), true
	}
	return 0, false
}

// backoff is twice as long each time, and random, so that many clients do not come back at once.
func (a *attempts) backoff() time.Duration {
	longest := min(longestPause, firstPause<<min(a.failures, 16))
	return jitter(longest, 0.5, 1)
}

func jitter(base time.Duration, least, most float64) time.Duration {
	return time.Duration(float64(base) * (least + (most-least)*rand.Float64()))
}
