use std::collections::HashSet;
use std::sync::Arc;

use crate::client::fill;
use crate::connection::{Connection, call};
use crate::{ErrorKind, Game, Inbox, Moment, Result, Watch, new_request_id, v1};

const ACTION_PAGE: i32 = 1000;

/// One seat of a game. Its token is the right to play it: keep it secret.
#[derive(Clone)]
pub struct Player {
    game: Game,
    seat: u32,
}

/// The open decision of a seat and its legal actions.
#[derive(Clone, Debug)]
pub struct Legal {
    /// The decision; `None` if the seat has none.
    pub decision: Option<v1::Decision>,
    /// All legal actions.
    pub actions: Vec<v1::LegalAction>,
    /// The version of the game.
    pub version: u64,
}

/// Sends a request that has a game, a seat and a request id, and returns the whole answer.
macro_rules! send {
    ($player:expr, $method:ident, $request:ident { $($field:ident: $value:expr),* }) => {{
        let request = v1::$request {
            game_id: $player.game.id.clone(),
            seat: Some($player.seat),
            request_id: new_request_id(),
            $($field: $value,)*
        };
        call!($player.game.connection, &$player.game.token, games.$method, request).await
    }};
}

impl Player {
    pub(crate) fn new(connection: &Arc<Connection>, id: String, token: String, seat: u32) -> Self {
        Self { game: Game::new(connection, id, token, Some(seat)), seat }
    }

    /// Returns the game as the seat sees it.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the number of the seat.
    pub fn seat(&self) -> u32 {
        self.seat
    }

    /// Returns the token of the seat. [`Client::player_with_token`](crate::Client::player_with_token) continues with it.
    pub fn token(&self) -> &str {
        &self.game.token
    }

    /// Returns the view of the seat.
    pub async fn view(&self) -> Result<v1::View> {
        self.game.view().await
    }

    /// Returns the open decision of the seat, if any, and all its legal actions.
    pub async fn legal_actions(&self) -> Result<Legal> {
        loop {
            match self.all_pages().await {
                Err(error) if error.kind() == ErrorKind::Stale => {} // the game moved on between two pages
                result => return result,
            }
        }
    }

