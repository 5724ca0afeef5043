import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { OptionsSchema, RevealPolicy, TimeoutPolicy, type Title, Visibility } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { titlesWithTexts } from "../title_catalog";
import { useRequest } from "../components/use_request";
import { Cover } from "../components/cover";
import { Loading, ErrorMessage } from "../components/messages";
import { OptionFields, type OptionValues } from "../components/option_fields";
import { clockOf, type ClockChoice, ClockField } from "../components/clock_field";
import { openPlan, type Plan, SeatFields } from "../components/seat_fields";
import { SPECTATORS, type SpectatorsChoice, SpectatorsField } from "../components/spectators_field";
import { prefer, preferences } from "../preferences";
import { go, Link } from "../router";
import { useSay } from "../translation";
import { storeInvite, storeSpectatorToken, joinGame } from "../join";
import { server } from "../server";
import { lengthOf, nameOf, playersOf, summaryOf } from "../title_facts";

export function CreatePage({ title: wanted }: { title: string }): JSX.Element {
  const say = useSay();
  const { answer: titles, problem, again } = useRequest(titlesWithTexts, []);
  const title = titles?.find((found) => found.title === wanted);
  if (problem) return <ErrorMessage problem={problem} again={again} />;
  if (!titles) return <Loading />;
  if (title) return <CreateForm title={title} />;
  return (
    <section class="panel notice" role="alert">
      <p>{say("web.trouble.title_not_found", "This server does not have this game.")}</p>
      <Link to="/" class="button primary">
        {say("web.to_gallery", "All games")}
      </Link>
    </section>
  );
}

interface Wishes {
  name: string;
  plan: Plan;
  pace: ClockChoice;
  onTimeout: TimeoutPolicy;
  watching: SpectatorsChoice;
  visibility: Visibility;
  reveal: RevealPolicy;
  options: OptionValues;
}

function CreateForm({ title }: { title: Title }): JSX.Element {
  const say = useSay();
  const [wishes, setWishes] = useState<Wishes>({
    name: preferences.get().name,
    plan: openPlan(title),
    pace: "none",
    onTimeout: TimeoutPolicy.TAKE_OVER,
    watching: "public",
    visibility: Visibility.UNLISTED,
    reveal: RevealPolicy.FULL,
    options: {},
  });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const wish = (changed: Partial<Wishes>) => setWishes({ ...wishes, ...changed });
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await open(title, wishes);
    } catch (found) {
      setProblem(found);
      setBusy(false);
    }
  };
  return (
    <form class="panel create" onSubmit={submit}>
      <Cover title={title.title} />
      <h1>{nameOf(title)}</h1>
      <p class="facts">
        {[playersOf(title, say), lengthOf(title, say)].filter(Boolean).join(" · ")}
      </p>
      <p>{summaryOf(title, say)}</p>
      <fieldset>
        <legend>{say("web.create.table", "Game")}</legend>
        <label>
          {say("web.name", "Your name")}
          <input
            name="name"
            autocomplete="nickname"
            maxLength={40}
            value={wishes.name}
            onInput={(event) => wish({ name: event.currentTarget.value })}
          />
        </label>
        <SeatFields title={title} plan={wishes.plan} choose={(plan) => wish({ plan })} />
        <VisibilityField value={wishes.visibility} choose={(visibility) => wish({ visibility })} />
        <ClockField pace={wishes.pace} onTimeout={wishes.onTimeout} choose={wish} />
        <SpectatorsField value={wishes.watching} choose={(watching) => wish({ watching })} />
        <RevealField value={wishes.reveal} choose={(reveal) => wish({ reveal })} />
      </fieldset>
      {title.options.length > 0 ? (
        <details class="more">
          <summary>{say("web.create.options", "Rule options")}</summary>
          <OptionFields title={title} values={wishes.options} choose={(options) => wish({ options })} />
        </details>
      ) : null}
      {problem ? <ErrorMessage problem={problem} /> : null}
      <p class="ways">
        <button type="submit" class="primary" disabled={busy}>
          {say("web.create.open", "Create game")}
        </button>
      </p>
    </form>
  );
}

async function open(title: Title, wishes: Wishes): Promise<void> {
  prefer({ name: wishes.name });
  const { game, inviteCode, spectatorToken } = await server.create({
    title: title.title,
    seatCount: wishes.plan.length,
    ...(wishes.plan.some(Boolean) ? { seats: wishes.plan.map((botLevel) => ({ botLevel })) } : {}),
    ...clockOf(wishes.pace, wishes.onTimeout),
    ...(wishes.watching === "public" ? {} : { spectators: SPECTATORS[wishes.watching] }),
    visibility: wishes.visibility,
    reveal: wishes.reveal,
    options: fromJson(OptionsSchema, { [title.title]: wishes.options as JsonValue }),
  });
  if (!game) throw new Error("the server's answer lacks the game");
  storeInvite(game.gameId, inviteCode);
  storeSpectatorToken(game.gameId, spectatorToken);
  await joinGame(game.gameId, { displayName: wishes.name, inviteCode });
  go(`/games/${game.gameId}`);
}

function VisibilityField(props: { value: Visibility; choose: (value: Visibility) => void }): JSX.Element {
  const say = useSay();
  return (
    <label>
      {say("web.create.visibility", "Visibility")}
      <select value={props.value} onChange={(event) => props.choose(Number(event.currentTarget.value))}>
        <option value={Visibility.UNLISTED}>{say("web.visibility.unlisted", "Everyone with the link")}</option>
        <option value={Visibility.PUBLIC}>{say("web.visibility.public", "Everyone: listed in the lobby")}</option>
        <option value={Visibility.PRIVATE}>{say("web.visibility.private", "Only invited players; nobody else can watch")}</option>
      </select>
    </label>
  );
}

function RevealField(props: { value: RevealPolicy; choose: (value: RevealPolicy) => void }): JSX.Element {
  const say = useSay();
  return (
    <label>
      {say("web.create.reveal", "Who can see everything after the game")}
      <select value={props.value} onChange={(event) => props.choose(Number(event.currentTarget.value))}>
        <option value={RevealPolicy.FULL}>{say("web.reveal.full", "Everyone who can watch the game")}</option>
        <option value={RevealPolicy.PARTICIPANTS}>{say("web.reveal.participants", "Players only")}</option>
        <option value={RevealPolicy.NEVER}>{say("web.reveal.never", "Nobody; the luck cannot be checked")}</option>
      </select>
    </label>
  );
}
