use std::fmt::Display;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status, Streaming};

use crate::address::{Address, unusable};
use crate::attempts::Attempts;
use crate::v1::catalog_service_client::CatalogServiceClient;
use crate::v1::game_service_client::GameServiceClient;
use crate::{Error, ErrorKind, Result};

/// How long calls fail before people are told: a program says within a second what it waits for.
const QUIET: Duration = Duration::from_millis(500);
const LARGEST_MESSAGE: usize = 64 << 20;

pub(crate) type Notify = Arc<dyn Fn(&str) + Send + Sync>;

/// The generated clients of one connection; to clone them is cheap.
#[derive(Clone)]
pub(crate) struct Stubs {
    pub(crate) catalog: CatalogServiceClient<Channel>,
    pub(crate) games: GameServiceClient<Channel>,
}

/// Makes calls that survive broken connections and restarted servers.
pub(crate) struct Connection {
    stubs: Stubs,
    patience: Duration,
    line: Line,
}

/// Makes a call of one method of a service, until it is answered.
macro_rules! call {
    ($connection:expr, $token:expr, $service:ident.$method:ident, $request:expr) => {
        $connection
            .call($token, $request, |mut stubs, request| async move { stubs.$service.$method(request).await })
    };
}
pub(crate) use call;

impl Connection {
    /// Must run on Tokio. A dead connection is detected within 20 seconds.
    pub(crate) fn open(address: Address, patience: Duration, notify: Option<Notify>) -> Result<Self> {
        let invalid = |problem: tonic::transport::Error| unusable(with_causes(&problem));
        let mut endpoint = Endpoint::from_shared(address.uri())
            .map_err(invalid)?
            .connect_timeout(Duration::from_secs(5))
            .http2_keep_alive_interval(Duration::from_secs(15))
            .keep_alive_timeout(Duration::from_secs(5));
        if let Some(tls) = address.tls {
            endpoint = endpoint.tls_config(tls).map_err(invalid)?;
        }
        let channel = endpoint.connect_lazy();
        let stubs = Stubs {
            catalog: CatalogServiceClient::new(channel.clone()).max_decoding_message_size(LARGEST_MESSAGE),
            games: GameServiceClient::new(channel).max_decoding_message_size(LARGEST_MESSAGE),
        };
        Ok(Self { stubs, patience, line: Line { target: address.target, notify, state: Mutex::default() } })
    }

    /// Returns the host and port of the server.
    pub(crate) fn target(&self) -> &str {
        &self.line.target
    }

    /// Makes a call until it is answered, as long as that may help and the patience lasts.
    pub(crate) async fn call<Q, A, F>(
        &self,
        token: &str,
        request: Q,
        method: impl Fn(Stubs, Request<Q>) -> F,
    ) -> Result<A>
    where
        Q: Clone,
        F: Future<Output = std::result::Result<Response<A>, Status>>,
    {
        let mut attempts = Attempts::of_call(self.patience);
        loop {
            let limit = attempts.timeout();
            let sent = with_token(request.clone(), token)?;
            let error = match tokio::time::timeout(limit, method(self.stubs.clone(), sent)).await {
                Ok(Ok(answer)) => {
                    self.line.answered();
                    return Ok(answer.into_inner());
                }
                Ok(Err(status)) => Error::from(status),
                Err(_) => Error::timed_out(limit),
            };
            self.line.failed(&error);
            attempts.rest(error).await?;
        }
    }
}

fn with_token<Q>(message: Q, token: &str) -> Result<Request<Q>> {
    let mut request = Request::new(message);
    if !token.is_empty() {
        let value: MetadataValue<Ascii> =
            format!("Bearer {}", crate::address::clean_token(token)?).parse().map_err(|_| {
                Error::new(ErrorKind::Unauthenticated, tonic::Code::Unknown, "the token is no header")
            })?;
        request.metadata_mut().insert("authorization", value);
    }
    Ok(request)
}

fn with_causes(problem: &dyn std::error::Error) -> String {
    let mut parts = vec![problem.to_string()];
    let mut source = problem.source();
    while let Some(cause) = source {
        parts.push(cause.to_string());
        source = cause.source();
    }
    parts.join(": ")
}

/// A stream that is opened again whenever it breaks. Whoever reads it knows where to go on.
pub(crate) struct Resuming<M> {
    connection: Arc<Connection>,
    token: String,
    stream: Option<Streaming<M>>,
    attempts: Attempts,
}

impl<M> Resuming<M> {
    pub(crate) fn new(connection: Arc<Connection>, token: String) -> Self {
        let attempts = Attempts::of_stream(connection.patience);
        Self { connection, token, stream: None, attempts }
    }

    /// Returns the next message. `open` opens the stream with the request. Nothing is lost if the future is dropped.
    pub(crate) async fn message<Q, F>(
        &mut self,
        request: &Q,
        open: impl Fn(Stubs, Request<Q>) -> F,
    ) -> Result<M>
    where
        Q: Clone,
        F: Future<Output = std::result::Result<Response<Streaming<M>>, Status>>,
    {
        loop {
            let error = match self.attempt(request, &open).await {
                Ok(Some(message)) => {
                    self.attempts.succeeded();
                    self.connection.line.answered();
                    return Ok(message);
                }
                Ok(None) => Error::stream_ended(), // a stream that is over says so before
                Err(error) => error,
            };
            self.stream = None;
            self.connection.line.failed(&error);
            self.attempts.rest(error).await?;
        }
    }

    async fn attempt<Q, F>(
        &mut self,
        request: &Q,
        open: &impl Fn(Stubs, Request<Q>) -> F,
    ) -> Result<Option<M>>
    where
        Q: Clone,
        F: Future<Output = std::result::Result<Response<Streaming<M>>, Status>>,
    {
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                let sent = with_token(request.clone(), &self.token)?;
                let opened = open(self.connection.stubs.clone(), sent).await?;
                self.stream.insert(opened.into_inner())
            }
        };
        Ok(stream.message().await?)
    }
}

/// Tells people once when nobody has answered for a while, and once when somebody does again.
struct Line {
    target: String,
    notify: Option<Notify>,
    state: Mutex<LineState>,
}

#[derive(Default)]
struct LineState {
    dead_since: Option<Instant>,
    told: bool,
}

impl Line {
    fn answered(&self) {
        let before = std::mem::take(&mut *self.state.lock().expect("no thread panics with it"));
        if before.told {
            self.tell(format_args!("{} is back", self.target));
        }
    }

    /// Counts an attempt that nobody answered; an error that the server itself sent is an answer.
    fn failed(&self, error: &Error) {
        let timed_out = error.kind() == ErrorKind::TimedOut;
        if !timed_out && error.kind() != ErrorKind::Unavailable {
            return self.answered();
        }
        let mut state = self.state.lock().expect("no thread panics with it");
        let since = *state.dead_since.get_or_insert_with(Instant::now);
        let tell = !state.told && (timed_out || since.elapsed() >= QUIET);
        state.told |= tell;
        drop(state);
        if tell {
            self.tell(format_args!("waiting for {}: {}", self.target, error.message()));
        }
    }

    fn tell(&self, message: impl Display) {
        if let Some(notify) = &self.notify {
            notify(&message.to_string());
        }
    }
}
