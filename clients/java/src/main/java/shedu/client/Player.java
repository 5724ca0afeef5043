package shedu.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import shedu.v1.Action;
import shedu.v1.AddBotRequest;
import shedu.v1.AnswerProposalRequest;
import shedu.v1.AnswerProposalResponse;
import shedu.v1.Decision;
import shedu.v1.Game;
import shedu.v1.GameServiceGrpc;
import shedu.v1.LeaveGameRequest;
import shedu.v1.LegalAction;
import shedu.v1.ListLegalActionsRequest;
import shedu.v1.ListLegalActionsResponse;
import shedu.v1.PlayActionRequest;
import shedu.v1.PlayActionResponse;
import shedu.v1.Proposal;
import shedu.v1.ProposeAbandonRequest;
import shedu.v1.ProposeAbandonResponse;
import shedu.v1.ProposeUndoRequest;
import shedu.v1.ProposeUndoResponse;
import shedu.v1.ReclaimSeatRequest;
import shedu.v1.RefreshSeatTokenRequest;
import shedu.v1.RematchRequest;
import shedu.v1.RematchResponse;
import shedu.v1.ResignRequest;
import shedu.v1.RevokeSeatTokensRequest;
import shedu.v1.StartGameRequest;

/** One seat of one game. Its token gives the right to play it: keep it secret. */
public final class Player extends GameHandle {
    private final int seat;

    Player(Connection connection, String gameId, int seat, String token) {
        super(connection, gameId, token, "", "");
        this.seat = seat;
    }

    /**
     * {@return the number of the seat, from 0}
     */
    public int seat() {
        return seat;
    }

    /**
     * {@return the token of the seat; with {@link SheduClient#player(String, int, String)} it is at the table again}
     */
    public String token() {
        return currentToken();
    }

    @Override
    OptionalInt seatNumber() {
        return OptionalInt.of(seat);
    }

    /**
     * {@return the decision that this seat is asked for, if there is one, and everything that may answer it}
     */
    public LegalActions legalActions() {
        while (true) {
            try {
                return allPages();
            } catch (SheduException.Stale movedOn) {
                // The game moved on between two pages: all of them are asked for again.
            }
        }
    }

    private LegalActions allPages() {
        List<LegalAction> actions = new ArrayList<>();
        ListLegalActionsRequest.Builder request =
                ListLegalActionsRequest.newBuilder().setGameId(id()).setSeat(seat).setPageSize(PAGE);
        while (true) {
            ListLegalActionsResponse page = call(GameServiceGrpc.getListLegalActionsMethod(), request.build());
            actions.addAll(page.getActionsList());
            request.setPageToken(page.getNextPageToken());
            if (page.getNextPageToken().isEmpty()) {
                Optional<Decision> decision = page.hasDecision() ? Optional.of(page.getDecision()) : Optional.empty();
                return new LegalActions(decision, List.copyOf(actions), page.getVersion());
            }
        }
    }

    /**
     * Answers a decision with one of the legal actions.
     *
     * @param action from {@link #legalActions}
     * @param decision the decision that it answers
     * @return what happened, and what the seat knows afterwards
     * @throws SheduException.Refused if the rules do not allow it
     * @throws SheduException.Stale if the decision is no longer open
     */
    public PlayActionResponse play(LegalAction action, Decision decision) {
        return play(action.getAction(), decision.getDecisionId());
    }

    /**
     * Answers a decision with an action of the caller's own making.
     *
     * @param action the action
     * @param decisionId the id of the decision that it answers
     * @return what happened, and what the seat knows afterwards
     * @throws SheduException.Refused if the rules do not allow it
     * @throws SheduException.Stale if the decision is no longer open
     */
    public PlayActionResponse play(Action action, String decisionId) {
        return play(PlayActionRequest.newBuilder().setAction(action).setDecisionId(decisionId).build());
    }

    /**
     * Answers a decision, as the contract offers it: only at an expected version, only to ask whether the action would
     * be accepted, or with a request id of the caller's own, which also survives a crash of this program.
     *
     * @param request its game and seat are filled in; a request id is added if it has none
     * @return what happened, and what the seat knows afterwards
     * @throws SheduException.Refused if the rules do not allow it
     * @throws SheduException.Stale if the decision is no longer open
     */
    public PlayActionResponse play(PlayActionRequest request) {
        PlayActionRequest.Builder complete = request.toBuilder().setGameId(id()).setSeat(seat);
        if (request.getRequestId().isEmpty()) {
            complete.setRequestId(SheduClient.newRequestId());
        }
        return call(GameServiceGrpc.getPlayActionMethod(), complete.build());
    }

    /**
     * Every decision that this seat is asked for, once, until the game is over.
     *
     * @return the decisions, each with what the seat knows and what it may answer
     */
    public Subscription<Turn> turns() {
        return new Turns(this, watch());
    }

    /**
     * What wants the attention of this seat: everything that is pending, then news, until the game is over. After a
     * break it begins again with what is still pending.
     *
     * @return the inbox
     */
    public Subscription<InboxUpdate> inbox() {
        return connection()
                .follow(GameServiceGrpc.getWatchInboxMethod(), new StreamPosition.OfInbox(""), this::currentToken);
    }

