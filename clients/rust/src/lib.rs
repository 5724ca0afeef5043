//! The client of Shedu, board games as a service.
//!
//! [`Client::connect`] returns a [`Client`]. It creates and finds games; a [`Game`] is looked at from outside, and a
//! [`Player`] is one seat of it. Messages are those of the contract: package `shedu.v1` is the module [`v1`], and each
//! title has a module of its own, such as [`tides::v1`].
//!
//! Calls that reach no server are repeated, with growing and random pauses, and with the same request id: a move is
//! played once. Streams ([`Game::watch`], [`Client::inbox`], [`Player::turns`]) resume after a break without a gap.
//! Every failure is an [`Error`]. A bot is one function, see [`Runner`], and a program with [`run_program`].
//!
//! All calls run on Tokio. To cancel a call, drop its future.
#![deny(missing_docs)]
#![forbid(unsafe_code)]

mod address;
mod attempts;
mod bot;
mod client;
mod connection;
mod error;
mod game;
mod invited;
mod player;
mod program;
mod report;
mod runner;
mod watch;

pub mod rpc;

pub use attempts::FOREVER;
pub use bot::Bot;
pub use client::{Client, ClientBuilder, Games, new_request_id, reserved, seats};
pub use error::{Error, ErrorKind, Result, Violation};
pub use game::{Events, Game};
pub use player::{Legal, Player, Turn, Turns};
pub use program::run_program;
pub use report::{Latency, Report};
pub use runner::Runner;
pub use tonic;
pub use watch::{Inbox, InboxItem, Moment, Watch};

include!("gen/packages.rs");
