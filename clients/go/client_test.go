package shedu

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"shedu.example/shedu/sheduv1"
)

func TestACallIsRepeatedWithTheSameRequestID(t *testing.T) {
	fake := &fakeServer{play: func(attempt int) error {
		if attempt < 4 {
			return failing(codes.Unavailable, "STORE_UNAVAILABLE")
		}
		return nil
	}}

	_, err := seatAt(t, fake, time.Minute).Play(t.Context(), "q1", &sheduv1.Action{})

	if err != nil || len(fake.requestIDs) != 4 {
		t.Fatal(err, fake.requestIDs)
	}
	if len(slices.Compact(fake.requestIDs)) != 1 || fake.requestIDs[0] == "" {
		t.Fatal(fake.requestIDs)
	}
}

func TestWhatCannotGetBetterIsTriedOnce(t *testing.T) {
	cases := map[string]struct {
		err  error
		kind error
	}{
		"invalid":      {failing(codes.InvalidArgument, "INVALID_REQUEST"), ErrInvalidRequest},
		"not found":    {failing(codes.NotFound, "GAME_NOT_FOUND"), ErrNotFound},
		"expired":      {failing(codes.Unauthenticated, "TOKEN_EXPIRED"), ErrUnauthenticated},
		"forbidden":    {failing(codes.PermissionDenied, "NOT_YOUR_SEAT"), ErrForbidden},
		"not now":      {failing(codes.FailedPrecondition, "TIME_UP"), ErrNotNow},
		"stale":        {failing(codes.Aborted, "DECISION_ANSWERED"), ErrStale},
		"future":       {failing(codes.OutOfRange, "VERSION_IN_FUTURE"), ErrVersionInFuture},
		"no hint":      {failing(codes.ResourceExhausted, "TOO_MUCH"), ErrTooMuch},
		"large":        {failing(codes.ResourceExhausted, "REQUEST_TOO_LARGE"), ErrTooLarge},
		"fault":        {failing(codes.Internal, "INTERNAL"), ErrInternal},
		"unreadable":   {failing(codes.DataLoss, "GAME_UNREADABLE"), ErrUnreadable},
		"not offered":  {failing(codes.Unimplemented, "METHOD_NOT_FOUND"), ErrNotOffered},
		"newer reason": {failing(codes.FailedPrecondition, "REASON_OF_TOMORROW"), ErrNotNow},
	}
	for name, each := range cases {
		t.Run(name, func(t *testing.T) {
			fake := &fakeServer{play: func(int) error { return each.err }}

			_, err := seatAt(t, fake, time.Minute).Play(t.Context(), "q1", &sheduv1.Action{})

			var failed *Error
			if !errors.As(err, &failed) || !errors.Is(err, each.kind) || failed.Reason == "" {
				t.Fatal(err)
			}
			if len(fake.requestIDs) != 1 {
				t.Fatal(len(fake.requestIDs))
			}
		})
	}
}

func TestALimitIsWaitedForAsLongAsTheServerSays(t *testing.T) {
	pause := &errdetails.RetryInfo{RetryDelay: durationpb.New(300 * time.Millisecond)}
	fake := &fakeServer{play: func(attempt int) error {
		if attempt == 1 {
			return failing(codes.ResourceExhausted, "TOO_MUCH", pause)
		}
		return nil
	}}
	began := time.Now()

	_, err := seatAt(t, fake, time.Minute).Play(t.Context(), "q1", &sheduv1.Action{})

	if err != nil || len(fake.requestIDs) != 2 || time.Since(began) < 300*time.Millisecond {
		t.Fatal(err, len(fake.requestIDs), time.Since(began))
	}
}

// newer is a message with a field that this client does not know.
func newer[M proto.Message](message M) M {
	message.ProtoReflect().SetUnknown([]byte{0xfa, 0x3f, 0x02, 'h', 'i'}) // field 1023, two bytes
	return message
}

func TestWhatANewerServerSaysIsToleratedAndTheStreamResumes(t *testing.T) {
	over := &sheduv1.GoAway{Reason: sheduv1.GoAwayReason_GO_AWAY_REASON_FINISHED}
	view := &sheduv1.View{Version: 1, Game: &sheduv1.Game{Status: 99}}
	event := newer(&sheduv1.Event{Version: 1}) // of a kind that is not known here
	var resumedAfter []uint64
	fake := &fakeServer{watch: func(
		attempt int, request *sheduv1.WatchGameRequest, send func(*sheduv1.WatchGameResponse),
	) error {
		resumedAfter = append(resumedAfter, request.GetAfterVersion())
		if attempt == 1 {
			send(newer(&sheduv1.WatchGameResponse{}))
			happened := &sheduv1.Happened{Events: []*sheduv1.Event{event}, View: view}
			send(&sheduv1.WatchGameResponse{Kind: &sheduv1.WatchGameResponse_Happened{Happened: happened}})
			away := &sheduv1.GoAway{Reason: 77}
			send(&sheduv1.WatchGameResponse{Kind: &sheduv1.WatchGameResponse_GoAway{GoAway: away}})
			return nil
		}
		send(&sheduv1.WatchGameResponse{Kind: &sheduv1.WatchGameResponse_GoAway{GoAway: over}})
		return nil
	}}

	var seen []*Moment
	for moment, err := range seatAt(t, fake, time.Minute).WatchAfter(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, moment)
	}

	if len(seen) != 1 || seen[0].Events[0].Kind != nil || seen[0].View.Game.Status != 99 {
		t.Fatal(seen)
	}
	if !slices.Equal(resumedAfter, []uint64{0, 1}) {
		t.Fatal(resumedAfter)
	}
}

