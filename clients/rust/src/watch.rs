use std::sync::Arc;

use crate::connection::{Connection, Resuming};
use crate::v1::watch_game_response::Kind;
use crate::{Error, Game, Result, v1};

/// Events with one cause, and the view that they lead to. The first moment of a stream may have no events.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The game after the events.
    pub view: v1::View,
    /// The events, oldest first.
    pub events: Vec<v1::Event>,
    /// False for what had happened when the stream began.
    pub live: bool,
}

/// The stream of one game. See [`Game::watch`].
pub struct Watch {
    stream: Option<Resuming<v1::WatchGameResponse>>,
    request: v1::WatchGameRequest,
    live: bool,
}

/// What one message of the stream means.
enum Step {
    Show(Box<Moment>),
    GoOn,
    End,
}

impl Watch {
    pub(crate) fn new(game: &Game, after_version: Option<u64>) -> Self {
        let (game_id, seat) = (game.id.clone(), game.seat);
        let request = v1::WatchGameRequest { game_id, seat, after_version, ..Default::default() };
        let stream = Resuming::new(game.connection.clone(), game.token.clone());
        Self { stream: Some(stream), request, live: false }
    }

    /// Returns what happened next, or `None` when the game is over. An error ends the stream.
    pub async fn next(&mut self) -> Result<Option<Moment>> {
        loop {
            let Some(stream) = &mut self.stream else { return Ok(None) };
            let open = |mut stubs: crate::connection::Stubs, request| async move {
                stubs.games.watch_game(request).await
            };
            let step = match stream.message(&self.request, open).await {
                Ok(message) => self.take(message),
                Err(error) => Err(error),
            };
            match step {
                Ok(Step::Show(moment)) => return Ok(Some(*moment)),
                Ok(Step::GoOn) => {}
                Ok(Step::End) => self.stream = None,
                Err(error) => {
                    self.stream = None;
                    return Err(error);
                }
            }
        }
    }

    /// Shows each version once. Kinds of messages that this client does not know are passed over.
    fn take(&mut self, message: v1::WatchGameResponse) -> Result<Step> {
        match message.kind {
            Some(Kind::Snapshot(view)) => self.begin(view),
            Some(Kind::Happened(happened)) => self.go_on(happened),
            Some(Kind::CaughtUp(_)) => {
                self.live = true;
                Ok(Step::GoOn)
            }
            Some(Kind::GoAway(away)) if away.reason == v1::GoAwayReason::Finished as i32 => Ok(Step::End),
            _ => Ok(Step::GoOn),
        }
    }

    fn begin(&mut self, view: v1::View) -> Result<Step> {
        match self.request.after_version {
            None => {
                self.request.after_version = Some(view.version);
                Ok(Step::Show(Box::new(Moment { view, events: Vec::new(), live: false })))
            }
            Some(seen) if view.version > seen => Err(self.gap(seen, view.version)),
            Some(_) => Ok(Step::GoOn),
        }
    }

    fn go_on(&mut self, happened: v1::Happened) -> Result<Step> {
        let seen = self.request.after_version.unwrap_or_default();
        let events: Vec<_> = happened.events.into_iter().filter(|event| event.version > seen).collect();
        let (Some(first), Some(last)) = (events.first(), events.last()) else { return Ok(Step::GoOn) };
        if first.version != seen + 1 {
            return Err(self.gap(seen, first.version));
        }
        self.request.after_version = Some(last.version);
        let (view, live) = (happened.view.unwrap_or_default(), self.live);
        Ok(Step::Show(Box::new(Moment { view, events, live })))
    }

    fn gap(&self, seen: u64, version: u64) -> Error {
        let game = &self.request.game_id;
        Error::internal(format!("the stream of game {game} leaps from version {seen} to {version}"))
    }
}

/// Something that wants the caller's attention.
#[derive(Clone, Debug)]
pub struct InboxItem {
    /// The game, the seat and what is asked.
    pub item: v1::InboxItem,
    /// Keep it to go on after this item another day.
    pub cursor: String,
}

/// The inbox of a caller or a seat. See [`Client::inbox`](crate::Client::inbox).
pub struct Inbox {
    stream: Option<Resuming<v1::WatchInboxResponse>>,
    request: v1::WatchInboxRequest,
    handled: String,
}

impl Inbox {
    pub(crate) fn new(connection: &Arc<Connection>, token: &str, cursor: String) -> Self {
        let stream = Resuming::new(connection.clone(), token.to_owned());
        let request = v1::WatchInboxRequest { cursor: cursor.clone(), ..Default::default() };
        Self { stream: Some(stream), request, handled: cursor }
    }

    /// Returns the next item, or `None` when there will be no more. An item counts as handled when the next one is
    /// asked for. An error ends the stream.
    pub async fn next(&mut self) -> Result<Option<InboxItem>> {
        loop {
            let Some(stream) = &mut self.stream else { return Ok(None) };
            self.request.cursor.clone_from(&self.handled);
            let open = |mut stubs: crate::connection::Stubs, request| async move {
                stubs.games.watch_inbox(request).await
            };
            let message = stream.message(&self.request, open).await.inspect_err(|_| self.stream = None)?;
            if !message.cursor.is_empty() {
                self.handled.clone_from(&message.cursor);
            }
            match message.kind {
                Some(v1::watch_inbox_response::Kind::Item(item)) => {
                    return Ok(Some(InboxItem { item, cursor: message.cursor }));
                }
                Some(v1::watch_inbox_response::Kind::GoAway(away))
                    if away.reason == v1::GoAwayReason::Finished as i32 =>
                {
                    self.stream = None;
                }
                _ => {}
            }
        }
    }
}
