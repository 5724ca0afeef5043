use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::address::variable;
use crate::bot::{Bot, Described, Failure, Function, ask, guarded};
use crate::connection::Notify;
use crate::report::Scores;
use crate::{Error, ErrorKind, Player, Report, Result, Turn, v1};

/// The bot of one seat; `None` until it is asked, and after it was too slow.
pub(crate) type SeatBot = Option<Box<dyn Bot>>;

/// Plays for a bot, many games at once, through restarts of the server. Clones share one report.
#[derive(Clone)]
pub struct Runner {
    new_bot: Arc<dyn Fn() -> Box<dyn Bot> + Send + Sync>,
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) games: usize,
    decision_timeout: Duration,
    resign_on_failure: bool,
    pub(crate) notify: Option<Notify>,
    slots: Arc<Semaphore>,
    scores: Arc<Mutex<Scores>>,
    described: Arc<Described>,
}

impl Runner {
    /// Returns a runner of a bot: a function that returns one of the actions of the turn.
    pub fn new(decide: impl for<'a> Fn(&'a Turn) -> &'a v1::LegalAction + Send + Sync + 'static) -> Self {
        let decide = Arc::new(decide);
        Self::for_each_game(move || Function(decide.clone()))
    }

    /// Returns a runner that makes a bot for each game, which may keep state. One that is too slow is replaced.
    pub fn for_each_game<B: Bot>(new_bot: impl Fn() -> B + Send + Sync + 'static) -> Self {
        Self {
            new_bot: Arc::new(move || Box::new(new_bot())),
            name: String::new(),
            title: String::new(),
            games: variable("SHEDU_GAMES").parse().unwrap_or_default(),
            decision_timeout: Duration::from_secs(60),
            resign_on_failure: false,
            notify: None,
            slots: Arc::new(Semaphore::new(1)),
            scores: Arc::default(),
            described: Arc::default(),
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

    /// Sets a function that is told what people should know, such as why the bot failed: each kind
    /// of failure once.
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
        let (mut bot, mut turns) = (None, player.turns());
        while let Some(turn) = turns.next().await? {
            self.answer(&mut bot, turn).await?;
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
    pub(crate) async fn answer(&self, bot: &mut SeatBot, turn: Turn) -> Result<()> {
        let turn = Arc::new(turn);
        let thought = self.think(bot, &turn).await;
        if let Err(failure) = &thought {
            self.scores().report.failures += 1;
            if self.described.is_first(failure) {
                self.tell(&format!("decide failed at {}: {}", turn.decision.decision_id, failure.text));
            }
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
    async fn think(&self, bot: &mut SeatBot, turn: &Arc<Turn>) -> std::result::Result<usize, Failure> {
        let fault = |problem: &dyn fmt::Display| Failure::new("thread", problem.to_string());
        let asked = Instant::now();
        let _slot = self.slots.acquire().await.map_err(|closed| fault(&closed))?;
        let began = Instant::now();
        let (sender, answered) = oneshot::channel();
        let (known, new_bot, shown) = (bot.take(), self.new_bot.clone(), turn.clone());
        let work = move || {
            let made = known.map_or_else(|| guarded(|| new_bot()), Ok);
            let _ = sender.send(made.map(|mut bot| (ask(&mut *bot, &shown), bot))); // nobody waits for a slow one
        };
        thread::Builder::new().name("bot".to_owned()).spawn(work).map_err(|problem| fault(&problem))?;
        let Ok(found) = timeout(self.decision_timeout, answered).await else {
            return Err(Failure::new("slow", format!("no answer after {:?}", self.decision_timeout)));
        };
        self.scores().thought(began - asked, began.elapsed());
        let (chosen, asked_bot) = found.map_err(|gone| fault(&gone))??;
        *bot = Some(asked_bot);
        chosen
    }

    pub(crate) fn scores(&self) -> MutexGuard<'_, Scores> {
        self.scores.lock().expect("no thread panics with it")
    }

    pub(crate) fn lost(&self, game: &str, error: &Error) {
        self.scores().report.lost += 1;
        self.tell(&format!("game {game} is left alone: {error}"));
    }

    pub(crate) fn tell(&self, message: &str) {
        match &self.notify {
            Some(notify) if self.name.is_empty() => notify(message),
            Some(notify) => notify(&format!("{}: {message}", self.name)),
            None => {}
        }
    }
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
