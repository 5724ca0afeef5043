import { ForkPolicy, RevealPolicy, SheduError, type Title, Visibility } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { titlesWithTexts } from "../title_catalog";
import { useRequest } from "../components/use_request";
import { Cover } from "../components/cover";
import { Loading, ErrorMessage } from "../components/messages";
import { NameField } from "../components/name_field";
import { OptionFields } from "../components/option_fields";
import { ClockField } from "../components/clock_field";
import { SeatFields } from "../components/seat_fields";
import { SpectatorsField } from "../components/spectators_field";
import { defaultGame, type NewGame, startGame } from "../new_game";
import { preferences } from "../preferences";
import { Link } from "../router";
import { useRulesOf } from "../teaching/rules_drawer";
import { useSay } from "../translation";
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

function CreateForm({ title }: { title: Title }): JSX.Element {
  const say = useSay();
  useRulesOf(title.title);
  const [wishes, setWishes] = useState<NewGame>(defaultGame(title, preferences.get().name));
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<SheduError>();
  const wish = (changed: Partial<NewGame>) => setWishes({ ...wishes, ...changed });
  const submit = async (event: JSX.TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!isValid(event.currentTarget)) return;
    setBusy(true);
    setProblem(undefined);
    try {
      await startGame(title, wishes);
    } catch (found) {
      setProblem(SheduError.from(found));
      setBusy(false);
    }
  };
  return (
    <form class="panel create" onSubmit={submit} noValidate>
      <Cover title={title.title} />
      <h1>{nameOf(title)}</h1>
      <p class="facts">
        {[playersOf(title, say), lengthOf(title, say)].filter(Boolean).join(" · ")}
      </p>
      <p>{summaryOf(title, say)}</p>
      <fieldset>
        <legend>{say("web.create.table", "Game")}</legend>
        <NameField name={wishes.name} choose={(name) => wish({ name })} />
        <SeatFields title={title} plan={wishes.plan} choose={(plan) => wish({ plan })} />
      </fieldset>
      <Advanced title={title} wishes={wishes} wish={wish} problem={problem} />
      {problem ? <ErrorMessage problem={problem} /> : null}
      <p class="ways">
        <button type="submit" class="primary" disabled={isBusy}>
          {say("web.create.open", "Create game")}
        </button>
      </p>
    </form>
  );
}

/** Whether every field has a value within its bounds. If not, the first wrong one gets the focus; it says why itself. */
function isValid(form: HTMLFormElement): boolean {
  if (form.checkValidity()) return true;
  const wrong = form.querySelector<HTMLInputElement>("input:invalid");
  const folded = wrong?.closest("details");
  if (folded) folded.open = true;
  wrong?.focus();
  return false;
}

interface AdvancedProps {
  title: Title;
  wishes: NewGame;
  wish: (changed: Partial<NewGame>) => void;
  problem: SheduError | undefined;
}

function Advanced({ title, wishes, wish, problem }: AdvancedProps): JSX.Element {
  const say = useSay();
  return (
    <details class="more">
      <summary>{say("web.create.advanced", "Advanced")}</summary>
      <div class="settings-of-game">
        <VisibilityField value={wishes.visibility} choose={(visibility) => wish({ visibility })} />
        <ClockField pace={wishes.pace} onTimeout={wishes.onTimeout} choose={wish} />
        <SpectatorsField value={wishes.watching} choose={(watching) => wish({ watching })} />
        <RevealField value={wishes.reveal} choose={(reveal) => wish({ reveal })} />
        <ForksField value={wishes.forks} choose={(forks) => wish({ forks })} />
      </div>
      {title.options.length > 0 ? (
        <>
          <h2>{say("web.create.options", "Rule options")}</h2>
          <OptionFields
            title={title}
            values={wishes.options}
            choose={(options) => wish({ options })}
            violations={problem?.fieldViolations ?? []}
          />
        </>
      ) : null}
    </details>
  );
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

function ForksField(props: { value: ForkPolicy; choose: (value: ForkPolicy) => void }): JSX.Element {
  const say = useSay();
  return (
    <label>
      {say("web.create.forks", "Hints and sandboxes")}
      <select value={props.value} onChange={(event) => props.choose(Number(event.currentTarget.value))}>
        <option value={ForkPolicy.ANY_TIME}>{say("web.forks.any_time", "Allowed during the game")}</option>
        <option value={ForkPolicy.AFTER_END}>{say("web.forks.after_end", "Only after the game")}</option>
      </select>
    </label>
  );
}
