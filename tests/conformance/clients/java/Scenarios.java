import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.MessageOrBuilder;
import com.google.protobuf.util.JsonFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import shedu.client.GameHandle;
import shedu.client.GameUpdate;
import shedu.client.LegalActions;
import shedu.client.Player;
import shedu.client.SheduClient;
import shedu.client.SheduException;
import shedu.client.Subscription;
import shedu.v1.CreateGameRequest;
import shedu.v1.GetViewRequest;
import shedu.v1.JoinGameRequest;
import shedu.v1.JoinGameResponse;
import shedu.v1.ListEventsRequest;
import shedu.v1.ListLegalActionsResponse;
import shedu.v1.PlayActionRequest;
import shedu.v1.Visibility;
import shedu.v1.WatchGameRequest;

/**
 * Runs the scenarios with the Java client: Scenarios ADDRESS FILE. Prints a line of JSON for each scenario: what each
 * step showed or how it failed.
 */
public class Scenarios {
    private static final Gson GSON = new GsonBuilder().serializeNulls().create();

    private final SheduClient client;
    private final Map<String, Integer> seats = new HashMap<>(); // by token

    Scenarios(SheduClient client) {
        this.client = client;
    }

    public static void main(String[] arguments) throws Exception {
        try (SheduClient client = SheduClient.connect(arguments[0])) {
            JsonElement scenarios = JsonParser.parseString(Files.readString(Path.of(arguments[1])));
            for (JsonElement scenario : scenarios.getAsJsonArray()) {
                JsonObject told = scenario.getAsJsonObject();
                JsonArray shown = new Scenarios(client).run(told.getAsJsonArray("steps"));
                System.out.println(GSON.toJson(object(told.get("name").getAsString(), shown)));
            }
        }
    }

    private JsonArray run(JsonArray steps) throws InvalidProtocolBufferException {
        JsonObject kept = new JsonObject();
        JsonArray shown = new JsonArray();
        for (JsonElement step : steps) {
            shown.add(take(step.getAsJsonObject(), kept));
        }
        return shown;
    }

    private JsonObject take(JsonObject step, JsonObject kept) throws InvalidProtocolBufferException {
        JsonObject shown = new JsonObject();
        try {
            JsonElement answer = call(filled(step, kept).getAsJsonObject());
            part(step, "keep").forEach((name, path) -> kept.add(name, look(answer, path.getAsString())));
            part(step, "shows").keySet().forEach(path -> shown.add(path, look(answer, path)));
        } catch (SheduException error) {
            return failure(error);
        }
        return shown;
    }

    private static Map<String, JsonElement> part(JsonObject step, String name) {
        return step.has(name) ? map(step.getAsJsonObject(name)) : Map.of();
    }

    private JsonElement call(JsonObject step) throws InvalidProtocolBufferException {
        switch (step.get("call").getAsString()) {
            case "titles":
                JsonArray titles = new JsonArray();
                client.titles().forEach(title -> titles.add(json(title)));
                return object("titles", titles);
            case "create":
                return create(step);
            case "join":
                return join(step);
            case "view":
                return json(game(step).view(read(step, GetViewRequest.newBuilder()).build()));
            case "legalActions":
                return legalActions(step);
            case "play":
                return json(player(step).play(read(step, PlayActionRequest.newBuilder()).build()));
            case "events":
                JsonArray events = new JsonArray();
                long after = read(step, ListEventsRequest.newBuilder()).getAfterVersion();
                game(step).events(after).forEach(event -> events.add(json(event)));
                return object("events", events);
            case "fairness":
                return object("fairness", json(game(step).fairness()));
            case "start":
                return object("game", json(player(step).start()));
            case "leave":
                return object("game", json(player(step).leave()));
            case "watch":
                return watch(step);
            case "playOut":
                return playOut(step);
            default:
                throw new IllegalArgumentException("unknown call: " + step);
        }
    }

    private JsonElement create(JsonObject step) throws InvalidProtocolBufferException {
        CreateGameRequest wanted = read(step, CreateGameRequest.newBuilder()).build();
        GameHandle made = client.create(wanted);
        JsonObject answer = new JsonObject();
        // A private game is not shown to whoever has no seat.
        boolean hidden = wanted.getVisibility() == Visibility.VISIBILITY_PRIVATE;
        answer.add("game", hidden ? object("gameId", new JsonPrimitive(made.id())) : json(made.game()));
        answer.addProperty("inviteCode", made.inviteCode());
        return answer;
    }

    private JsonElement join(JsonObject step) throws InvalidProtocolBufferException {
        Player player = game(step).join(read(step, JoinGameRequest.newBuilder()).build());
        seats.put(player.token(), player.seat());
        JoinGameResponse.Builder answer = JoinGameResponse.newBuilder().setGame(player.game());
        return json(answer.setSeat(player.seat()).setSeatToken(player.token()));
    }

    private JsonElement legalActions(JsonObject step) {
        LegalActions legal = player(step).legalActions();
        ListLegalActionsResponse.Builder answer = ListLegalActionsResponse.newBuilder();
        legal.decision().ifPresent(answer::setDecision);
        return json(answer.addAllActions(legal.actions()).setVersion(legal.version()));
    }

