//! A bot that takes the action in the middle. It plays all games it is invited to, SHEDU_GAMES in all.

use std::process::ExitCode;

use shedu::{Runner, Turn, run_program, v1::LegalAction};

fn decide(turn: &Turn) -> &LegalAction {
    &turn.actions[turn.actions.len() / 2]
}

#[tokio::main]
async fn main() -> ExitCode {
    run_program(Runner::new(decide).name("middle")).await // at SHEDU_SERVER, with the key in SHEDU_TOKEN
}
