//! Tests with a server that asks for a certificate. Those of the tests are in the folder SHEDU_TEST_CERTIFICATES; the
//! variables that the client reads, such as SHEDU_SERVER_CA, name the right ones.

mod fake;

use std::path::PathBuf;
use std::time::Duration;
use std::{env, fs};

use fake::{Fake, GAME};
use shedu::tonic::transport::{Certificate, ClientTlsConfig};
use shedu::{Client, ClientBuilder, Error, ErrorKind, v1};
use tonic::transport::{Identity, Server, ServerTlsConfig};

fn file(name: &str) -> Vec<u8> {
    let folder = env::var("SHEDU_TEST_CERTIFICATES").expect("the folder of the certificates");
    fs::read(PathBuf::from(folder).join(name)).expect("a file of the tests")
}

fn fake() -> Fake {
    Fake::playing(|_| Ok(()))
}

/// Starts the server, and returns its port.
async fn serve(fake: &Fake) -> u16 {
    let pair = Identity::from_pem(file("server.crt"), file("server.key"));
    let config = ServerTlsConfig::new().identity(pair).client_ca_root(Certificate::from_pem(file("ca.crt")));
    fake.serve(Server::builder().tls_config(config).unwrap()).await
}

async fn play(builder: ClientBuilder, address: String, patience: u64) -> Result<(), Error> {
    let builder = builder.token("").patience(Duration::from_secs(patience));
    let player = builder.connect(&address).await?.player_with_token(GAME, 0, "token");
    player.play("q1", v1::Action::default()).await.map(drop)
}

#[tokio::test]
#[ignore = "needs certificates"]
async fn a_caller_with_a_certificate_is_answered() {
    let fake = fake();
    let port = serve(&fake).await;

    play(Client::builder(), format!("grpcs://localhost:{port}"), 60).await.unwrap();

    assert_eq!(fake.request_ids.lock().unwrap().len(), 1);
}

#[tokio::test]
#[ignore = "needs certificates"]
async fn a_caller_without_a_certificate_is_not_answered() {
    let fake = fake();
    let port = serve(&fake).await;
    let config = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(file("ca.crt")));

    let error =
        play(Client::builder().tls(config), format!("grpcs://localhost:{port}"), 1).await.unwrap_err();

    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    assert!(fake.request_ids.lock().unwrap().is_empty());
}

#[tokio::test]
#[ignore = "needs certificates"]
async fn a_server_of_another_authority_is_not_trusted() {
    let fake = fake();
    let port = serve(&fake).await;
    let config = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(file("other.crt")));

    let error =
        play(Client::builder().tls(config), format!("grpcs://localhost:{port}"), 1).await.unwrap_err();

    assert_eq!(error.kind(), ErrorKind::Unavailable, "{error}");
    assert!(error.message().contains("certificate"), "{error}");
    assert!(fake.request_ids.lock().unwrap().is_empty());
}

#[tokio::test]
#[ignore = "needs certificates"]
async fn a_plain_address_of_a_server_with_tls_is_a_typed_error() {
    let fake = fake();
    let port = serve(&fake).await;

    let error = play(Client::builder(), format!("grpc://localhost:{port}"), 1).await.unwrap_err();

    assert!(matches!(error.kind(), ErrorKind::Unavailable | ErrorKind::NotOffered), "{error}");
    assert!(fake.request_ids.lock().unwrap().is_empty());
}

#[tokio::test]
#[ignore = "needs certificates"]
async fn an_address_with_tls_of_a_plain_server_is_named_as_such() {
    let port = fake().serve(Server::builder()).await;

    let error = play(Client::builder(), format!("grpcs://localhost:{port}"), 60).await.unwrap_err();

    assert_eq!(error.kind(), ErrorKind::NotOffered, "{error}");
    assert_eq!(error.message(), "the server does not use TLS: its address begins with grpc://");
}
