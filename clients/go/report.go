package shedu

import (
	"encoding/json"
	"math"
	"slices"
	"sync"
	"time"

	"shedu.example/shedu/sheduv1"
)

// remembered is the number of decisions of which a report keeps the times.
const remembered = 10_000

// Latency has percentiles in milliseconds; nil if nothing was measured.
type Latency struct {
	P50 *float64 `json:"p50"`
	P99 *float64 `json:"p99"`
}

// Report has the results of a bot. As JSON it has the same names as the reports of the other clients.
type Report struct {
	// Games that were played to their end.
	Games int `json:"games"`
	// Wins counts a first place that n seats share as 1/n.
	Wins float64 `json:"wins"`
	// Decisions that the server accepted.
	Decisions int `json:"decisions"`
	// Failures of the bot: it panicked, was too slow, or returned something else than one of the actions.
	Failures int `json:"failures"`
	// Late counts answers that nobody waited for any more.
	Late int `json:"late"`
	// Lost counts games that were given up because of an error.
	Lost int `json:"lost"`
	// Waiting is how long decisions waited while the bot thought about others.
	Waiting Latency `json:"waiting_ms"`
	// Thinking is how long the bot took.
	Thinking Latency `json:"thinking_ms"`
	// Answering is how long the server took to acknowledge an answer.
	Answering Latency `json:"answering_ms"`
}

// String returns the report as one line of JSON.
func (r *Report) String() string {
	text, _ := json.Marshal(r) // numbers and nothing else
	return string(text)
}

// scores collects a report while games are played.
type scores struct {
	mutex                        sync.Mutex
	report                       Report
	waiting, thinking, answering []time.Duration
}

func (s *scores) change(change func(*Report)) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	change(&s.report)
}

func (s *scores) thought(waited, took time.Duration) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.waiting, s.thinking = remember(s.waiting, waited), remember(s.thinking, took)
}

func (s *scores) decided(answering time.Duration) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.report.Decisions++
	s.answering = remember(s.answering, answering)
}

func (s *scores) finished(seat uint32, outcome *sheduv1.Outcome) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.report.Games++
	first := 0
	for _, rank := range outcome.GetRanks() {
		if rank == 1 {
			first++
		}
	}
	if ranks := outcome.GetRanks(); int(seat) < len(ranks) && ranks[seat] == 1 {
		s.report.Wins += 1 / float64(first)
	}
}

// over returns how many games need no more attention.
func (s *scores) over() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.report.Games + s.report.Lost
}

func (s *scores) result() *Report {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	report := s.report
	report.Wins = math.Round(report.Wins*1000) / 1000
	report.Waiting, report.Thinking = latency(s.waiting), latency(s.thinking)
	report.Answering = latency(s.answering)
	return &report
}

func remember(times []time.Duration, one time.Duration) []time.Duration {
	if len(times) == remembered {
		times = times[1:]
	}
	return append(times, one)
}

func latency(times []time.Duration) Latency {
	if len(times) == 0 {
		return Latency{}
	}
	ordered := slices.Sorted(slices.Values(times))
	at := func(percent int) *float64 {
		found := ordered[(len(ordered)-1)*percent/100]
		milliseconds := math.Round(float64(found.Microseconds())/10) / 100
		return &milliseconds
	}
	return Latency{at(50), at(99)}
}
