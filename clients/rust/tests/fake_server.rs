//! Tests with a server that answers as a test says: retries, typed errors, streams, newer servers.

mod fake;

use std::time::{Duration, Instant};

use fake::{Fake, detail, failing, seat_of};
use shedu::v1::watch_game_response::Kind;
use shedu::{Client, ErrorKind, rpc, v1};
use tonic::{Code, Status};

const PATIENT: Duration = Duration::from_secs(60);
const IMPATIENT: Duration = Duration::from_millis(200);

fn message(kind: Kind) -> v1::WatchGameResponse {
    v1::WatchGameResponse { kind: Some(kind), ..Default::default() }
}

fn happened(version: u64, status: i32) -> v1::WatchGameResponse {
    let game = Some(v1::Game { status, ..Default::default() });
    let event = v1::Event { version, ..Default::default() }; // of a kind that is not known here
    let view = Some(v1::View { version, game, ..Default::default() });
    message(Kind::Happened(v1::Happened { events: vec![event], view }))
}

fn go_away(reason: i32) -> v1::WatchGameResponse {
    message(Kind::GoAway(v1::GoAway { reason, ..Default::default() }))
}

#[tokio::test]
async fn a_call_is_repeated_with_the_same_request_id() {
    let fake = Fake::playing(|attempt| match attempt {
        1..4 => Err(failing(Code::Unavailable, "STORE_UNAVAILABLE", &[])),
        _ => Ok(()),
    });

    fake.seat(PATIENT).await.play("q1", v1::Action::default()).await.unwrap();

    let ids = fake.request_ids.lock().unwrap();
    assert_eq!(ids.len(), 4);
    assert!(!ids[0].is_empty() && ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}

#[tokio::test]
async fn what_cannot_get_better_is_tried_once() {
    let cases = [
        (Code::InvalidArgument, "INVALID_REQUEST", ErrorKind::InvalidRequest),
        (Code::NotFound, "GAME_NOT_FOUND", ErrorKind::NotFound),
        (Code::Unauthenticated, "TOKEN_EXPIRED", ErrorKind::Unauthenticated),
        (Code::PermissionDenied, "NOT_YOUR_SEAT", ErrorKind::Forbidden),
        (Code::AlreadyExists, "ALREADY_JOINED", ErrorKind::AlreadyJoined),
        (Code::FailedPrecondition, "TIME_UP", ErrorKind::NotNow),
        (Code::Aborted, "DECISION_ANSWERED", ErrorKind::Stale),
        (Code::OutOfRange, "VERSION_IN_FUTURE", ErrorKind::VersionInFuture),
        (Code::ResourceExhausted, "TOO_MUCH", ErrorKind::TooMuch),
        (Code::ResourceExhausted, "REQUEST_TOO_LARGE", ErrorKind::TooLarge),
        (Code::Internal, "INTERNAL", ErrorKind::Internal),
        (Code::DataLoss, "GAME_UNREADABLE", ErrorKind::Unreadable),
        (Code::Unimplemented, "METHOD_NOT_FOUND", ErrorKind::NotOffered),
        (Code::FailedPrecondition, "REASON_OF_TOMORROW", ErrorKind::NotNow),
    ];
    for (code, reason, kind) in cases {
        let fake = Fake::playing(move |_| Err(failing(code, reason, &[])));

        let error = fake.seat(PATIENT).await.play("q1", v1::Action::default()).await.unwrap_err();

        assert_eq!((error.kind(), error.code(), error.reason()), (kind, code, reason));
        assert!(!error.is_retryable());
        assert_eq!(fake.request_ids.lock().unwrap().len(), 1, "{reason}");
    }
}

#[tokio::test]
async fn details_are_typed_and_unknown_ones_passed_over() {
    let violation = rpc::FieldViolation { field: "action".to_owned(), description: "missing".to_owned() };
    let fields = rpc::BadRequest { field_violations: vec![violation] };
    let missed = v1::MissedEvents { version: 7, ..Default::default() };
    let fake = Fake::playing(move |_| {
        let details = [
            detail("shedu.v9.OfTomorrow", &missed),
            detail("google.rpc.BadRequest", &fields),
            detail("shedu.v1.MissedEvents", &missed),
        ];
        Err(failing(Code::Aborted, "STALE_VERSION", &details))
    });

    let error = fake.seat(PATIENT).await.play("q1", v1::Action::default()).await.unwrap_err();

    assert_eq!(error.violations()[0].field, "action");
    assert_eq!(error.missed().unwrap().version, 7);
    assert_eq!(error.to_string(), "shedu: the message (STALE_VERSION)");
}

#[tokio::test]
async fn a_limit_is_waited_for_as_long_as_the_server_says() {
    let delay = prost_types::Duration { seconds: 0, nanos: 300_000_000 };
    let pause = rpc::RetryInfo { retry_delay: Some(delay) };
    let fake = Fake::playing(move |attempt| match attempt {
        1 => Err(failing(Code::ResourceExhausted, "TOO_MUCH", &[detail("google.rpc.RetryInfo", &pause)])),
        _ => Ok(()),
    });
    let began = Instant::now();

    fake.seat(PATIENT).await.play("q1", v1::Action::default()).await.unwrap();

    assert_eq!(fake.request_ids.lock().unwrap().len(), 2);
    assert!(began.elapsed() >= Duration::from_millis(300));
}

#[tokio::test]
async fn a_broken_connection_without_a_reason_is_tried_again() {
    let fake = Fake::playing(|attempt| match attempt {
        1 => Err(Status::unknown("a proxy")),
        _ => Ok(()),
    });

    fake.seat(PATIENT).await.play("q1", v1::Action::default()).await.unwrap();

    assert_eq!(fake.request_ids.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn what_a_newer_server_sends_is_tolerated_and_the_stream_resumes() {
    let fake = Fake::watching(|attempt| match attempt {
        1 => vec![v1::WatchGameResponse::default(), happened(1, 99), go_away(77)],
        _ => vec![go_away(v1::GoAwayReason::Finished as i32)],
    });
    let mut watch = fake.seat(PATIENT).await.game().watch_after(0);

    let seen = watch.next().await.unwrap().unwrap();
    assert_eq!(seen.view.game.unwrap().status, 99);
    assert!(seen.events[0].kind.is_none());
    assert!(watch.next().await.unwrap().is_none());
    assert_eq!(*fake.resumed_after.lock().unwrap(), [0, 1]);
}

#[tokio::test]
async fn a_stream_with_a_gap_is_an_error() {
    let fake = Fake::watching(|_| vec![happened(3, 0)]);
    let mut watch = fake.seat(PATIENT).await.game().watch_after(1);

    assert_eq!(watch.next().await.unwrap_err().kind(), ErrorKind::Internal);
    assert!(watch.next().await.unwrap().is_none());
}

#[tokio::test]
async fn a_repeated_version_is_shown_once() {
    let fake = Fake::watching(|attempt| match attempt {
        1 => vec![happened(1, 0)],
        _ => vec![happened(1, 0), happened(2, 0), go_away(v1::GoAwayReason::Finished as i32)],
    });
    let mut watch = fake.seat(PATIENT).await.game().watch_after(0);
    let mut versions = Vec::new();

    while let Some(moment) = watch.next().await.unwrap() {
        versions.extend(moment.events.iter().map(|event| event.version));
    }

    assert_eq!(versions, [1, 2]);
}

#[tokio::test]
async fn a_slow_server_is_a_typed_error() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap(); // it never answers
    let player = seat_of(&listener.local_addr().unwrap().to_string(), IMPATIENT).await;

    let error = player.view().await.unwrap_err();

    assert!(matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::Unavailable), "{error}");
    assert!(error.is_retryable());
}

#[tokio::test]
async fn an_address_where_nobody_listens_is_unavailable() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);

    let error = seat_of(&address, IMPATIENT).await.view().await.unwrap_err();

    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
}

#[tokio::test]
async fn a_bad_address_or_token_is_refused_at_once() {
    let address = Client::connect("ftp://here").await.err().unwrap();
    let token = Client::builder().token("zw\u{f6}lf").connect("localhost:1").await.err().unwrap();

    assert_eq!((address.kind(), token.kind()), (ErrorKind::InvalidAddress, ErrorKind::Unauthenticated));
}
