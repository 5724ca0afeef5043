use std::collections::{HashMap, HashSet};

use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;

use crate::runner::{SeatBot, reclaim};
use crate::v1::inbox_item::Kind;
use crate::{Client, ErrorKind, Player, Report, Result, Runner, v1};

/// The tasks that play the seats of a caller, by game and seat.
struct Seats {
    runner: Runner,
    client: Client,
    tasks: JoinSet<()>,
    items: HashMap<(String, u32), UnboundedSender<v1::InboxItem>>,
}

impl Runner {
    /// Plays every game that the caller has a seat in or is invited to, over one inbox, until enough
    /// [`games`](Self::games) are over. It needs an identity. After a crash of the program it continues all games.
    /// [`report`](Self::report) has the results also after an error.
    pub async fn run(&self, client: &Client) -> Result<Report> {
        let (runner, client) = (self.clone(), client.clone());
        let mut inbox = client.inbox("");
        let mut seats = Seats { runner, client, tasks: JoinSet::new(), items: HashMap::new() };
        while !seats.are_enough_over() {
            tokio::select! {
                item = inbox.next() => match item? {
                    Some(found) if self.title.is_empty() || found.item.title == self.title => seats.hand(found.item),
                    Some(_) => {}
                    None => break,
                },
                Some(ended) = seats.tasks.join_next() => ended.expect("the task of a seat does not panic"),
            }
        }
        Ok(self.report())
    }
}

impl Seats {
    fn are_enough_over(&self) -> bool {
        self.runner.games > 0 && self.runner.scores().over() >= self.runner.games
    }

    /// Passes an item to the task of its seat, and starts one for a new seat.
    fn hand(&mut self, item: v1::InboxItem) {
        let key = (item.game_id.clone(), item.seat);
        if !self.items.contains_key(&key) {
            if self.runner.games > 0 && self.items.len() >= self.runner.games {
                return; // enough games are under way
            }
            let (sender, items) = unbounded_channel();
            let player = self.client.player(item.game_id.clone(), item.seat);
            self.tasks.spawn(play(self.runner.clone(), self.client.clone(), player, items));
            self.items.insert(key.clone(), sender);
        }
        let _ = self.items[&key].send(item); // a game that is over, or was given up, gets nothing
    }
}

/// Plays one seat until its game is over. An error ends only this game.
async fn play(runner: Runner, client: Client, player: Player, mut items: UnboundedReceiver<v1::InboxItem>) {
    let (mut bot, mut first) = (None, true);
    while let Some(item) = items.recv().await {
        match handle(&runner, &client, &player, &mut bot, item, first).await {
            Ok(true) => return,
            Ok(false) => first = false,
            Err(error) => return runner.lost(player.game().id(), &error),
        }
    }
}

/// Handles an item. Returns true when the game is over.
async fn handle(
    runner: &Runner,
    client: &Client,
    player: &Player,
    bot: &mut SeatBot,
    item: v1::InboxItem,
    first: bool,
) -> Result<bool> {
    match item.kind {
        Some(Kind::Finished(finished)) => {
            runner.scores().finished(player.seat(), &finished.outcome.unwrap_or_default());
            return Ok(true);
        }
        Some(Kind::Invited(_)) => {
            join(runner, client, player).await?;
            return Ok(false);
        }
        _ => {}
    }
    if first {
        reclaim(player).await?;
    }
    answer(runner, player, bot).await?;
    Ok(false)
}

async fn join(runner: &Runner, client: &Client, player: &Player) -> Result<()> {
    let (seat, display_name) = (Some(player.seat()), runner.name.clone());
    let request = v1::JoinGameRequest { seat, display_name, ..Default::default() };
    match client.game(player.game().id()).join_with(request).await {
        Err(error) if error.kind() != ErrorKind::AlreadyJoined => Err(error),
        _ => Ok(()),
    }
}

/// Plays while the seat has a decision; a repeated item finds none.
async fn answer(runner: &Runner, player: &Player, bot: &mut SeatBot) -> Result<()> {
    let nothing = HashSet::new();
    loop {
        match player.turn(player.view().await?, &nothing).await {
            Ok(Some(turn)) => runner.answer(bot, turn).await?,
            Err(error) if error.kind() != ErrorKind::NotNow => return Err(error),
            _ => return Ok(()),
        }
    }
}
