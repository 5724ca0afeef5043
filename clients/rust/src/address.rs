use std::env;
use std::fs;

use tonic::Code;
use tonic::transport::{Certificate, ClientTlsConfig, Identity, Uri};

use crate::{Error, ErrorKind, Result};

const LOCAL_SERVER: &str = "localhost:50051";
const PLAIN_PORT: u16 = 50051;
const TLS_PORT: u16 = 443;

/// Where a server is, and how it is reached.
#[derive(Debug)]
pub(crate) struct Address {
    /// Host and port.
    pub(crate) target: String,
    pub(crate) tls: Option<ClientTlsConfig>,
}

impl Address {
    pub(crate) fn uri(&self) -> String {
        format!("{}://{}", if self.tls.is_some() { "https" } else { "http" }, self.target)
    }
}

/// Reads `host:port`, `grpc://host:port` or, with TLS, `grpcs://host`. An empty server is `SHEDU_SERVER`, or this
/// machine.
pub(crate) fn parse(server: &str, tls: Option<ClientTlsConfig>) -> Result<Address> {
    let named = [server.to_owned(), variable("SHEDU_SERVER"), LOCAL_SERVER.to_owned()];
    let server = named.iter().find(|name| !name.is_empty()).expect("the last one is not empty");
    let (scheme, rest) = server.split_once("://").unwrap_or(("grpc", server));
    let secure = match scheme {
        "grpc" | "http" => false,
        "grpcs" | "https" => true,
        _ => return Err(not_an_address(server)),
    };
    let port = if secure { TLS_PORT } else { PLAIN_PORT };
    let target = target(rest, port).ok_or_else(|| not_an_address(server))?;
    match (secure, tls) {
        (false, Some(_)) => Err(unusable("an address with TLS begins with grpcs://")),
        (false, None) => Ok(Address { target, tls: None }),
        (true, Some(config)) => Ok(Address { target, tls: Some(config) }),
        (true, None) => Ok(Address { target, tls: Some(tls_from_environment()?) }),
    }
}

/// Returns host and port; `None` if there is anything else, or no host.
fn target(rest: &str, default_port: u16) -> Option<String> {
    let authority = rest.strip_suffix('/').unwrap_or(rest);
    if authority.contains(['@', '/', '?', '#']) {
        return None;
    }
    let host_end = authority.rfind(']').map_or_else(|| authority.find(':'), |end| Some(end + 1));
    let (host, port) = authority.split_at(host_end.unwrap_or(authority.len()));
    let port = match port.strip_prefix(':') {
        None if port.is_empty() => default_port,
        Some("") => default_port,
        Some(digits) => digits.parse().ok().filter(|port| *port > 0)?,
        None => return None,
    };
    let target = format!("{host}:{port}");
    let parsed: Uri = format!("http://{target}").parse().ok()?;
    (!host.is_empty() && parsed.host().is_some_and(|found| found == host)).then_some(target)
}

fn not_an_address(server: &str) -> Error {
    // What stands before an @ may be a password.
    let shown = if server.contains('@') { "this" } else { server };
    unusable(format!(
        "{shown} is not an address of a server, such as localhost:50051 or grpcs://play.example.org"
    ))
}

pub(crate) fn unusable(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::InvalidAddress, Code::Unknown, message)
}

/// Trusts the authorities of `SHEDU_SERVER_CA`, or of the system, and presents the certificate of
/// `SHEDU_CLIENT_CERT` and `SHEDU_CLIENT_KEY`.
fn tls_from_environment() -> Result<ClientTlsConfig> {
    let mut config = ClientTlsConfig::new();
    config = match variable("SHEDU_SERVER_CA").as_str() {
        "" => config.with_native_roots(),
        file => {
            let pem = read("SHEDU_SERVER_CA", file)?;
            if !pem.windows(17).any(|part| part == b"BEGIN CERTIFICATE") {
                return Err(unusable(format!("SHEDU_SERVER_CA: {file} has no certificate")));
            }
            config.ca_certificate(Certificate::from_pem(pem))
        }
    };
    let (certificate, key) = (variable("SHEDU_CLIENT_CERT"), variable("SHEDU_CLIENT_KEY"));
    if certificate.is_empty() && key.is_empty() {
        return Ok(config);
    }
    let pair = (read("SHEDU_CLIENT_CERT", &certificate)?, read("SHEDU_CLIENT_KEY", &key)?);
    Ok(config.identity(Identity::from_pem(pair.0, pair.1)))
}

fn read(name: &str, file: &str) -> Result<Vec<u8>> {
    fs::read(file).map_err(|problem| unusable(format!("{name}: {file}: {problem}")))
}

pub(crate) fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

/// Returns the token without white space around it, or an error if it cannot be sent as a header.
pub(crate) fn clean_token(token: &str) -> Result<String> {
    let token = token.trim();
    if token.bytes().all(|letter| (b'!'..=b'~').contains(&letter)) {
        return Ok(token.to_owned());
    }
    let message = "a token has only printable ASCII characters";
    Err(Error::new(ErrorKind::Unauthenticated, Code::Unknown, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_default_ports() {
        let cases = [
            ("localhost:1", "http://localhost:1"),
            ("grpc://example.org", "http://example.org:50051"),
            ("grpcs://example.org/", "https://example.org:443"),
            ("https://example.org:", "https://example.org:443"),
            ("[::1]:7", "http://[::1]:7"),
            ("grpc://[::1]", "http://[::1]:50051"),
        ];
        for (server, uri) in cases {
            assert_eq!(parse(server, None).unwrap().uri(), uri, "{server}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused_and_no_password_is_shown() {
        let wrong = [
            "ftp://here",
            "host:0",
            "host:99999",
            "a b:1",
            "me:secret@host:1",
            "grpc://host/path",
            "::",
            ":1",
        ];
        for server in wrong {
            let error = parse(server, None).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidAddress, "{server}");
            assert!(!error.message().contains("secret"));
        }
        let error = parse("localhost:1", Some(ClientTlsConfig::new())).unwrap_err();
        assert!(error.message().contains("grpcs://"));
    }

    #[test]
    fn tokens_are_trimmed_and_printable() {
        assert_eq!(clean_token(" abc\n").unwrap(), "abc");
        assert_eq!(clean_token("zw\u{f6}lf").unwrap_err().kind(), ErrorKind::Unauthenticated);
    }
}
