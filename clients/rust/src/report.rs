use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use crate::v1;

/// The number of decisions of which a report keeps the times.
const REMEMBERED: usize = 10_000;

/// Percentiles in milliseconds; `None` if nothing was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Latency {
    /// Half of all were faster.
    pub p50: Option<f64>,
    /// 99 of 100 were faster.
    pub p99: Option<f64>,
}

/// The results of a bot. `to_string` returns JSON with the same names as the reports of the other clients.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Games that were played to their end.
    pub games: usize,
    /// Wins; a first place that n seats share counts 1/n.
    pub wins: f64,
    /// Decisions that the server accepted.
    pub decisions: usize,
    /// Failures of the bot: it panicked, was too slow, or returned something else than one of the actions.
    pub failures: usize,
    /// Answers that nobody waited for any more.
    pub late: usize,
    /// Games that were given up because of an error.
    pub lost: usize,
    /// How long decisions waited while the bot thought about others.
    pub waiting: Latency,
    /// How long the bot took.
    pub thinking: Latency,
    /// How long the server took to acknowledge an answer.
    pub answering: Latency,
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, wins, decisions, failures, late, lost, waiting, thinking, answering } = self;
        write!(out, r#"{{"games":{games},"wins":{wins},"decisions":{decisions},"failures":{failures},"#)?;
        write!(out, r#""late":{late},"lost":{lost},"waiting_ms":{waiting},"thinking_ms":{thinking},"#)?;
        write!(out, r#""answering_ms":{answering}}}"#)
    }
}

impl fmt::Display for Latency {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: Option<f64>| value.map_or_else(|| "null".to_owned(), |number| number.to_string());
        write!(out, r#"{{"p50":{},"p99":{}}}"#, shown(self.p50), shown(self.p99))
    }
}

/// Collects a report while games are played.
#[derive(Default)]
pub(crate) struct Scores {
    pub(crate) report: Report,
    waiting: VecDeque<Duration>,
    thinking: VecDeque<Duration>,
    answering: VecDeque<Duration>,
}

impl Scores {
    pub(crate) fn thought(&mut self, waited: Duration, took: Duration) {
        remember(&mut self.waiting, waited);
        remember(&mut self.thinking, took);
    }

    pub(crate) fn decided(&mut self, answering: Duration) {
        self.report.decisions += 1;
        remember(&mut self.answering, answering);
    }

    pub(crate) fn finished(&mut self, seat: u32, outcome: &v1::Outcome) {
        self.report.games += 1;
        if outcome.ranks.get(seat as usize) == Some(&1) {
            self.report.wins += 1.0 / outcome.ranks.iter().filter(|rank| **rank == 1).count() as f64;
        }
    }

    /// Returns how many games need no more attention.
    pub(crate) fn over(&self) -> usize {
        self.report.games + self.report.lost
    }

    pub(crate) fn result(&self) -> Report {
        Report {
            wins: (self.report.wins * 1000.0).round() / 1000.0,
            waiting: latency(&self.waiting),
            thinking: latency(&self.thinking),
            answering: latency(&self.answering),
            ..self.report
        }
    }
}

fn remember(times: &mut VecDeque<Duration>, one: Duration) {
    if times.len() == REMEMBERED {
        times.pop_front();
    }
    times.push_back(one);
}

fn latency(times: &VecDeque<Duration>) -> Latency {
    let mut ordered: Vec<_> = times.iter().collect();
    ordered.sort();
    let at = |percent: usize| {
        let found = ordered.get(ordered.len().saturating_sub(1) * percent / 100)?;
        Some((found.as_micros() as f64 / 10.0).round() / 100.0)
    };
    Latency { p50: at(50), p99: at(99) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_first_place_is_a_part_of_a_win() {
        let mut scores = Scores::default();
        let outcome = |ranks: &[u32]| v1::Outcome { ranks: ranks.to_vec(), ..Default::default() };
        for ranks in [&[1, 1, 1][..], &[2, 1], &[1, 2], &[]] {
            scores.finished(0, &outcome(ranks));
        }
        assert_eq!((scores.result().games, scores.result().wins), (4, 1.333));
    }

    #[test]
    fn a_report_is_json() {
        let mut scores = Scores::default();
        for milliseconds in 1..=100 {
            scores.decided(Duration::from_millis(milliseconds));
        }
        let expected = concat!(
            r#"{"games":0,"wins":0,"decisions":100,"failures":0,"late":0,"lost":0,"#,
            r#""waiting_ms":{"p50":null,"p99":null},"thinking_ms":{"p50":null,"p99":null},"#,
            r#""answering_ms":{"p50":50,"p99":99}}"#
        );
        assert_eq!(scores.result().to_string(), expected);
    }

    #[test]
    fn old_times_are_forgotten() {
        let mut times = VecDeque::new();
        (0..=REMEMBERED).for_each(|each| remember(&mut times, Duration::from_secs(each as u64)));
        assert_eq!((times.len(), times[0]), (REMEMBERED, Duration::from_secs(1)));
    }
}
