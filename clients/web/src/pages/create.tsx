import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import { OptionsSchema, RevealPolicy, TimeoutPolicy, type Title, Visibility } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { titles as catalog } from "../catalog";
import { useAsked } from "../parts/asked";
import { Cover } from "../parts/cover";
import { Loading, Trouble } from "../parts/notice";
import { OptionFields, type OptionValues } from "../parts/options";
import { clockOf, type Pace, PaceField } from "../parts/pace";
import { openPlan, type Plan, Seating } from "../parts/seating";
import { SPECTATORS, type Watching, WatchingField } from "../parts/watching";
import { prefer, preferences } from "../preferences";
import { go, Link } from "../router";
import { useSay } from "../say";
import { keepInvite, keepWatch, sitDown } from "../joining";
import { server } from "../server";
import { lengthOf, nameOf, playersOf, summaryOf } from "../titles";

export function CreatePage({ title: wanted }: { title: string }): JSX.Element {
  const say = useSay();
  const { answer: titles, problem, again } = useAsked(() => catalog(), []);
  const title = titles?.find((found) => found.title === wanted);
  if (problem) return <Trouble problem={problem} again={again} />;
  if (!titles) return <Loading />;
  if (title) return <CreateForm title={title} />;
  return (
    <section class="panel notice" role="alert">
      <p>{say("web.trouble.title_not_found", "This server does not host that game.")}</p>
      <Link to="/" class="button primary">
        {say("web.to_gallery", "See the games")}
      </Link>
    </section>
  );
}

interface Wishes {
  name: string;
  plan: Plan;
  pace: Pace;
  onTimeout: TimeoutPolicy;
  watching: Watching;
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
        {playersOf(title, say)}
        {" · "}
        {lengthOf(title, say)}
      </p>
      <p>{summaryOf(title, say)}</p>
      <fieldset>
        <legend>{say("web.create.table", "The table")}</legend>
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
        <Seating title={title} plan={wishes.plan} choose={(plan) => wish({ plan })} />
        <VisibilityField value={wishes.visibility} choose={(visibility) => wish({ visibility })} />
        <PaceField pace={wishes.pace} onTimeout={wishes.onTimeout} choose={wish} />
        <WatchingField value={wishes.watching} choose={(watching) => wish({ watching })} />
        <RevealField value={wishes.reveal} choose={(reveal) => wish({ reveal })} />
      </fieldset>
      {title.options.length > 0 ? (
        <details class="more">
          <summary>{say("web.create.options", "Options of the rules")}</summary>
          <OptionFields title={title} values={wishes.options} choose={(options) => wish({ options })} />
        </details>
      ) : null}
      {problem ? <Trouble problem={problem} /> : null}
      <p class="ways">
        <button type="submit" class="primary" disabled={busy}>
          {say("web.create.open", "Open the table and sit down")}
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
  keepInvite(game.gameId, inviteCode);
  keepWatch(game.gameId, spectatorToken);
  await sitDown(game.gameId, { displayName: wishes.name, inviteCode });
  go(`/games/${game.gameId}`);
}

function VisibilityField(props: { value: Visibility; choose: (value: Visibility) => void }): JSX.Element {
  const say = useSay();
  return (
    <label>
      {say("web.create.visibility", "Who may find it")}
      <select value={props.value} onChange={(event) => props.choose(Number(event.currentTarget.value))}>
        <option value={Visibility.UNLISTED}>{say("web.visibility.unlisted", "Whoever has the link")}</option>
        <option value={Visibility.PUBLIC}>{say("web.visibility.public", "Everyone: it is listed in the lobby")}</option>
        <option value={Visibility.PRIVATE}>{say("web.visibility.private", "Only those I invite; nobody else may watch")}</option>
      </select>
    </label>
  );
}

function RevealField(props: { value: RevealPolicy; choose: (value: RevealPolicy) => void }): JSX.Element {
  const say = useSay();
  return (
    <label>
      {say("web.create.reveal", "Who may see everything after the end")}
      <select value={props.value} onChange={(event) => props.choose(Number(event.currentTarget.value))}>
        <option value={RevealPolicy.FULL}>{say("web.reveal.full", "Everyone who may look at the game")}</option>
        <option value={RevealPolicy.PARTICIPANTS}>{say("web.reveal.participants", "Those who played")}</option>
        <option value={RevealPolicy.NEVER}>{say("web.reveal.never", "Nobody, and the luck cannot be checked")}</option>
      </select>
    </label>
  );
}