    /** All that is told until the stream has caught up, in the words of the scenarios. */
    private JsonElement watch(JsonObject step) throws InvalidProtocolBufferException {
        WatchGameRequest wanted = read(step, WatchGameRequest.newBuilder()).build();
        GameHandle game = game(step);
        long last = game.game().getVersion();
        JsonArray kinds = new JsonArray();
        JsonArray versions = new JsonArray();
        try (Subscription<GameUpdate> updates =
                wanted.hasAfterVersion() ? game.watch(wanted.getAfterVersion()) : game.watch()) {
            for (GameUpdate update : updates) {
                kinds.add(update.events().isEmpty() ? "snapshot" : "happened");
                update.events().forEach(event -> versions.add(Long.toString(event.getVersion())));
                if (update.version() >= last) {
                    break;
                }
            }
        }
        kinds.add("caughtUp");
        JsonObject told = object("kinds", kinds);
        told.add("versions", versions);
        return told;
    }

    /** Every seat answers with the first legal action, in turn, until nothing is asked any more. */
    private JsonElement playOut(JsonObject step) {
        List<Player> players = new ArrayList<>();
        for (JsonElement token : step.getAsJsonArray("seats")) {
            String gameId = step.get("game").getAsString();
            players.add(client.player(gameId, seats.get(token.getAsString()), token.getAsString()));
        }
        int answers = 0;
        for (int idle = 0; idle < players.size(); ) {
            Player player = players.get((answers + idle) % players.size());
            LegalActions legal = player.legalActions();
            if (legal.decision().isEmpty()) {
                idle++;
                continue;
            }
            player.play(legal.actions().get(0), legal.decision().get());
            answers++;
            idle = 0;
        }
        JsonObject told = object("answers", new JsonPrimitive(answers));
        told.add("game", json(players.get(0).game()));
        return told;
    }

    private GameHandle game(JsonObject step) {
        String gameId = step.get("game").getAsString();
        return step.has("as") ? client.game(gameId, step.get("as").getAsString()) : client.game(gameId);
    }

    private Player player(JsonObject step) {
        String token = step.get("as").getAsString();
        return client.player(step.get("game").getAsString(), seats.get(token), token);
    }

    private static JsonObject failure(SheduException error) {
        JsonObject told = new JsonObject();
        told.addProperty("code", error.code().name());
        told.addProperty("reason", error.reason());
        told.addProperty("rule", error instanceof SheduException.Refused refused ? refused.rule() : null);
        JsonArray fields = new JsonArray();
        if (error instanceof SheduException.InvalidRequest invalid) {
            invalid.violations().forEach(each -> fields.add(each.field()));
        }
        told.add("fields", fields);
        JsonArray missed = new JsonArray();
        if (error instanceof SheduException.Stale stale) {
            stale.events().forEach(event -> missed.add(Long.toString(event.getVersion())));
        }
        told.add("missed", error instanceof SheduException.Stale ? missed : JsonNull.INSTANCE);
        return told;
    }

    private static <B extends Message.Builder> B read(JsonObject step, B builder) throws InvalidProtocolBufferException {
        if (step.has("with")) {
            JsonFormat.parser().merge(GSON.toJson(step.get("with")), builder);
        }
        return builder;
    }

    private static JsonElement json(MessageOrBuilder message) {
        try {
            return JsonParser.parseString(JsonFormat.printer().print(message));
        } catch (InvalidProtocolBufferException unprintable) {
            throw new IllegalStateException(unprintable);
        }
    }

    private static JsonObject object(String name, JsonElement value) {
        JsonObject made = new JsonObject();
        made.add(name, value);
        return made;
    }

    private static Map<String, JsonElement> map(JsonObject object) {
        Map<String, JsonElement> made = new HashMap<>();
        object.entrySet().forEach(entry -> made.put(entry.getKey(), entry.getValue()));
        return made;
    }

    /** With what earlier steps kept in place of its name. */
    private static JsonElement filled(JsonElement value, JsonObject kept) {
        if (value.isJsonArray()) {
            JsonArray made = new JsonArray();
            value.getAsJsonArray().forEach(item -> made.add(filled(item, kept)));
            return made;
        }
        if (value.isJsonObject()) {
            JsonObject made = new JsonObject();
            map(value.getAsJsonObject()).forEach((name, item) -> made.add(name, filled(item, kept)));
            return made;
        }
        boolean named = value.isJsonPrimitive() && value.getAsJsonPrimitive().isString();
        return named && value.getAsString().startsWith("$") ? kept.get(value.getAsString().substring(1)) : value;
    }

    /** What stands at the end of a path; null where it does not lead anywhere. */
    private static JsonElement look(JsonElement value, String path) {
        int dot = path.indexOf('.');
        String name = dot < 0 ? path : path.substring(0, dot);
        String rest = dot < 0 ? "" : path.substring(dot + 1);
        if (name.isEmpty()) {
            return value == null ? JsonNull.INSTANCE : value;
        }
        if (name.equals("*")) {
            JsonArray found = new JsonArray();
            if (value != null && value.isJsonArray()) {
                value.getAsJsonArray().forEach(item -> found.add(look(item, rest)));
            }
            return found;
        }
        return look(child(value, name), rest);
    }

    private static JsonElement child(JsonElement value, String name) {
        if (value != null && value.isJsonArray()) {
            JsonArray items = value.getAsJsonArray();
            int index = Integer.parseInt(name);
            return index < items.size() ? items.get(index) : null;
        }
        return value != null && value.isJsonObject() ? value.getAsJsonObject().get(name) : null;
    }
}
