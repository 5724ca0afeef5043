package shedu

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"os"
	"strings"
)

const (
	localServer = "localhost:50051"
	plainPort   = "50051"
	tlsPort     = "443"
)

// address is where a server is, and how it is reached; tls is nil without TLS.
type address struct {
	target string
	tls    *tls.Config
}

// parseAddress reads host:port, grpc://host:port or, with TLS, grpcs://host. An empty server is SHEDU_SERVER, or this
// machine.
func parseAddress(server string, config *tls.Config) (address, error) {
	if server == "" {
		server = os.Getenv("SHEDU_SERVER")
	}
	if server == "" {
		server = localServer
	}
	full := server
	if !strings.Contains(server, "://") {
		full = "grpc://" + server
	}
	parsed, err := url.Parse(full)
	if err != nil || !plausible(parsed) {
		return address{}, invalidAddress(server)
	}
	secure := parsed.Scheme == "grpcs" || parsed.Scheme == "https"
	if !secure {
		if config != nil {
			return address{}, newError(ErrInvalidAddress, "an address with TLS begins with grpcs://")
		}
		return address{target: target(parsed, plainPort)}, nil
	}
	if config == nil {
		if config, err = tlsFromEnvironment(); err != nil {
			return address{}, err
		}
	}
	return address{target: target(parsed, tlsPort), tls: config}, nil
}

func plausible(parsed *url.URL) bool {
	switch parsed.Scheme {
	case "grpc", "grpcs", "http", "https":
	default:
		return false
	}
	host := parsed.Hostname()
	if strings.Contains(host, ":") && !strings.HasPrefix(parsed.Host, "[") {
		return false // an IPv6 address stands in brackets
	}
	return host != "" && !strings.ContainsAny(host, " \t") && parsed.Port() != "0" && parsed.User == nil &&
		(parsed.Path == "" || parsed.Path == "/") && parsed.RawQuery == "" && parsed.Fragment == ""
}

func target(parsed *url.URL, port string) string {
	if parsed.Port() != "" {
		return parsed.Host
	}
	return strings.TrimSuffix(parsed.Host, ":") + ":" + port
}

func invalidAddress(server string) error {
	shown := server
	if strings.Contains(server, "@") { // what stands before it may be a password
		shown = "this"
	}
	return newError(ErrInvalidAddress,
		shown+" is not an address of a server, such as localhost:50051 or grpcs://play.example.org")
}

// tlsFromEnvironment trusts the authorities of SHEDU_SERVER_CA, or of the system, and presents the certificate of
// SHEDU_CLIENT_CERT and SHEDU_CLIENT_KEY.
func tlsFromEnvironment() (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if name := os.Getenv("SHEDU_SERVER_CA"); name != "" {
		pem, err := os.ReadFile(name)
		if err != nil {
			return nil, newError(ErrInvalidAddress, fmt.Sprintf("SHEDU_SERVER_CA: %v", err))
		}
		config.RootCAs = x509.NewCertPool()
		if !config.RootCAs.AppendCertsFromPEM(pem) {
			return nil, newError(ErrInvalidAddress, "SHEDU_SERVER_CA: "+name+" has no certificate")
		}
	}
	cert, key := os.Getenv("SHEDU_CLIENT_CERT"), os.Getenv("SHEDU_CLIENT_KEY")
	if cert == "" && key == "" {
		return config, nil
	}
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, newError(ErrInvalidAddress, fmt.Sprintf("SHEDU_CLIENT_CERT, SHEDU_CLIENT_KEY: %v", err))
	}
	config.Certificates = []tls.Certificate{pair}
	return config, nil
}

// cleanToken returns the token without white space around it, or an error if it cannot be sent as a header.
func cleanToken(token string) (string, error) {
	token = strings.TrimSpace(token)
	for _, letter := range token {
		if letter <= ' ' || letter > '~' {
			return "", newError(ErrUnauthenticated, "a token has only printable ASCII characters")
		}
	}
	return token, nil
}
