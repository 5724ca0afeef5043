use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::address::variable;
use crate::connection::Notify;
use crate::report::Scores;
use crate::{Error, ErrorKind, Player, Report, Result, Turn, v1};

type Bot = Arc<dyn for<'a> Fn(&'a Turn) -> &'a v1::LegalAction + Send + Sync>;

/// Plays for a bot, many games at once, through restarts of the server. Clones share one report.
#[derive(Clone)]
pub struct Runner {
    bot: Bot,
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) games: usize,
    decision_timeout: Duration,
    resign_on_failure: bool,
    notify: Option<Notify>,
    slots: Arc<Semaphore>,
    scores: Arc<Mutex<Scores>>,
}

impl Runner {
    /// Returns a runner of a bot: a function that returns one of the actions of the turn.
    pub fn new(decide: impl for<'a> Fn(&'a Turn) -> &'a v1::LegalAction + Send + Sync + 'static) -> Self {
        Self {
            bot: Arc::new(decide),
            name: String::new(),
            title: String::new(),
            games: variable("SHEDU_GAMES").parse().unwrap_or_default(),
            decision_timeout: Duration::from_secs(60),
            resign_on_failure: false,
            notify: None,
            slots: Arc::new(Semaphore::new(1)),
            scores: Arc::default(),
        }
    }

    /// Sets the name that is shown to others in the game.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the only title that is played; all unless set.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets after how many games [`run`](Self::run) returns. The default is `SHEDU_GAMES` or, without it, 0: never.
    pub fn games(mut self, games: usize) -> Self {
        self.games = games;
        self
    }

    /// Sets how many decisions the bot is asked for at a time, never two of one seat; 1 unless set.
    pub fn parallel(mut self, decisions: usize) -> Self {
        self.slots = Arc::new(Semaphore::new(decisions.max(1)));
        self
    }

    /// Sets how long the bot may take, one minute unless set. After it the decision counts as a failure.
    pub fn decision_timeout(mut self, limit: Duration) -> Self {
        self.decision_timeout = limit;
        self
    }

    /// Resigns where the bot fails; otherwise the first legal action is played.
    pub fn resign_on_failure(mut self) -> Self {
        self.resign_on_failure = true;
        self
    }

    /// Sets a function that is told what people should know, such as why the bot failed.
    pub fn notify(mut self, notify: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.notify = Some(Arc::new(notify));
        self
    }

    /// Returns how the bot has fared until now.
    pub fn report(&self) -> Report {
        self.scores().result()
    }

    /// Plays one seat to the end of its game. It needs no identity.
    pub async fn play(&self, player: &Player) -> Result<v1::Outcome> {
        reclaim(player).await?;
        let mut turns = player.turns();
        while let Some(turn) = turns.next().await? {
            self.answer(turn).await?;
        }
        let outcome = player.game().outcome().await?.unwrap_or_default();
        self.scores().finished(player.seat(), &outcome);
        Ok(outcome)
    }

    /// Plays these seats at the same time. An error in one game does not end the others; the first one is returned
    /// when all are over, and [`report`](Self::report) counts them.
    pub async fn play_all(&self, players: impl IntoIterator<Item = Player>) -> Result<Report> {
        let mut tasks = JoinSet::new();
        for player in players {
            let runner = self.clone();
            tasks.spawn(async move {
                let result = runner.play(&player).await;
                result.inspect_err(|error| runner.lost(player.game().id(), error))
            });
        }
        let mut first = None;
        for result in tasks.join_all().await {
            first = first.or(result.err());
        }
        first.map_or_else(|| Ok(self.report()), Err)
    }

    /// Asks the bot and plays what it says. That the decision is no longer open is no error.
    pub(crate) async fn answer(&self, turn: Turn) -> Result<()> {
        let turn = Arc::new(turn);
        let thought = self.think(&turn).await;
        if let Err(problem) = &thought {
            self.scores().report.failures += 1;
            self.tell(&format!("{}: the bot fails at {}: {problem}", self.name, turn.decision.decision_id));
        }
        let began = Instant::now();
        let played = if thought.is_err() && self.resign_on_failure {
            turn.player.resign().await.map(drop)
        } else {
            let nothing = || Error::internal("a decision without legal actions");
            let action = turn.actions.get(thought.unwrap_or_default()).ok_or_else(nothing)?;
            turn.play(action).await.map(drop)
        };
        match played {
            Ok(()) => self.scores().decided(began.elapsed()),
            // The clock, an undo or another process answered.
            Err(error) if matches!(error.kind(), ErrorKind::Stale | ErrorKind::NotNow) => {
                self.scores().report.late += 1;
                reclaim(&turn.player).await?;
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Asks the bot, in a thread of its own, for the index of an action: a bot that hangs is left alone.
    async fn think(&self, turn: &Arc<Turn>) -> std::result::Result<usize, String> {
        let asked = Instant::now();
        let _slot = self.slots.acquire().await.map_err(|closed| closed.to_string())?;
        let began = Instant::now();
        let (sender, answered) = oneshot::channel();
        let (bot, shown) = (self.bot.clone(), turn.clone());
        let work = move || {
            let _ = sender.send(decide(&bot, &shown)); // nobody waits for a bot that was too slow
        };
        thread::Builder::new().name("bot".to_owned()).spawn(work).map_err(|problem| problem.to_string())?;
        match timeout(self.decision_timeout, answered).await {
            Ok(found) => {
                self.scores().thought(began - asked, began.elapsed());
                found.map_err(|gone| gone.to_string())?
            }
            Err(_) => Err(format!("no answer after {:?}", self.decision_timeout)),
        }
    }

    pub(crate) fn scores(&self) -> MutexGuard<'_, Scores> {
        self.scores.lock().expect("no thread panics with it")
    }

    pub(crate) fn lost(&self, game: &str, error: &Error) {
        self.scores().report.lost += 1;
        self.tell(&format!("game {game} is left alone: {error}"));
    }

    fn tell(&self, message: &str) {
        if let Some(notify) = &self.notify {
            notify(message);
        }
    }
}

fn decide(bot: &Bot, turn: &Turn) -> std::result::Result<usize, String> {
    let chosen = catch_unwind(AssertUnwindSafe(|| bot(turn))).map_err(|trouble| {
        let text = trouble.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| trouble.downcast_ref::<&str>().copied());
        format!("panic: {}", text.unwrap_or("without a message"))
    })?;
    let found = turn.actions.iter().position(|legal| legal.action == chosen.action);
    found.ok_or_else(|| "it returns none of the legal actions".to_owned())
}

/// Takes the seat back if a bot took it over when time was up, and the game still goes on.
pub(crate) async fn reclaim(player: &Player) -> Result<()> {
    let game = player.game().look().await?;
    if !game.seats.get(player.seat() as usize).is_some_and(|seat| seat.taken_over) {
        return Ok(());
    }
    match player.reclaim().await {
        Err(error) if error.kind() != ErrorKind::NotNow => Err(error),
        _ => Ok(()), // else the game is over, or another process was faster
    }
}
