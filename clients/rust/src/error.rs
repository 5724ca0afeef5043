use std::collections::HashMap;
use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use prost::Message;
use prost_types::Any;
use tonic::{Code, Status};

use crate::{rpc, v1};

/// What the libraries say about a connection to a port of another protocol, and what to do about it. The beginning of
/// an answer of HTTP/1.1 or TLS is read as the length of a frame.
const WRONG_PORTS: [(&str, &str); 2] = [
    (
        "frame with invalid size",
        "this port does not speak gRPC without TLS: gRPC has another port than REST, by default 50051; \
         if it uses TLS, its address begins with grpcs://",
    ),
    ("InvalidContentType", "the server does not use TLS: its address begins with grpc://"),
];

/// The result of a call.
pub type Result<T> = std::result::Result<T, Error>;

/// The kinds of failure. Each [`Error`] has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A field has an invalid value; [`Error::violations`] names each.
    InvalidRequest,
    /// No such title, game or seat, or none that the caller may know of.
    NotFound,
    /// The call needs a token, or has a bad or an expired one.
    Unauthenticated,
    /// The token is valid, but does not permit the call.
    Forbidden,
    /// The caller has that seat.
    AlreadyJoined,
    /// The game is not in the state for it; [`Error::reason`] says why.
    NotNow,
    /// The rules of the title refuse the action; [`Error::reason`] and [`Error::rule`] say why.
    Refused,
    /// The decision was answered or the version has passed; [`Error::missed`] has what happened since.
    Stale,
    /// The game has not reached that version.
    VersionInFuture,
    /// Over a limit; [`Error::retry_after`] says when to try again.
    TooMuch,
    /// The request or its headers are too large.
    TooLarge,
    /// No server answers, or its store is down.
    Unavailable,
    /// No answer in time; whether the call took effect is not known.
    TimedOut,
    /// The server cannot read the log of the game.
    Unreadable,
    /// The server does not know the call, or the port is one of another protocol.
    NotOffered,
    /// A fault of the service, or an answer that breaks its promises.
    Internal,
    /// The address or the certificates given to connect with cannot be used.
    InvalidAddress,
}

/// A problem of one field of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The path of the field.
    pub field: String,
    /// What is wrong with it.
    pub description: String,
}

/// The error of a failed call.
#[derive(Clone, Debug)]
pub struct Error(Box<Facts>);

#[derive(Clone, Debug)]
struct Facts {
    kind: ErrorKind,
    code: Code,
    message: String,
    reason: String,
    metadata: HashMap<String, String>,
    violations: Vec<Violation>,
    retry_after: Option<Duration>,
    missed: Option<v1::MissedEvents>,
}

impl Error {
    /// Returns the kind of the failure.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the status code of gRPC.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// Returns a description for people.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns a stable code such as `GAME_NOT_FOUND`, or one of the title if the rules refuse. It is empty if no
    /// server answered.
    pub fn reason(&self) -> &str {
        &self.0.reason
    }

    /// Returns the id of the rule behind a refusal, such as `TT-2`.
    pub fn rule(&self) -> Option<&str> {
        self.0.metadata.get("rule").map(String::as_str).filter(|rule| !rule.is_empty())
    }

    /// Returns the facts that the server named beside the reason.
    pub fn metadata(&self) -> &HashMap<String, String> {
        &self.0.metadata
    }

    /// Returns the invalid fields of the request.
    pub fn violations(&self) -> &[Violation] {
        &self.0.violations
    }

    /// Returns when to try again, if the server said so.
    pub fn retry_after(&self) -> Option<Duration> {
        self.0.retry_after
    }

    /// Returns the events that a stale caller has not seen.
    pub fn missed(&self) -> Option<&v1::MissedEvents> {
        self.0.missed.as_ref()
    }

    /// Returns whether the same call may succeed later. The client has then repeated it while its patience lasted.
    pub fn is_retryable(&self) -> bool {
        match self.kind() {
            ErrorKind::Unavailable | ErrorKind::TimedOut => true,
            ErrorKind::TooMuch => self.retry_after().is_some(),
            _ => false,
        }
    }

    pub(crate) fn new(kind: ErrorKind, code: Code, message: impl Into<String>) -> Self {
        Self(Box::new(Facts {
            kind,
            code,
            message: message.into(),
            reason: String::new(),
            metadata: HashMap::new(),
            violations: Vec::new(),
            retry_after: None,
            missed: None,
        }))
    }