func TestAStreamWithAGapIsAnError(t *testing.T) {
	fake := &fakeServer{watch: func(_ int, _ *sheduv1.WatchGameRequest, send func(*sheduv1.WatchGameResponse)) error {
		happened := &sheduv1.Happened{Events: []*sheduv1.Event{{Version: 3}}, View: &sheduv1.View{Version: 3}}
		send(&sheduv1.WatchGameResponse{Kind: &sheduv1.WatchGameResponse_Happened{Happened: happened}})
		return nil
	}}

	for _, err := range seatAt(t, fake, time.Minute).WatchAfter(t.Context(), 1) {
		if !errors.Is(err, ErrInternal) {
			t.Fatal(err)
		}
		return
	}
	t.Fatal("the gap was not noticed")
}

func TestACanceledCallEndsAndSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	fake := &fakeServer{play: func(int) error {
		cancel()
		return failing(codes.Unavailable, "")
	}}

	_, err := seatAt(t, fake, Forever).Play(ctx, "q1", &sheduv1.Action{})

	if !errors.Is(err, ErrCanceled) || !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func TestASlowServerIsATypedError(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // it accepts, and never says a word
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	player := seatOf(t, listener.Addr().String(), 200*time.Millisecond)

	_, err = player.View(t.Context())

	if !errors.Is(err, ErrTimedOut) && !errors.Is(err, ErrUnavailable) {
		t.Fatal(err)
	}
}

func TestAnAddressWhereNobodyListensIsUnavailable(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()

	_, err = seatOf(t, address, 200*time.Millisecond).View(t.Context())

	if !errors.Is(err, ErrUnavailable) {
		t.Fatal(err)
	}
}

// answering serves a port of another protocol: each connection gets the same bytes.
func answering(t *testing.T, answer string) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = connection.Read(make([]byte, 1024))
				_, _ = connection.Write([]byte(answer))
				_ = connection.Close()
			}()
		}
	}()
	return listener.Addr().String()
}

func TestAPortOfAnotherProtocolIsNamedAndTriedOnce(t *testing.T) {
	cases := map[string]struct{ scheme, answer, advice string }{
		"REST":          {"grpc", "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n", "such as that of REST"},
		"TLS":           {"grpc", "\x15\x03\x01\x00\x02\x02\x46padding", "begins with grpcs://"},
		"REST with TLS": {"grpcs", "HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n", "begins with grpc://"},
	}
	for name, each := range cases {
		t.Run(name, func(t *testing.T) {
			attempts := 0
			count := grpc.WithUnaryInterceptor(func(
				ctx context.Context, method string, request, reply any, channel *grpc.ClientConn,
				invoke grpc.UnaryInvoker, opts ...grpc.CallOption,
			) error {
				attempts++
				return invoke(ctx, method, request, reply, channel, opts...)
			})
			address := each.scheme + "://" + answering(t, each.answer)
			client, err := Connect(address, WithPatience(time.Minute), WithToken(""), WithDialOptions(count))
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()

			_, err = client.Titles(t.Context())

			if !errors.Is(err, ErrNotOffered) || !strings.Contains(err.Error(), each.advice) || attempts != 1 {
				t.Fatal(attempts, err)
			}
		})
	}
}

func TestAStreamOfAPortOfRESTEnds(t *testing.T) {
	player := seatOf(t, answering(t, "HTTP/1.1 400 Bad Request\r\n\r\n"), Forever)

	for _, err := range player.Watch(t.Context()) {
		if !errors.Is(err, ErrNotOffered) {
			t.Fatal(err)
		}
	}
}

func TestWhatIsNoAddressIsRefused(t *testing.T) {
	for _, address := range []string{"ftp://here", "host:0", "a b:1", "me:secret@host:1", "grpc://host/path", "::"} {
		_, err := Connect(address)

		if !errors.Is(err, ErrInvalidAddress) {
			t.Error(address, err)
		}
	}
	for _, token := range []string{"zwölf", "two words"} {
		if _, err := Connect("localhost:1", WithToken(token)); !errors.Is(err, ErrUnauthenticated) {
			t.Error(token, err)
		}
	}
}
