package shedu

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"

	"shedu.example/shedu/sheduv1"
)

const gameID = "abcdefghij0123456789"

// fakeServer answers as a test says, over a real socket.
type fakeServer struct {
	sheduv1.UnimplementedGameServiceServer
	play  func(attempt int) error
	watch func(attempt int, request *sheduv1.WatchGameRequest, send func(*sheduv1.WatchGameResponse)) error

	mutex      sync.Mutex
	requestIDs []string
	streams    int
}

func (f *fakeServer) PlayAction(
	_ context.Context, request *sheduv1.PlayActionRequest,
) (*sheduv1.PlayActionResponse, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.requestIDs = append(f.requestIDs, request.RequestId)
	if err := f.play(len(f.requestIDs)); err != nil {
		return nil, err
	}
	return &sheduv1.PlayActionResponse{}, nil
}

func (f *fakeServer) WatchGame(
	request *sheduv1.WatchGameRequest, stream grpc.ServerStreamingServer[sheduv1.WatchGameResponse],
) error {
	f.mutex.Lock()
	f.streams++
	attempt := f.streams
	f.mutex.Unlock()
	return f.watch(attempt, request, func(message *sheduv1.WatchGameResponse) { _ = stream.Send(message) })
}

// seatAt serves until the test ends, and returns a seat of a game there.
func seatAt(t *testing.T, fake *fakeServer, patience time.Duration) *Player {
	t.Helper()
	return seatOf(t, serve(t, fake), patience)
}

// serve serves until the test ends, and returns the address.
func serve(t *testing.T, fake *fakeServer, options ...grpc.ServerOption) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(options...)
	sheduv1.RegisterGameServiceServer(server, fake)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

func seatOf(t *testing.T, address string, patience time.Duration) *Player {
	t.Helper()
	client, err := Connect(address, WithPatience(patience), WithToken(""))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client.Player(gameID, 0, "token")
}

func failing(code codes.Code, reason string, details ...protoadapt.MessageV1) error {
	made := status.New(code, "the message")
	if reason != "" {
		details = append(details, &errdetails.ErrorInfo{Reason: reason, Domain: "shedu"})
	}
	with, err := made.WithDetails(details...)
	if err != nil {
		panic(err)
	}
	return with.Err()
}
