//! Tests with real servers, which environment variables name: `cargo test -- --include-ignored`.

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use shedu::v1::{Action, CreateGameRequest, LegalAction, action};
use shedu::{Bot, Client, ErrorKind, Player, Runner, Turn, tides};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};

fn server_of(variable: &str) -> String {
    env::var(variable).unwrap_or_else(|_| panic!("{variable} names no server"))
}

/// Returns a client and the two seats of a new game.
async fn new_game(address: &str) -> (Client, Player, Player) {
    let builder = Client::builder().token("").patience(Duration::from_secs(120));
    let client = builder.connect(address).await.unwrap();
    let request = CreateGameRequest { title: "tides".to_owned(), ..Default::default() };
    let game = client.create(request).await.unwrap();
    let (ann, bob) = (game.join("Ann").await.unwrap(), game.join("Bob").await.unwrap());
    (client, ann, bob)
}

fn first(turn: &Turn) -> &LegalAction {
    &turn.actions[0]
}

#[tokio::test]
#[ignore = "needs a server"]
async fn a_refusal_names_its_rule_and_a_stale_caller_what_it_missed() {
    let (_, ann, _) = new_game(&server_of("SHEDU_TEST_SERVER")).await;
    let legal = ann.legal_actions().await.unwrap();
    let decision = legal.decision.unwrap().decision_id;
    let answers: Vec<Action> = legal.actions.into_iter().filter_map(|legal| legal.action).collect();
    let relic = tides::v1::ChooseRelic { relic: 1, removed: 2 };
    let kind = Some(tides::v1::action::Kind::ChooseRelic(relic));
    let wrong = Action { title: Some(action::Title::Tides(tides::v1::Action { kind })) };

    let refused = ann.play(&decision, wrong).await.unwrap_err();
    ann.play(&decision, answers[0].clone()).await.unwrap();
    let stale = ann.play(&decision, answers[1].clone()).await.unwrap_err();

    assert_eq!((refused.kind(), refused.rule()), (ErrorKind::Refused, Some("TT-2")));
    assert_eq!(stale.kind(), ErrorKind::Stale);
    assert_eq!(stale.missed().unwrap().events.len(), 1);
}

#[tokio::test]
#[ignore = "needs a server"]
async fn an_expired_token_is_a_typed_error() {
    let (_, ann, _) = new_game(&server_of("SHEDU_TEST_EXPIRING_SERVER")).await;
    let end = Instant::now() + Duration::from_secs(60);

    let error = loop {
        match ann.legal_actions().await {
            Err(error) => break error,
            Ok(_) => assert!(Instant::now() < end, "the token does not expire"),
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    };

    assert_eq!((error.kind(), error.reason()), (ErrorKind::Unauthenticated, "TOKEN_EXPIRED"));
}

#[tokio::test]
#[ignore = "needs a server"]
async fn the_port_of_rest_is_named_as_such() {
    let builder = Client::builder().token("").patience(Duration::from_secs(1));
    let client = builder.connect(&server_of("SHEDU_TEST_REST")).await.unwrap();

    let error = client.titles().await.unwrap_err();

    assert!(error.message().contains("REST"), "{error}");
}

#[tokio::test]
#[ignore = "needs a server"]
async fn games_and_events_are_listed() {
    let (client, ann, _) = new_game(&server_of("SHEDU_TEST_SERVER")).await;
    let mut games = client.games(Default::default());
    let mut found = false;
    while let Some(game) = games.next().await.unwrap() {
        found |= game.game_id == ann.game().id();
    }
    let mut events = ann.game().events(0);
    let mut versions = Vec::new();
    while let Some(event) = events.next().await.unwrap() {
        versions.push(event.version);
    }

    assert!(found);
    assert_eq!(versions, (1..=8).collect::<Vec<_>>());
    assert_eq!(client.title("tides").await.unwrap().title, "tides");
}

/// Forwards to a server, and hangs up on every connection after so many bytes of answers.
async fn cutting(target: String, bytes: u64) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let (address, cuts) = (listener.local_addr().unwrap().to_string(), Arc::new(AtomicUsize::new(0)));
    let counted = cuts.clone();
    tokio::spawn(async move {
        while let Ok((here, _)) = listener.accept().await {
            let (target, counted) = (target.clone(), counted.clone());
            tokio::spawn(async move {
                let Ok(there) = TcpStream::connect(target).await else { return };
                let ((mut from_here, mut to_here), (from_there, mut to_there)) =
                    (here.into_split(), there.into_split());
                let sending = tokio::spawn(async move { copy(&mut from_here, &mut to_there).await });
                if copy(&mut from_there.take(bytes), &mut to_here).await.is_ok_and(|copied| copied == bytes) {
                    counted.fetch_add(1, Ordering::Relaxed);
                }
                sending.abort();
                let _ = to_here.shutdown().await;
            });
        }
    });
    (address, cuts)
}