    pub(crate) fn internal(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Internal, Code::Unknown, message)
    }

    pub(crate) fn timed_out(limit: Duration) -> Self {
        Self::new(ErrorKind::TimedOut, Code::DeadlineExceeded, format!("no answer after {limit:.1?}"))
    }

    pub(crate) fn stream_ended() -> Self {
        Self::new(ErrorKind::Unavailable, Code::Unavailable, "the stream ended")
    }

    fn read(&mut self, detail: &Any) -> std::result::Result<(), prost::DecodeError> {
        let bytes = detail.value.as_slice();
        match detail.type_url.rsplit('/').next().unwrap_or_default() {
            "google.rpc.ErrorInfo" => {
                let info = rpc::ErrorInfo::decode(bytes)?;
                (self.0.reason, self.0.metadata) = (info.reason, info.metadata);
            }
            "google.rpc.BadRequest" => {
                let found = rpc::BadRequest::decode(bytes)?.field_violations.into_iter();
                self.0.violations = found
                    .map(|each| Violation { field: each.field, description: each.description })
                    .collect();
            }
            "google.rpc.RetryInfo" => {
                let delay = rpc::RetryInfo::decode(bytes)?.retry_delay.unwrap_or_default();
                self.0.retry_after = Duration::try_from(delay).ok().filter(|delay| !delay.is_zero());
            }
            "shedu.v1.MissedEvents" => self.0.missed = Some(v1::MissedEvents::decode(bytes)?),
            _ => {} // of a newer server
        }
        Ok(())
    }

    fn find_kind(&self) -> ErrorKind {
        match (self.code(), self.reason()) {
            // Without a reason it comes from gRPC or a proxy when a connection breaks.
            (Code::Cancelled | Code::Internal | Code::Unknown, "") => ErrorKind::Unavailable,
            (_, "REQUEST_TOO_LARGE" | "HEADERS_TOO_LARGE") => ErrorKind::TooLarge,
            (Code::Cancelled | Code::Internal | Code::Unknown, _) => ErrorKind::Internal,
            _ if self.rule().is_some() => ErrorKind::Refused,
            (code, _) => kind_of_code(code),
        }
    }
}

fn kind_of_code(code: Code) -> ErrorKind {
    match code {
        Code::InvalidArgument => ErrorKind::InvalidRequest,
        Code::NotFound => ErrorKind::NotFound,
        Code::Unauthenticated => ErrorKind::Unauthenticated,
        Code::PermissionDenied => ErrorKind::Forbidden,
        Code::AlreadyExists => ErrorKind::AlreadyJoined,
        Code::FailedPrecondition => ErrorKind::NotNow,
        Code::Aborted => ErrorKind::Stale,
        Code::OutOfRange => ErrorKind::VersionInFuture,
        Code::ResourceExhausted => ErrorKind::TooMuch,
        Code::Unavailable => ErrorKind::Unavailable,
        Code::DeadlineExceeded => ErrorKind::TimedOut,
        Code::DataLoss => ErrorKind::Unreadable,
        Code::Unimplemented => ErrorKind::NotOffered,
        _ => ErrorKind::Internal,
    }
}

impl From<Status> for Error {
    /// Reads the details that the service sends. Those that this client does not know are passed over.
    fn from(status: Status) -> Self {
        let description = description(&status);
        if let Some((_, advice)) = WRONG_PORTS.iter().find(|(sign, _)| description.contains(sign)) {
            return Self::new(ErrorKind::NotOffered, status.code(), *advice);
        }
        let mut made = Self::new(ErrorKind::Internal, status.code(), description);
        if let Ok(sent) = rpc::Status::decode(status.details()) {
            for detail in &sent.details {
                let _ = made.read(detail); // a detail that cannot be read does not hide the others
            }
        }
        made.0.kind = made.find_kind();
        made
    }
}

/// Returns the message of the status, or why the connection failed.
fn description(status: &Status) -> String {
    let mut parts = vec![status.message().to_owned()];
    let mut source = status.source();
    while let Some(cause) = source {
        parts.push(cause.to_string());
        source = cause.source();
    }
    parts.dedup();
    parts.join(": ")
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.reason() {
            "" => write!(out, "shedu: {}", self.message()),
            reason => write!(out, "shedu: {} ({reason})", self.message()),
        }
    }
}

impl StdError for Error {}
