//! A bot that takes the action in the middle. It plays all games it is invited to, SHEDU_GAMES in all.

use shedu::{Client, FOREVER, Result, Runner, Turn, v1::LegalAction};

fn decide(turn: &Turn) -> &LegalAction {
    &turn.actions[turn.actions.len() / 2]
}

#[tokio::main]
async fn main() -> Result<()> {
    let client = Client::builder().patience(FOREVER).connect("").await?; // SHEDU_SERVER and SHEDU_TOKEN
    let runner = Runner::new(decide).name("middle");
    let ended = runner.run(&client).await;
    println!("{}", runner.report());
    ended.map(drop)
}
