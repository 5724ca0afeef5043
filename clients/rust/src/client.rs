use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tonic::transport::ClientTlsConfig;

use crate::address::{self, clean_token, variable};
use crate::attempts::{DEFAULT_PATIENCE, random};
use crate::connection::{Connection, Notify, call};
use crate::{Game, Inbox, Player, Result, v1};

const TITLE_PAGE: i32 = 100;
const GAME_PAGE: i32 = 100;

/// Creates, finds and enters games of one server. To clone it is cheap: all clones share one connection.
#[derive(Clone)]
pub struct Client {
    pub(crate) connection: Arc<Connection>,
    pub(crate) token: String,
}

/// Sets how a [`Client`] connects.
#[derive(Default)]
pub struct ClientBuilder {
    token: Option<String>,
    patience: Option<Duration>,
    tls: Option<ClientTlsConfig>,
    notify: Option<Notify>,
}

impl ClientBuilder {
    /// Sets the API key or the JWT of the caller, if the server requires one. The default is `SHEDU_TOKEN`.
    pub fn token(mut self, token: impl Into<String>) -> Self {
        self.token = Some(token.into());
        self
    }

    /// Sets for how long a call, or a broken stream, is retried; 30 seconds unless set. See [`FOREVER`](crate::FOREVER).
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = Some(patience);
        self
    }

    /// Sets the authorities to trust and the certificate to present. The address must begin with `grpcs://`. By
    /// default the files named by `SHEDU_SERVER_CA`, `SHEDU_CLIENT_CERT` and `SHEDU_CLIENT_KEY` are read.
    pub fn tls(mut self, config: ClientTlsConfig) -> Self {
        self.tls = Some(config);
        self
    }

    /// Sets a function that gets a message when no server has answered for some seconds, and when one answers again.
    pub fn notify(mut self, notify: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.notify = Some(Arc::new(notify));
        self
    }

    /// Returns a client of the server at `host:port`, `grpc://host:port` or, with TLS, `grpcs://host`. An empty server
    /// is `SHEDU_SERVER`, or `localhost:50051`. It does not wait for the server: the first call does.
    pub async fn connect(self, server: &str) -> Result<Client> {
        let token = clean_token(&self.token.unwrap_or_else(|| variable("SHEDU_TOKEN")))?;
        let address = address::parse(server, self.tls)?;
        let connection = Connection::open(address, self.patience.unwrap_or(DEFAULT_PATIENCE), self.notify)?;
        Ok(Client { connection: Arc::new(connection), token })
    }
}

impl Client {
    /// Returns a client with the default settings. See [`ClientBuilder::connect`].
    pub async fn connect(server: &str) -> Result<Self> {
        Self::builder().connect(server).await
    }

    /// Returns settings to connect with.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// Returns the titles of the server.
    pub async fn titles(&self) -> Result<Vec<v1::Title>> {
        let mut found = Vec::new();
        let mut request = v1::ListTitlesRequest { page_size: TITLE_PAGE, ..Default::default() };
        loop {
            let page = call!(self.connection, &self.token, catalog.list_titles, request.clone()).await?;
            found.extend(page.titles);
            if page.next_page_token.is_empty() {
                return Ok(found);
            }
            request.page_token = page.next_page_token;
        }
    }

    /// Returns one title: its seats, options, rules and hosted bots.
    pub async fn title(&self, title: &str) -> Result<v1::Title> {
        let request = v1::GetTitleRequest { title: title.to_owned() };
        let answer = call!(self.connection, &self.token, catalog.get_title, request).await?;
        Ok(answer.title.unwrap_or_default())
    }

    /// Creates a game without players. The request needs a title. If it has no `request_id` it gets one; pass your own
    /// to survive a crash of your program.
    pub async fn create(&self, mut request: v1::CreateGameRequest) -> Result<Game> {
        fill(&mut request.request_id);
        let made = call!(self.connection, &self.token, games.create_game, request).await?;
        let token = if self.token.is_empty() { made.spectator_token.clone() } else { self.token.clone() };
        let mut game = Game::new(&self.connection, made.game.unwrap_or_default().game_id, token, None);
        (game.invite_code, game.spectator_token) = (made.invite_code, made.spectator_token);
        Ok(game)
    }

    /// Returns a game that was created before, seen as the caller of this client sees it.
    pub fn game(&self, id: impl Into<String>) -> Game {
        Game::new(&self.connection, id.into(), self.token.clone(), None)
    }

    /// Returns a game as the holder of a spectator token sees it.
    pub fn game_with_token(&self, id: impl Into<String>, token: impl Into<String>) -> Game {
        Game::new(&self.connection, id.into(), token.into(), None)
    }

    /// Returns a seat that was taken before, as the caller who took it.
    pub fn player(&self, id: impl Into<String>, seat: u32) -> Player {
        self.player_with_token(id, seat, self.token.clone())
    }

    /// Returns a seat that was taken before, with its token.
    pub fn player_with_token(&self, id: impl Into<String>, seat: u32, token: impl Into<String>) -> Player {
        Player::new(&self.connection, id.into(), token.into(), seat)
    }

    /// Returns the games of a filter, newest first; `Default::default()` is every public game.
    pub fn games(&self, mut filter: v1::ListGamesRequest) -> Games {
        if filter.page_size == 0 {
            filter.page_size = GAME_PAGE;
        }
        Games { client: self.clone(), request: Some(filter), page: VecDeque::new() }
    }

    /// Streams what needs attention in all games of the caller: everything pending, then news. It needs an identity.
    /// An empty cursor begins with what is pending; [`InboxItem::cursor`](crate::InboxItem::cursor) of the last item
    /// that was handled resumes. After a break it sends again what is still pending.
    pub fn inbox(&self, cursor: impl Into<String>) -> Inbox {
        Inbox::new(&self.connection, &self.token, cursor.into())
    }
}

/// The games of a filter, fetched page by page.
pub struct Games {
    client: Client,
    request: Option<v1::ListGamesRequest>,
    page: VecDeque<v1::Game>,
}

impl Games {
    /// Returns the next game, or `None` after the last one.
    pub async fn next(&mut self) -> Result<Option<v1::Game>> {
        while self.page.is_empty() {
            let Some(request) = &self.request else { return Ok(None) };
            let page =
                call!(self.client.connection, &self.client.token, games.list_games, request.clone()).await?;
            self.page = page.games.into();
            self.request = self.request.take().filter(|_| !page.next_page_token.is_empty());
            if let Some(request) = &mut self.request {
                request.page_token = page.next_page_token;
            }
        }
        Ok(self.page.pop_front())
    }
}

/// Returns a random request id: with one, a call that is sent twice takes effect once.
pub fn new_request_id() -> String {
    format!("{:016x}{:016x}", random(), random())
}

pub(crate) fn fill(request_id: &mut String) {
    if request_id.is_empty() {
        *request_id = new_request_id();
    }
}

/// Plans so many open seats, and after them one for each level of a hosted bot.
pub fn seats(open: usize, bots: &[&str]) -> Vec<v1::SeatPlan> {
    let hosted =
        bots.iter().map(|level| v1::SeatPlan { bot_level: (*level).to_owned(), ..Default::default() });
    std::iter::repeat_n(v1::SeatPlan::default(), open).chain(hosted).collect()
}

/// Plans a seat for each of these callers, such as `key:ann`.
pub fn reserved(callers: &[&str]) -> Vec<v1::SeatPlan> {
    let plan = |caller: &&str| v1::SeatPlan { reserved_for: (*caller).to_owned(), ..Default::default() };
    callers.iter().map(plan).collect()
}
