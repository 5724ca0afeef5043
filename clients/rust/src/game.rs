use std::collections::VecDeque;
use std::sync::Arc;

use crate::client::fill;
use crate::connection::{Connection, call};
use crate::{Player, Result, Watch, new_request_id, v1};

const EVENT_PAGE: i32 = 1000;

/// One game as the holder of a token sees it: the token of a seat, of a spectator or of a caller.
#[derive(Clone)]
pub struct Game {
    /// The code that is needed to join a private game. It is empty unless this client created the game.
    pub invite_code: String,
    /// The token that is needed to watch where the game asks for one. It is empty unless this client created the game.
    pub spectator_token: String,
    pub(crate) connection: Arc<Connection>,
    pub(crate) id: String,
    pub(crate) token: String,
    pub(crate) seat: Option<u32>,
}

impl Game {
    pub(crate) fn new(connection: &Arc<Connection>, id: String, token: String, seat: Option<u32>) -> Self {
        let (invite_code, spectator_token) = Default::default();
        Self { invite_code, spectator_token, connection: connection.clone(), id, token, seat }
    }

    /// Returns the id of the game.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the game: its seats, status and version.
    pub async fn look(&self) -> Result<v1::Game> {
        let request = v1::GetGameRequest { game_id: self.id.clone() };
        let answer = call!(self.connection, &self.token, games.get_game, request).await?;
        Ok(answer.game.unwrap_or_default())
    }

    /// Returns the outcome, or `None` while the game goes on.
    pub async fn outcome(&self) -> Result<Option<v1::Outcome>> {
        Ok(self.look().await?.outcome)
    }

    /// Returns the view of the caller.
    pub async fn view(&self) -> Result<v1::View> {
        self.view_with(v1::GetViewRequest::default()).await
    }

    /// Returns the view that the request selects: at an earlier `version`, or `as_seat` after the end of the game. The
    /// game and the seat are filled in.
    pub async fn view_with(&self, mut request: v1::GetViewRequest) -> Result<v1::View> {
        (request.game_id, request.seat) = (self.id.clone(), self.seat);
        let answer = call!(self.connection, &self.token, games.get_view, request).await?;
        Ok(answer.view.unwrap_or_default())
    }

    /// Returns the events after a version; 0 begins with the first one.
    pub fn events(&self, after_version: u64) -> Events {
        let request = v1::ListEventsRequest {
            game_id: self.id.clone(),
            after_version,
            page_size: EVENT_PAGE,
            seat: self.seat,
            ..Default::default()
        };
        Events { game: self.clone(), request: Some(request), page: VecDeque::new() }
    }

    /// Streams the game until it is over. The first moment is the current view; then every version comes once, in
    /// order, also across reconnects.
    pub fn watch(&self) -> Watch {
        Watch::new(self, None)
    }

    /// Streams the game after the last version that was already seen; 0 begins with the first event.
    pub fn watch_after(&self, version: u64) -> Watch {
        Watch::new(self, Some(version))
    }

    /// Returns the commitment to the luck of the game and, after the end, the seed.
    pub async fn fairness(&self) -> Result<v1::Fairness> {
        let request = v1::GetFairnessRequest { game_id: self.id.clone() };
        let answer = call!(self.connection, &self.token, games.get_fairness, request).await?;
        Ok(answer.fairness.unwrap_or_default())
    }

    /// Takes the first open seat.
    pub async fn join(&self, display_name: &str) -> Result<Player> {
        let request = v1::JoinGameRequest { display_name: display_name.to_owned(), ..Default::default() };
        self.join_with(request).await
    }

    /// Takes the seat that the request names, else the first open one. The game, and the invite code and the request
    /// id unless they are set, are filled in.
    pub async fn join_with(&self, mut request: v1::JoinGameRequest) -> Result<Player> {
        request.game_id.clone_from(&self.id);
        fill(&mut request.request_id);
        if request.invite_code.is_empty() {
            request.invite_code.clone_from(&self.invite_code);
        }
        let joined = call!(self.connection, &self.token, games.join_game, request).await?;
        Ok(Player::new(&self.connection, self.id.clone(), joined.seat_token, joined.seat))
    }

    /// Creates a sandbox with the position of a version, or of now. All its seats are the caller's.
    pub async fn fork(&self, version: Option<u64>) -> Result<Vec<Player>> {
        let (game_id, seat, request_id) = (self.id.clone(), self.seat, new_request_id());
        let request = v1::ForkGameRequest { game_id, version, seat, request_id, ..Default::default() };
        let made = call!(self.connection, &self.token, games.fork_game, request).await?;
        let id = made.game.unwrap_or_default().game_id;
        let tokens = made.seat_tokens.into_iter().zip(0..);
        Ok(tokens.map(|(token, seat)| Player::new(&self.connection, id.clone(), token, seat)).collect())
    }
}

/// The events of a game, fetched page by page.
pub struct Events {
    game: Game,
    request: Option<v1::ListEventsRequest>,
    page: VecDeque<v1::Event>,
}

impl Events {
    /// Returns the next event, or `None` after the last one.
    pub async fn next(&mut self) -> Result<Option<v1::Event>> {
        while self.page.is_empty() {
            let Some(request) = &self.request else { return Ok(None) };
            let page =
                call!(self.game.connection, &self.game.token, games.list_events, request.clone()).await?;
            self.page = page.events.into();
            self.request = self.request.take().filter(|_| !page.next_page_token.is_empty());
            if let Some(request) = &mut self.request {
                request.page_token = page.next_page_token;
            }
        }
        Ok(self.page.pop_front())
    }
}
