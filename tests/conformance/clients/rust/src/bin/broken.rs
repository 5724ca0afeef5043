//! A bot that fails in every decision.

use std::process::ExitCode;

use shedu::{Runner, Turn, run_program, v1::LegalAction};

fn think(_: &Turn) -> &LegalAction {
    panic!("a fault of the bot")
}

#[tokio::main]
async fn main() -> ExitCode {
    run_program(Runner::new(think).name("broken")).await
}