#[tokio::test]
#[ignore = "needs a server"]
async fn over_a_line_that_breaks_a_move_is_played_once_and_a_stream_has_no_gap() {
    let (broken, cuts) = cutting(server_of("SHEDU_TEST_SERVER"), 40_000).await;
    let (client, ann, bob) = new_game(&broken).await;
    let mut watch = client.game(ann.game().id()).watch_after(0);
    let watched = tokio::spawn(async move {
        let mut versions = Vec::new();
        while let Some(moment) = watch.next().await.unwrap() {
            versions.extend(moment.events.iter().map(|event| event.version));
        }
        versions
    });

    let report = Runner::new(first).play_all([ann, bob]).await.unwrap();

    let versions = watched.await.unwrap();
    assert_eq!(versions, (1..=versions.len() as u64).collect::<Vec<_>>());
    assert!(versions.len() >= 60, "{}", versions.len());
    assert!(cuts.load(Ordering::Relaxed) >= 2);
    assert_eq!((report.games, report.decisions, report.late), (2, 28, 0), "{report}");
}

static ASKED: AtomicUsize = AtomicUsize::new(0);

fn failing(turn: &Turn) -> &LegalAction {
    match ASKED.fetch_add(1, Ordering::Relaxed) {
        0 => panic!("a fault of the bot"),
        1 => Box::leak(Box::default()), // an action that is not legal
        2 => loop {
            std::thread::park();
        },
        _ => &turn.actions[0],
    }
}

#[tokio::test]
#[ignore = "needs a server"]
async fn a_bot_that_fails_does_not_stop_its_game() {
    let (_, ann, bob) = new_game(&server_of("SHEDU_TEST_SERVER")).await;
    let told = Arc::new(AtomicUsize::new(0));
    let count = told.clone();
    let runner = Runner::new(failing).decision_timeout(Duration::from_millis(500)).notify(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
    });

    let report = runner.play_all([ann, bob]).await.unwrap();

    // On a busy machine the bot may also be too slow when it is not meant to be.
    assert!(report.failures >= 3, "{report}");
    assert!((1..=3).contains(&told.load(Ordering::Relaxed)), "each kind is told once");
    assert_eq!((report.games, report.decisions), (2, 28), "{report}");
}

struct Counting(usize, Arc<Mutex<Vec<usize>>>);

impl Bot for Counting {
    fn decide<'a>(&mut self, turn: &'a Turn) -> &'a LegalAction {
        self.0 += 1;
        self.1.lock().unwrap().push(self.0);
        &turn.actions[0]
    }
}

#[tokio::test]
#[ignore = "needs a server"]
async fn a_bot_may_keep_state_for_each_game() {
    let (_, ann, bob) = new_game(&server_of("SHEDU_TEST_SERVER")).await;
    let counts = Arc::new(Mutex::new(Vec::new()));
    let shared = counts.clone();
    let runner = Runner::for_each_game(move || Counting(0, shared.clone()));

    let report = runner.play_all([ann, bob]).await.unwrap();

    let mut found = counts.lock().unwrap().clone();
    found.sort_unstable();
    assert_eq!((report.decisions, report.failures), (28, 0), "{report}");
    assert_eq!(found, (1..=14).flat_map(|count| [count, count]).collect::<Vec<_>>());
}
