package shedu

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"iter"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/protobuf/proto"

	"shedu.example/shedu/sheduv1"
)

const titlePage, gamePage, eventPage, actionPage = 100, 100, 1000, 1000

// Client creates, finds and enters games of one server. It is safe for concurrent use.
type Client struct {
	wire  *wire
	token string
}

type options struct {
	token    *string
	patience time.Duration
	tls      *tls.Config
	notify   func(string)
	dial     []grpc.DialOption
}

// Option changes how Connect connects.
type Option func(*options)

// WithToken sets the API key or the JWT of the caller, if the server requires one. The default is SHEDU_TOKEN.
func WithToken(token string) Option { return func(o *options) { o.token = &token } }

// WithPatience sets for how long a call, or a broken stream, is retried; 30 seconds unless set.
func WithPatience(patience time.Duration) Option { return func(o *options) { o.patience = patience } }

// WithTLS sets the authorities to trust and the certificate to present. The address must begin with grpcs://. By
// default the files named by SHEDU_SERVER_CA, SHEDU_CLIENT_CERT and SHEDU_CLIENT_KEY are read.
func WithTLS(config *tls.Config) Option { return func(o *options) { o.tls = config } }

// WithNotify sets a function that gets a message when no server has answered for half a second, and when one answers
// again.
func WithNotify(notify func(string)) Option { return func(o *options) { o.notify = notify } }

// WithDialOptions adds options of grpc-go, such as interceptors for tracing.
func WithDialOptions(dial ...grpc.DialOption) Option { return func(o *options) { o.dial = dial } }

// Connect returns a client of the server at host:port, grpc://host:port or, with TLS, grpcs://host. An empty server is
// SHEDU_SERVER, or localhost:50051. It does not wait for the server: the first call does. Close the client after use.
func Connect(server string, opts ...Option) (*Client, error) {
	chosen := options{patience: defaultPatience}
	for _, option := range opts {
		option(&chosen)
	}
	token := os.Getenv("SHEDU_TOKEN")
	if chosen.token != nil {
		token = *chosen.token
	}
	token, err := cleanToken(token)
	if err != nil {
		return nil, err
	}
	place, err := parseAddress(server, chosen.tls)
	if err != nil {
		return nil, err
	}
	channel, err := grpc.NewClient(place.target, append(dialOptions(place), chosen.dial...)...)
	if err != nil {
		return nil, invalidAddress(place.target)
	}
	return &Client{newWire(channel, place.target, chosen.patience, chosen.notify), token}, nil
}

// dialOptions detects a dead connection within 20 seconds, and reconnects within two.
func dialOptions(place address) []grpc.DialOption {
	transport := insecure.NewCredentials()
	if place.tls != nil {
		transport = credentials.NewTLS(place.tls)
	}
	reconnect := backoff.Config{
		BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: longestPause,
	}
	return []grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 15 * time.Second, Timeout: 5 * time.Second}),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: reconnect, MinConnectTimeout: 5 * time.Second}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(64 << 20)),
		grpc.WithDisableRetry(), // this package decides what is tried again
	}
}

// Close ends all streams and calls of the client.
func (c *Client) Close() error { return c.wire.channel.Close() }

// Titles returns the titles of the server.
func (c *Client) Titles(ctx context.Context) ([]*sheduv1.Title, error) {
	var found []*sheduv1.Title
	request := &sheduv1.ListTitlesRequest{PageSize: titlePage}
	for {
		page, err := call(ctx, c.wire, c.wire.catalog.ListTitles, request, c.token)
		if err != nil {
			return nil, err
		}
		found = append(found, page.Titles...)
		if page.NextPageToken == "" {
			return found, nil
		}
		request.PageToken = page.NextPageToken
	}
}

// Title returns one title: its seats, options, rules and hosted bots.
func (c *Client) Title(ctx context.Context, title string) (*sheduv1.Title, error) {
	answer, err := call(ctx, c.wire, c.wire.catalog.GetTitle, &sheduv1.GetTitleRequest{Title: title}, c.token)
	return answer.GetTitle(), err
}

// Create creates a game without players. The request needs a title. If it has no RequestId it gets one; pass
// your own to survive a crash of your program.
func (c *Client) Create(ctx context.Context, request *sheduv1.CreateGameRequest) (*Game, error) {
	request = proto.CloneOf(request)
	fill(&request.RequestId)
	made, err := call(ctx, c.wire, c.wire.games.CreateGame, request, c.token)
	if err != nil {
		return nil, err
	}
	token := c.token
	if token == "" {
		token = made.SpectatorToken
	}
	game := &Game{wire: c.wire, id: made.Game.GetGameId(), token: token}
	game.InviteCode, game.SpectatorToken = made.InviteCode, made.SpectatorToken
	return game, nil
}

// Game returns a game that was created before, seen as the caller of this client sees it.
func (c *Client) Game(id string) *Game { return &Game{wire: c.wire, id: id, token: c.token} }

// GameWithToken returns a game as the holder of a spectator token sees it.
func (c *Client) GameWithToken(id, token string) *Game {
	return &Game{wire: c.wire, id: id, token: token}
}

// Player returns a seat that was taken before: with its token or, if that is empty, as the caller who took it.
func (c *Client) Player(id string, seat uint32, token string) *Player {
	if token == "" {
		token = c.token
	}
	return &Player{Game{wire: c.wire, id: id, token: token, seat: &seat}}
}

// Games returns the games of a filter page by page, newest first; nil is every public game.
func (c *Client) Games(ctx context.Context, filter *sheduv1.ListGamesRequest) iter.Seq2[*sheduv1.Game, error] {
	return func(yield func(*sheduv1.Game, error) bool) {
		request := &sheduv1.ListGamesRequest{PageSize: gamePage}
		proto.Merge(request, filter)
		for {
			page, err := call(ctx, c.wire, c.wire.games.ListGames, request, c.token)
			if err != nil {
				yield(nil, err)
				return
			}
			for _, game := range page.Games {
				if !yield(game, nil) {
					return
				}
			}
			if page.NextPageToken == "" {
				return
			}
			request.PageToken = page.NextPageToken
		}
	}
}

// Inbox streams what needs attention in all games of the caller: everything pending, then news. It needs an identity.
// An empty cursor begins with what is pending; InboxItem.Cursor of the last item that was dealt with resumes. After a
// break it sends again what is still pending.
func (c *Client) Inbox(ctx context.Context, cursor string) iter.Seq2[*InboxItem, error] {
	return c.wire.inbox(ctx, cursor, c.token)
}

// NewRequestID returns a random request id: with one, a call that is sent twice takes effect once.
func NewRequestID() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	return hex.EncodeToString(id)
}

func fill(requestID *string) {
	if *requestID == "" {
		*requestID = NewRequestID()
	}
}

// Seats plans so many open seats, and after them one for each level of a hosted bot.
func Seats(open int, bots ...string) []*sheduv1.SeatPlan {
	var plans []*sheduv1.SeatPlan
	for range open {
		plans = append(plans, &sheduv1.SeatPlan{})
	}
	for _, level := range bots {
		plans = append(plans, &sheduv1.SeatPlan{BotLevel: level})
	}
	return plans
}

// Reserved plans a seat for each of these callers, such as "key:ann".
func Reserved(callers ...string) []*sheduv1.SeatPlan {
	var plans []*sheduv1.SeatPlan
	for _, caller := range callers {
		plans = append(plans, &sheduv1.SeatPlan{ReservedFor: caller})
	}
	return plans
}
