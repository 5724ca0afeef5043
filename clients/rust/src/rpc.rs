//! The messages of the package `google.rpc` that errors of the service contain.

use std::collections::HashMap;

use prost_types::{Any, Duration};

/// An error as gRPC sends it: `google.rpc.Status`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct Status {
    /// The status code of gRPC.
    #[prost(int32, tag = "1")]
    pub code: i32,
    /// A description for people.
    #[prost(string, tag = "2")]
    pub message: String,
    /// Messages with the details, such as an [`ErrorInfo`].
    #[prost(message, repeated, tag = "3")]
    pub details: Vec<Any>,
}

/// Why a call failed: `google.rpc.ErrorInfo`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct ErrorInfo {
    /// A stable code such as `GAME_NOT_FOUND`.
    #[prost(string, tag = "1")]
    pub reason: String,
    /// Who defines the reason: `shedu`, or the title.
    #[prost(string, tag = "2")]
    pub domain: String,
    /// Facts by name, such as `rule`.
    #[prost(map = "string, string", tag = "3")]
    pub metadata: HashMap<String, String>,
}

/// The invalid fields of a request: `google.rpc.BadRequest`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct BadRequest {
    /// One entry for each problem.
    #[prost(message, repeated, tag = "1")]
    pub field_violations: Vec<FieldViolation>,
}

/// A problem of one field: `google.rpc.BadRequest.FieldViolation`.
#[derive(Clone, PartialEq, prost::Message)]
pub struct FieldViolation {
    /// The path of the field.
    #[prost(string, tag = "1")]
    pub field: String,
    /// What is wrong with it.
    #[prost(string, tag = "2")]
    pub description: String,
}

/// When to repeat the call: `google.rpc.RetryInfo`.
#[derive(Clone, Copy, PartialEq, prost::Message)]
pub struct RetryInfo {
    /// The time to wait.
    #[prost(message, optional, tag = "1")]
    pub retry_delay: Option<Duration>,
}
