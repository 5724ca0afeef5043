use std::env;
use std::process::ExitCode;
use std::sync::Arc;

use crate::address::variable;
use crate::{Client, Error, ErrorKind, FOREVER, Result, Runner};

/// The exit code of a program whose bot failed in a decision, or that left a game because of an error.
const FAILED: u8 = 1;
/// The exit code of a program that cannot play: its address, its token or another setting is wrong.
const CANNOT_PLAY: u8 = 2;
/// Is added to the number of the signal that ended a program, as shells do.
const SIGNAL: u8 = 128;

/// Makes a program of a bot: it plays every game that the bot is invited to, and waits while no server answers. Return
/// its exit code from `main`: 0, 1 if the bot failed in a decision or a game was left because of an error, 2 if the
/// address, the token or another setting is wrong.
///
/// `SHEDU_SERVER` and `SHEDU_TOKEN` say where and as whom it plays, `SHEDU_GAMES` after how many games it ends. Messages
/// for people go to the standard error output. The report is the last line of the standard output, also when SIGTERM or
/// Ctrl-C ends the program.
pub async fn run_program(runner: Runner) -> ExitCode {
    let runner = ready(runner);
    let ended = tokio::select! {
        ended = play(&runner) => ended,
        signal = caught() => Ok(SIGNAL + signal),
    };
    let code = ended.unwrap_or_else(|error| {
        runner.tell(&explanation(&error));
        CANNOT_PLAY
    });
    println!("{}", runner.report());
    ExitCode::from(code)
}

/// Sets the name and the messages of a program, unless they are set.
fn ready(mut runner: Runner) -> Runner {
    if runner.name.is_empty() {
        runner.name = "bot".to_owned();
    }
    runner.notify.get_or_insert_with(|| Arc::new(|message| eprintln!("{message}")));
    runner
}

async fn play(runner: &Runner) -> Result<u8> {
    check_games()?;
    let teller = runner.clone();
    let builder = Client::builder().patience(FOREVER).notify(move |message| teller.tell(message));
    let client = builder.connect("").await?;
    let target = client.connection.target().to_owned();
    runner.tell(&format!("connecting to {target}"));
    client.titles().await?;
    runner.tell(&format!("connected to {target}, waiting for invitations and decisions"));
    let report = runner.run(&client).await?;
    Ok(if report.failures > 0 || report.lost > 0 { FAILED } else { 0 })
}

fn check_games() -> Result<()> {
    let value = variable("SHEDU_GAMES");
    let problem = match value.trim().parse::<i64>() {
        Ok(games) if games < 0 => format!("games is {games}, less than 0"),
        Err(_) if !value.trim().is_empty() => format!("SHEDU_GAMES is not a number: {value}"),
        _ => return Ok(()),
    };
    Err(Error::new(ErrorKind::InvalidRequest, tonic::Code::InvalidArgument, problem))
}

fn explanation(error: &Error) -> String {
    let text = error.to_string();
    let text = text.strip_prefix("shedu: ").unwrap_or(&text);
    if error.kind() != ErrorKind::Unauthenticated || error.reason().is_empty() {
        return text.to_owned(); // without a reason no server has seen the token
    }
    if env::var("SHEDU_TOKEN").unwrap_or_default().is_empty() {
        return format!("the server needs a token, and SHEDU_TOKEN is not set: {text}");
    }
    format!("the server does not accept the token in SHEDU_TOKEN: {text}")
}

/// Waits for SIGTERM or Ctrl-C, and returns the number of the signal.
#[cfg(unix)]
async fn caught() -> u8 {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupt, mut end) = match (signal(SignalKind::interrupt()), signal(SignalKind::terminate())) {
        (Ok(interrupt), Ok(end)) => (interrupt, end),
        _ => return std::future::pending().await, // without handlers the system ends the program
    };
    tokio::select! {
        _ = interrupt.recv() => 2,
        _ = end.recv() => 15,
    }
}

/// Waits for Ctrl-C, and returns the number of the signal.
#[cfg(not(unix))]
async fn caught() -> u8 {
    match tokio::signal::ctrl_c().await {
        Ok(()) => 2,
        Err(_) => std::future::pending().await,
    }
}