    async fn all_pages(&self) -> Result<Legal> {
        let mut actions = Vec::new();
        let mut request = v1::ListLegalActionsRequest {
            game_id: self.game.id.clone(),
            page_size: ACTION_PAGE,
            seat: Some(self.seat),
            ..Default::default()
        };
        loop {
            let page =
                call!(self.game.connection, &self.game.token, games.list_legal_actions, request.clone())
                    .await?;
            actions.extend(page.actions);
            if page.next_page_token.is_empty() {
                return Ok(Legal { decision: page.decision, actions, version: page.version });
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Answers a decision, and returns the events and the view of the seat. The error is
    /// [`Refused`](ErrorKind::Refused) when the rules refuse the action, and [`Stale`](ErrorKind::Stale) when the
    /// decision is no longer open.
    pub async fn play(&self, decision_id: &str, action: v1::Action) -> Result<v1::PlayActionResponse> {
        let (decision_id, action) = (decision_id.to_owned(), Some(action));
        self.play_with(v1::PlayActionRequest { decision_id, action, ..Default::default() }).await
    }

    /// Answers a decision as the request says: with a `request_id` of your own, so that a move is played once even if
    /// your program crashes and repeats it, at an `expected_version`, or to `validate_only`. The game and the seat are
    /// filled in.
    pub async fn play_with(&self, mut request: v1::PlayActionRequest) -> Result<v1::PlayActionResponse> {
        (request.game_id, request.seat) = (self.game.id.clone(), Some(self.seat));
        fill(&mut request.request_id);
        call!(self.game.connection, &self.game.token, games.play_action, request).await
    }

    /// Streams the game until it is over. See [`Game::watch`].
    pub fn watch(&self) -> Watch {
        self.game.watch()
    }

    /// Streams every decision of the seat once, until the game is over.
    pub fn turns(&self) -> Turns {
        Turns { player: self.clone(), watch: self.watch(), delivered: HashSet::new() }
    }

    /// Returns the decision of the seat in a view, unless it was delivered or answered before.
    pub(crate) async fn turn(&self, view: v1::View, delivered: &HashSet<String>) -> Result<Option<Turn>> {
        let is_new =
            |asked: &v1::Decision| asked.seat == self.seat && !delivered.contains(&asked.decision_id);
        if !view.decisions.iter().any(is_new) {
            return Ok(None);
        }
        let Legal { decision, actions, .. } = self.legal_actions().await?;
        let asked = |found: &v1::Decision| {
            is_new(found) && view.decisions.iter().any(|each| each.decision_id == found.decision_id)
        };
        let player = self.clone();
        Ok(decision.filter(asked).map(|decision| Turn { player, view, decision, actions }))
    }

    /// Streams what needs attention for this seat until the game is over. See [`Client::inbox`](crate::Client::inbox).
    pub fn inbox(&self, cursor: impl Into<String>) -> Inbox {
        Inbox::new(&self.game.connection, &self.game.token, cursor.into())
    }

    /// Leaves the seat before the start.
    pub async fn leave(&self) -> Result<v1::Game> {
        Ok(send!(self, leave_game, LeaveGameRequest {})?.game.unwrap_or_default())
    }

    /// Starts a full game that was created with `manual_start`.
    pub async fn start(&self) -> Result<v1::Game> {
        Ok(send!(self, start_game, StartGameRequest {})?.game.unwrap_or_default())
    }

    /// Seats a hosted bot before the start, and returns where. An empty level is the choice of the title.
    pub async fn add_bot(&self, level: &str) -> Result<u32> {
        Ok(send!(self, add_bot, AddBotRequest { bot_level: level.to_owned(), bot_seat: None })?.bot_seat)
    }

    /// Resigns; it cannot be undone.
    pub async fn resign(&self) -> Result<v1::Game> {
        Ok(send!(self, resign, ResignRequest {})?.game.unwrap_or_default())
    }

    /// Takes the seat back from the bot that took it over when time was up.
    pub async fn reclaim(&self) -> Result<v1::Game> {
        Ok(send!(self, reclaim_seat, ReclaimSeatRequest {})?.game.unwrap_or_default())
    }

    /// Takes back the last action of the seat, or everything after a version: at once if nothing was revealed since,
    /// otherwise when all others agree.
    pub async fn undo(&self, to_version: Option<u64>) -> Result<v1::ProposeUndoResponse> {
        send!(self, propose_undo, ProposeUndoRequest { to_version: to_version })
    }

    /// Ends the game without a winner when all others agree.
    pub async fn propose_abandon(&self) -> Result<v1::ProposeAbandonResponse> {
        send!(self, propose_abandon, ProposeAbandonRequest {})
    }

    /// Accepts or declines a proposal.
    pub async fn answer(&self, proposal_id: &str, accept: bool) -> Result<v1::AnswerProposalResponse> {
        send!(
            self,
            answer_proposal,
            AnswerProposalRequest { proposal_id: proposal_id.to_owned(), accept: accept }
        )
    }

    /// Returns the same seat in a new game with the same settings.
    pub async fn rematch(&self) -> Result<Player> {
        let again = send!(self, rematch, RematchRequest {})?;
        let id = again.game.unwrap_or_default().game_id;
        Ok(Self::new(&self.game.connection, id, again.seat_token, again.seat))
    }

    /// Returns the seat with a token that is valid for longer.
    pub async fn refresh_token(&self) -> Result<Player> {
        let request = v1::RefreshSeatTokenRequest { game_id: self.game.id.clone(), seat: Some(self.seat) };
        let answer = call!(self.game.connection, &self.game.token, games.refresh_seat_token, request).await?;
        Ok(self.with(answer.seat_token))
    }

    /// Invalidates all earlier tokens of the seat, and returns the seat with a new one.
    pub async fn revoke_tokens(&self) -> Result<Player> {
        Ok(self.with(send!(self, revoke_seat_tokens, RevokeSeatTokensRequest {})?.seat_token))
    }

    fn with(&self, token: String) -> Self {
        Self::new(&self.game.connection, self.game.id.clone(), token, self.seat)
    }
}

/// A decision of a seat, the view of the seat, and all legal actions.
pub struct Turn {
    /// The seat that is asked.
    pub player: Player,
    /// What the seat sees.
    pub view: v1::View,
    /// What is asked.
    pub decision: v1::Decision,
    /// The possible answers; there is at least one.
    pub actions: Vec<v1::LegalAction>,
}

impl Turn {
    /// Answers the decision with one of the actions.
    pub async fn play(&self, action: &v1::LegalAction) -> Result<v1::PlayActionResponse> {
        self.player.play(&self.decision.decision_id, action.action.clone().unwrap_or_default()).await
    }
}

/// The decisions of a seat. See [`Player::turns`].
pub struct Turns {
    player: Player,
    watch: Watch,
    delivered: HashSet<String>,
}

impl Turns {
    /// Returns the next decision of the seat, or `None` when the game is over.
    pub async fn next(&mut self) -> Result<Option<Turn>> {
        while let Some(moment) = self.watch.next().await? {
            self.forget(&moment);
            if let Some(turn) = self.player.turn(moment.view, &self.delivered).await? {
                self.delivered.insert(turn.decision.decision_id.clone());
                return Ok(Some(turn));
            }
        }
        Ok(None)
    }

    /// Lets decisions be delivered again when the seat was reclaimed from a bot.
    fn forget(&mut self, moment: &Moment) {
        let is_mine = |event: &v1::Event| match &event.kind {
            Some(v1::event::Kind::SeatReclaimed(taken)) => taken.seat == self.player.seat,
            _ => false,
        };
        if moment.events.iter().any(is_mine) {
            self.delivered.clear();
        }
    }
}