    /**
     * Gives the seat back before the start.
     *
     * @return the game afterwards
     */
    public Game leave() {
        LeaveGameRequest.Builder request = LeaveGameRequest.newBuilder().setGameId(id()).setSeat(seat);
        return call(GameServiceGrpc.getLeaveGameMethod(), request.setRequestId(SheduClient.newRequestId()).build())
                .getGame();
    }

    /**
     * Starts a full game that was created with {@code manual_start}.
     *
     * @return the game afterwards
     */
    public Game start() {
        StartGameRequest.Builder request = StartGameRequest.newBuilder().setGameId(id()).setSeat(seat);
        return call(GameServiceGrpc.getStartGameMethod(), request.setRequestId(SheduClient.newRequestId()).build())
                .getGame();
    }

    /**
     * Seats a hosted bot on the first open seat before the start.
     *
     * @param level how well it plays; empty for the title's own choice
     * @return the number of its seat
     */
    public int addBot(String level) {
        AddBotRequest.Builder request =
                AddBotRequest.newBuilder().setGameId(id()).setSeat(seat).setBotLevel(level);
        return call(GameServiceGrpc.getAddBotMethod(), request.setRequestId(SheduClient.newRequestId()).build())
                .getBotSeat();
    }

    /**
     * Gives up.
     *
     * @return the game afterwards
     */
    public Game resign() {
        ResignRequest.Builder request = ResignRequest.newBuilder().setGameId(id()).setSeat(seat);
        return call(GameServiceGrpc.getResignMethod(), request.setRequestId(SheduClient.newRequestId()).build())
                .getGame();
    }

    /**
     * Takes the seat back from the bot that took it over when its time was up.
     *
     * @return the game afterwards
     */
    public Game reclaim() {
        ReclaimSeatRequest.Builder request = ReclaimSeatRequest.newBuilder().setGameId(id()).setSeat(seat);
        return call(GameServiceGrpc.getReclaimSeatMethod(), request.setRequestId(SheduClient.newRequestId()).build())
                .getGame();
    }

    /**
     * Takes back the seat's last action: at once where nothing was learnt since, otherwise if all others agree.
     *
     * @return what happened: the undo, or a proposal
     */
    public ProposeUndoResponse undo() {
        return undo(ProposeUndoRequest.newBuilder());
    }

    /**
     * Goes back to an earlier version: at once where nothing was learnt since, otherwise if all others agree.
     *
     * @param toVersion a version with which a call ended
     * @return what happened: the undo, or a proposal
     */
    public ProposeUndoResponse undo(long toVersion) {
        return undo(ProposeUndoRequest.newBuilder().setToVersion(toVersion));
    }

    private ProposeUndoResponse undo(ProposeUndoRequest.Builder request) {
        request.setGameId(id()).setSeat(seat).setRequestId(SheduClient.newRequestId());
        return call(GameServiceGrpc.getProposeUndoMethod(), request.build());
    }

    /**
     * Ends the game without a winner if all others agree.
     *
     * @return what happened: a proposal, or the end when nobody else had to be asked
     */
    public ProposeAbandonResponse proposeAbandon() {
        ProposeAbandonRequest.Builder request =
                ProposeAbandonRequest.newBuilder().setGameId(id()).setSeat(seat);
        return call(GameServiceGrpc.getProposeAbandonMethod(), request.setRequestId(SheduClient.newRequestId()).build());
    }

    /**
     * Agrees to a proposal, or not.
     *
     * @param proposal from the view
     * @param accept whether this seat agrees
     * @return the answer, and what it led to
     */
    public AnswerProposalResponse answer(Proposal proposal, boolean accept) {
        AnswerProposalRequest.Builder request = AnswerProposalRequest.newBuilder()
                .setGameId(id())
                .setSeat(seat)
                .setProposalId(proposal.getProposalId())
                .setAccept(accept);
        return call(GameServiceGrpc.getAnswerProposalMethod(), request.setRequestId(SheduClient.newRequestId()).build());
    }

    /**
     * Takes the same seat of a new game of the same kind.
     *
     * @return the seat of the new game
     */
    public Player rematch() {
        RematchRequest.Builder request = RematchRequest.newBuilder().setGameId(id()).setSeat(seat);
        RematchResponse again =
                call(GameServiceGrpc.getRematchMethod(), request.setRequestId(SheduClient.newRequestId()).build());
        return new Player(connection(), again.getGame().getGameId(), again.getSeat(), again.getSeatToken());
    }

    /**
     * Asks for a token that is valid for longer, which this player uses from now on.
     *
     * @return the new token
     */
    public String refreshToken() {
        RefreshSeatTokenRequest request =
                RefreshSeatTokenRequest.newBuilder().setGameId(id()).setSeat(seat).build();
        useToken(call(GameServiceGrpc.getRefreshSeatTokenMethod(), request).getSeatToken());
        return token();
    }

    /**
     * Makes all earlier tokens of the seat invalid. This player uses the new one from now on.
     *
     * @return the new token
     */
    public String revokeTokens() {
        RevokeSeatTokensRequest.Builder request =
                RevokeSeatTokensRequest.newBuilder().setGameId(id()).setSeat(seat);
        useToken(call(GameServiceGrpc.getRevokeSeatTokensMethod(), request.setRequestId(SheduClient.newRequestId()).build())
                .getSeatToken());
        return token();
    }

    @Override
    public String toString() {
        return "Player[seat " + seat + " of " + id() + "]";
    }
}
