use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::RefCell;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, Location, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::{Arc, Mutex, Once};

use crate::Turn;
use crate::v1::LegalAction;

/// A bot with state: [`Runner::for_each_game`](crate::Runner::for_each_game) makes one for each game.
pub trait Bot: Send + 'static {
    /// Returns one of the actions of the turn.
    fn decide<'a>(&mut self, turn: &'a Turn) -> &'a LegalAction;
}

/// A function as a bot without state.
pub(crate) struct Function<F>(pub(crate) Arc<F>);

impl<F> Bot for Function<F>
where
    F: for<'a> Fn(&'a Turn) -> &'a LegalAction + Send + Sync + 'static,
{
    fn decide<'a>(&mut self, turn: &'a Turn) -> &'a LegalAction {
        (self.0)(turn)
    }
}

/// Why a bot has no valid answer. Failures of one kind are described once.
#[derive(Debug)]
pub(crate) struct Failure {
    kind: String,
    pub(crate) text: String,
}

impl Failure {
    pub(crate) fn new(kind: &str, text: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), text: text.into() }
    }
}

/// The kinds of failure that were described.
#[derive(Default)]
pub(crate) struct Described(Mutex<HashSet<String>>);

impl Described {
    pub(crate) fn is_first(&self, failure: &Failure) -> bool {
        self.0.lock().expect("no thread panics with it").insert(failure.kind.clone())
    }
}

/// Asks a bot for the index of an action. It must run in a thread of its own, which does nothing else.
pub(crate) fn ask(bot: &mut dyn Bot, turn: &Turn) -> Result<usize, Failure> {
    let chosen = guarded(|| bot.decide(turn))?;
    let found = turn.actions.iter().position(|legal| legal.action == chosen.action);
    found.ok_or_else(|| Failure::new("wrong", "it returns none of the legal actions"))
}

thread_local! {
    /// In the thread of a bot: where it panicked.
    static PLACE: RefCell<Option<Option<String>>> = const { RefCell::new(None) };
}

/// Runs a part of a bot; a panic is a failure that names its place, and with `RUST_BACKTRACE` its calls.
pub(crate) fn guarded<T>(part: impl FnOnce() -> T) -> Result<T, Failure> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = take_hook();
        // The default hook would print every panic: a bot that fails in each decision would flood a terminal.
        set_hook(Box::new(move |panic| PLACE.with_borrow_mut(|place| note(place.as_mut(), panic, &others))));
    });
    PLACE.set(Some(None));
    let ended = catch_unwind(AssertUnwindSafe(part));
    let place = PLACE.take().flatten().unwrap_or_default();
    ended.map_err(|trouble| {
        let text = message(&*trouble);
        Failure {
            kind: format!("panic {}", place.lines().nth(1).unwrap_or(text)),
            text: format!("panic: {text}{place}"),
        }
    })
}

fn note(place: Option<&mut Option<String>>, panic: &PanicHookInfo<'_>, others: &dyn Fn(&PanicHookInfo<'_>)) {
    let Some(place) = place else { return others(panic) };
    let at = panic.location().map(Location::to_string).unwrap_or_default();
    let calls = Backtrace::capture();
    *place = Some(match calls.status() {
        BacktraceStatus::Captured => format!("\n    at {at}\n{calls}"),
        _ => format!("\n    at {at}"),
    });
}

fn message(trouble: &(dyn Any + Send)) -> &str {
    let text = trouble.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| trouble.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}
