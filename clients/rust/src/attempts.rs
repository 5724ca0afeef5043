use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::time::Duration;

use tokio::time::Instant;

use crate::{Error, ErrorKind, Result};

/// A patience that never ends.
pub const FOREVER: Duration = Duration::MAX;

pub(crate) const DEFAULT_PATIENCE: Duration = Duration::from_secs(30);
const ONE_ATTEMPT: Duration = Duration::from_secs(10);
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// The attempts at one call, or at one stream between two messages.
///
/// Patience counts for a call from its beginning, and after a success, which every message of a stream is, from the
/// next failure: a stream may be silent for as long as it likes. To try again is safe: whatever changes something
/// carries a request id, the same in every attempt.
pub(crate) struct Attempts {
    patience: Duration,
    since: Option<Instant>,
    failures: u32,
}

impl Attempts {
    pub(crate) fn of_call(patience: Duration) -> Self {
        Self { patience, since: Some(Instant::now()), failures: 0 }
    }

    pub(crate) fn of_stream(patience: Duration) -> Self {
        Self { patience, since: None, failures: 0 }
    }

    pub(crate) fn succeeded(&mut self) {
        (self.since, self.failures) = (None, 0);
    }

    fn left(&self) -> Duration {
        self.since.map_or(self.patience, |since| self.patience.saturating_sub(since.elapsed()))
    }

    /// Returns the time that the next attempt may take.
    pub(crate) fn timeout(&self) -> Duration {
        self.left().clamp(Duration::from_millis(1), ONE_ATTEMPT)
    }

    /// Waits before the next attempt. Returns the error if there is to be none.
    pub(crate) async fn rest(&mut self, error: Error) -> Result<()> {
        self.since.get_or_insert_with(Instant::now);
        match self.pause(&error) {
            Some(pause) if pause <= self.left() => {
                self.failures += 1;
                tokio::time::sleep(pause).await;
                Ok(())
            }
            _ => Err(error),
        }
    }

    /// Returns how long to wait; `None` if waiting does not help.
    fn pause(&self, error: &Error) -> Option<Duration> {
        let told = error.retry_after();
        match error.kind() {
            ErrorKind::TooMuch => told.map(|pause| jitter(pause, 1.0, 1.1)),
            // Another process answers at once.
            ErrorKind::Unavailable | ErrorKind::TimedOut if error.reason() == "DRAINING" => {
                Some(self.backoff())
            }
            ErrorKind::Unavailable | ErrorKind::TimedOut => {
                Some(self.backoff().max(told.unwrap_or_default()))
            }
            _ => None,
        }
    }

    /// Twice as long each time, and random, so that many clients do not come back at once.
    fn backoff(&self) -> Duration {
        jitter(LONGEST_PAUSE.min(FIRST_PAUSE * (1 << self.failures.min(16))), 0.5, 1.0)
    }
}

fn jitter(base: Duration, least: f64, most: f64) -> Duration {
    let share = (random() >> 11) as f64 / (1_u64 << 53) as f64;
    base.mul_f64(least + (most - least) * share)
}

/// Returns a random number. The standard library seeds its hashers from the operating system.
pub(crate) fn random() -> u64 {
    RandomState::new().hash_one(std::time::SystemTime::now())
}

#[cfg(test)]
mod tests {
    use tonic::Code;

    use super::*;

    #[test]
    fn pauses_grow_to_a_limit_and_are_random() {
        let mut attempts = Attempts::of_call(FOREVER);
        for failures in [0, 1, 3, 40] {
            attempts.failures = failures;
            let longest = LONGEST_PAUSE.min(FIRST_PAUSE * 2_u32.pow(failures.min(16)));
            let pauses: Vec<_> = (0..50).map(|_| attempts.backoff()).collect();
            assert!(pauses.iter().all(|pause| *pause >= longest / 2 && *pause <= longest), "{pauses:?}");
            assert!(pauses.iter().any(|pause| *pause != pauses[0]));
        }
    }

    #[tokio::test]
    async fn patience_ends_and_a_success_renews_it() {
        let error = || Error::new(ErrorKind::Unavailable, Code::Unavailable, "down");
        let mut attempts = Attempts::of_stream(Duration::from_secs(60));
        attempts.rest(error()).await.expect("patience begins with the first failure");
        attempts.since = Instant::now().checked_sub(Duration::from_secs(60));
        assert_eq!(attempts.rest(error()).await.unwrap_err().message(), "down");
        attempts.succeeded();
        attempts.rest(error()).await.expect("a success renews the patience");
    }
}
