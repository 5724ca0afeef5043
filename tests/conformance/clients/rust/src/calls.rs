//! The calls of the steps.

use serde_json::{Value, json};
use shedu::{Game, Player, Result, v1};

use crate::json::{plain, read};
use crate::{Driver, versions};

fn text<'a>(step: &'a Value, name: &str) -> &'a str {
    step[name].as_str().unwrap_or_default()
}

impl Driver {
    /// Makes the call of a step.
    pub async fn call(&mut self, step: &Value) -> Result<Value> {
        let token = text(step, "as");
        let game = self.client.game_with_token(text(step, "game"), token);
        let player = self.player(step, token);
        Ok(match text(step, "call") {
            "titles" => {
                let titles = self.client.titles().await?;
                plain(&v1::ListTitlesResponse { titles, ..Default::default() }, "ListTitlesResponse")
            }
            "create" => self.create(step).await?,
            "join" => self.join(step).await?,
            "view" => plain(&game.view_with(read(step, "GetViewRequest")).await?, "View"),
            "legalActions" => {
                let legal = player.legal_actions().await?;
                let (actions, decision, version) = (legal.actions, legal.decision, legal.version);
                let answer =
                    v1::ListLegalActionsResponse { actions, decision, version, ..Default::default() };
                plain(&answer, "ListLegalActionsResponse")
            }
            "play" => plain(&player.play_with(read(step, "PlayActionRequest")).await?, "PlayActionResponse"),
            "events" => events(step, &game).await?,
            "fairness" => {
                let fairness = Some(game.fairness().await?);
                plain(&v1::GetFairnessResponse { fairness }, "GetFairnessResponse")
            }
            "start" => of_game(player.start().await?),
            "leave" => of_game(player.leave().await?),
            "watch" => watch(step, &game).await?,
            "playOut" => self.play_out(step).await?,
            other => panic!("no such call: {other}"),
        })
    }

    fn player(&self, step: &Value, token: &str) -> Player {
        let seat = self.seats.get(token).copied().unwrap_or_default();
        self.client.player_with_token(text(step, "game"), seat, token)
    }

    async fn create(&self, step: &Value) -> Result<Value> {
        let wishes: v1::CreateGameRequest = read(step, "CreateGameRequest");
        let is_private = wishes.visibility == v1::Visibility::Private as i32;
        let made = self.client.create(wishes).await?;
        let game = match is_private {
            true => v1::Game { game_id: made.id().to_owned(), ..Default::default() },
            false => made.look().await?,
        };
        let (game, invite_code) = (Some(game), made.invite_code);
        let answer = v1::CreateGameResponse { game, invite_code, ..Default::default() };
        Ok(plain(&answer, "CreateGameResponse"))
    }

    async fn join(&mut self, step: &Value) -> Result<Value> {
        let game = self.client.game(text(step, "game"));
        let player = game.join_with(read(step, "JoinGameRequest")).await?;
        self.seats.insert(player.token().to_owned(), player.seat());
        let (seat, seat_token) = (player.seat(), player.token().to_owned());
        let game = Some(player.game().look().await?);
        let answer = v1::JoinGameResponse { game, seat, seat_token };
        Ok(plain(&answer, "JoinGameResponse"))
    }

    /// Lets every seat answer with its first legal action, in turn, until nothing is asked any more.
    async fn play_out(&self, step: &Value) -> Result<Value> {
        let seats = step["seats"].as_array().expect("the tokens of the seats");
        let (mut answers, mut idle) = (0, 0);
        while idle < seats.len() {
            let token = seats[(answers + idle) % seats.len()].as_str().expect("a token");
            let player = self.player(step, token);
            let legal = player.legal_actions().await?;
            let Some(decision) = legal.decision else {
                idle += 1;
                continue;
            };
            let action = legal.actions[0].action.clone().expect("an action");
            player.play(&decision.decision_id, action).await?;
            (answers, idle) = (answers + 1, 0);
        }
        let mut answer = of_game(self.client.game(text(step, "game")).look().await?);
        answer["answers"] = answers.into();
        Ok(answer)
    }
}

fn of_game(game: v1::Game) -> Value {
    plain(&v1::GetGameResponse { game: Some(game) }, "GetGameResponse")
}

async fn events(step: &Value, game: &Game) -> Result<Value> {
    let wishes: v1::ListEventsRequest = read(step, "ListEventsRequest");
    let mut found = game.events(wishes.after_version);
    let mut answer = v1::ListEventsResponse::default();
    while let Some(event) = found.next().await? {
        answer.events.push(event);
    }
    Ok(plain(&answer, "ListEventsResponse"))
}

/// Tells the moments of a stream until it is live, in the words of the scenarios.
async fn watch(step: &Value, game: &Game) -> Result<Value> {
    let wishes: v1::WatchGameRequest = read(step, "WatchGameRequest");
    let now = game.look().await?.version;
    let mut watch = wishes.after_version.map_or_else(|| game.watch(), |version| game.watch_after(version));
    let (mut kinds, mut told) = (Vec::new(), Vec::new());
    while let Some(moment) = watch.next().await? {
        kinds.push(if moment.events.is_empty() { "snapshot" } else { "happened" });
        told.extend(versions(&moment.events));
        if moment.view.version >= now {
            break;
        }
    }
    kinds.push("caughtUp");
    Ok(json!({"kinds": kinds, "versions": told}))
}
