//! A server that answers as a test says, over a real socket.
#![allow(dead_code)] // no file of tests uses all of it

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use prost::Message;
use prost_types::Any;
use shedu::{Client, Player, rpc, v1};
use tonic::body::Body;
use tonic::codegen::{Service, http, tokio_stream};
use tonic::server::{Grpc, NamedService, ServerStreamingService, UnaryService};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Code, Request, Response, Status};
use tonic_prost::ProstCodec;

pub const GAME: &str = "abcdefghij0123456789";

type Later<T> = Pin<Box<dyn Future<Output = T> + Send>>;
type Answer<T> = Result<Response<T>, Status>;
type Messages = tokio_stream::Iter<std::vec::IntoIter<Result<v1::WatchGameResponse, Status>>>;
type Play = dyn Fn(usize) -> Result<(), Status> + Send + Sync;
type Watch = dyn Fn(usize) -> Vec<v1::WatchGameResponse> + Send + Sync;

/// `play` and `watch` get the number of the attempt, from 1.
#[derive(Clone)]
pub struct Fake {
    play: Arc<Play>,
    watch: Arc<Watch>,
    pub request_ids: Arc<Mutex<Vec<String>>>,
    pub resumed_after: Arc<Mutex<Vec<u64>>>,
}

impl Fake {
    pub fn playing(play: impl Fn(usize) -> Result<(), Status> + Send + Sync + 'static) -> Self {
        Self { play: Arc::new(play), ..Self::watching(|_| Vec::new()) }
    }

    pub fn watching(watch: impl Fn(usize) -> Vec<v1::WatchGameResponse> + Send + Sync + 'static) -> Self {
        let (request_ids, resumed_after) = Default::default();
        Self { play: Arc::new(|_| Ok(())), watch: Arc::new(watch), request_ids, resumed_after }
    }

    /// Serves until the test ends, and returns a seat of a game there.
    pub async fn seat(&self, patience: Duration) -> Player {
        seat_of(&format!("127.0.0.1:{}", self.serve(Server::builder()).await), patience).await
    }

    /// Serves until the test ends, and returns the port.
    pub async fn serve(&self, mut builder: Server) -> u16 {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = builder.add_service(self.clone());
        tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
        port
    }
}

pub async fn seat_of(address: &str, patience: Duration) -> Player {
    let client = Client::builder().token("").patience(patience).connect(address).await.unwrap();
    client.player_with_token(GAME, 0, "token")
}

/// Returns an error as the service sends it.
pub fn failing(code: Code, reason: &str, details: &[Any]) -> Status {
    let info = rpc::ErrorInfo { reason: reason.to_owned(), domain: "shedu".to_owned(), ..Default::default() };
    let mut all = details.to_vec();
    all.push(detail("google.rpc.ErrorInfo", &info));
    let sent = rpc::Status { code: code as i32, message: "the message".to_owned(), details: all };
    Status::with_details(code, "the message", sent.encode_to_vec().into())
}

pub fn detail(name: &str, message: &impl Message) -> Any {
    Any { type_url: format!("type.googleapis.com/{name}"), value: message.encode_to_vec() }
}

impl UnaryService<v1::PlayActionRequest> for Fake {
    type Response = v1::PlayActionResponse;
    type Future = Later<Answer<v1::PlayActionResponse>>;

    fn call(&mut self, request: Request<v1::PlayActionRequest>) -> Self::Future {
        let mut ids = self.request_ids.lock().unwrap();
        ids.push(request.into_inner().request_id);
        let answer = (self.play)(ids.len()).map(|()| Response::new(Default::default()));
        Box::pin(async move { answer })
    }
}

impl ServerStreamingService<v1::WatchGameRequest> for Fake {
    type Response = v1::WatchGameResponse;
    type ResponseStream = Messages;
    type Future = Later<Answer<Messages>>;

    fn call(&mut self, request: Request<v1::WatchGameRequest>) -> Self::Future {
        let mut resumed = self.resumed_after.lock().unwrap();
        resumed.push(request.into_inner().after_version.unwrap_or_default());
        let messages: Vec<_> = (self.watch)(resumed.len()).into_iter().map(Ok).collect();
        Box::pin(async move { Ok(Response::new(tokio_stream::iter(messages))) })
    }
}

impl NamedService for Fake {
    const NAME: &'static str = "shedu.v1.GameService";
}

impl Service<http::Request<Body>> for Fake {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Later<Result<http::Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let fake = self.clone();
        Box::pin(async move {
            Ok(match request.uri().path().rsplit('/').next() {
                Some("PlayAction") => {
                    let codec = ProstCodec::<v1::PlayActionResponse, v1::PlayActionRequest>::default();
                    Grpc::new(codec).unary(fake, request).await
                }
                Some("WatchGame") => {
                    let codec = ProstCodec::<v1::WatchGameResponse, v1::WatchGameRequest>::default();
                    Grpc::new(codec).server_streaming(fake, request).await
                }
                _ => Status::unimplemented("the test has no use for it").into_http(),
            })
        })
    }
}
