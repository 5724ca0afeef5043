package shedu

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"

	"shedu.example/shedu/sheduv1"
)

// certificate returns the path of a file of the folder that SHEDU_TEST_CERTIFICATES names.
func certificate(t *testing.T, name string) string {
	t.Helper()
	return filepath.Join(serverOf(t, "SHEDU_TEST_CERTIFICATES"), name)
}

func authorities(t *testing.T, name string) *x509.CertPool {
	t.Helper()
	pem, err := os.ReadFile(certificate(t, name))
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	return pool
}

// serveTLS serves callers with a certificate, and returns the address.
func serveTLS(t *testing.T, fake *fakeServer) string {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(certificate(t, "server.crt"), certificate(t, "server.key"))
	if err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{
		MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair},
		ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: authorities(t, "ca.crt"),
	}
	return serve(t, fake, grpc.Creds(credentials.NewTLS(config)))
}

// playAt plays one action, with the certificates that the variables of the environment name unless there are options.
func playAt(t *testing.T, address string, patience time.Duration, options ...Option) error {
	t.Helper()
	t.Setenv("SHEDU_SERVER_CA", certificate(t, "ca.crt"))
	t.Setenv("SHEDU_CLIENT_CERT", certificate(t, "caller.crt"))
	t.Setenv("SHEDU_CLIENT_KEY", certificate(t, "caller.key"))
	client, err := Connect(address, append(options, WithPatience(patience), WithToken(""))...)
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	_, err = client.Player(gameID, 0, "token").Play(t.Context(), "q1", &sheduv1.Action{})
	return err
}

func playing() *fakeServer { return &fakeServer{play: func(int) error { return nil }} }

func TestACallerWithACertificateIsAnswered(t *testing.T) {
	fake := playing()

	if err := playAt(t, "grpcs://"+serveTLS(t, fake), time.Minute); err != nil || len(fake.requestIDs) != 1 {
		t.Fatal(err, fake.requestIDs)
	}
}

func TestACallerWithoutACertificateIsNotAnswered(t *testing.T) {
	fake := playing()
	config := WithTLS(&tls.Config{MinVersion: tls.VersionTLS12, RootCAs: authorities(t, "ca.crt")})

	err := playAt(t, "grpcs://"+serveTLS(t, fake), time.Second, config)

	if !errors.Is(err, ErrUnavailable) || len(fake.requestIDs) != 0 {
		t.Fatal(err)
	}
}

func TestAServerOfAnotherAuthorityIsNotTrusted(t *testing.T) {
	fake := playing()
	config := WithTLS(&tls.Config{MinVersion: tls.VersionTLS12, RootCAs: authorities(t, "other.crt")})

	err := playAt(t, "grpcs://"+serveTLS(t, fake), time.Second, config)

	if !errors.Is(err, ErrUnavailable) || !strings.Contains(err.Error(), "certificate") || len(fake.requestIDs) != 0 {
		t.Fatal(err)
	}
}

func TestAPlainAddressOfAServerWithTLSIsATypedError(t *testing.T) {
	fake := playing()

	err := playAt(t, "grpc://"+serveTLS(t, fake), time.Second)

	if !errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrNotOffered) || len(fake.requestIDs) != 0 {
		t.Fatal(err)
	}
}

func TestAnAddressWithTLSOfAPlainServerIsNamedAsSuch(t *testing.T) {
	err := playAt(t, "grpcs://"+serve(t, playing()), time.Minute)

	if !errors.Is(err, ErrNotOffered) || !strings.Contains(err.Error(), "its address begins with grpc://") {
		t.Fatal(err)
	}
}

func TestCertificatesThatCannotBeReadAreNamed(t *testing.T) {
	for _, variable := range []string{"SHEDU_SERVER_CA", "SHEDU_CLIENT_CERT"} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv(variable, filepath.Join(t.TempDir(), "missing"))

			_, err := Connect("grpcs://localhost")

			if !errors.Is(err, ErrInvalidAddress) || !strings.Contains(err.Error(), variable) {
				t.Fatal(err)
			}
		})
	}
}
