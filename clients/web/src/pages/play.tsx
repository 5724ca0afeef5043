import { SheduError } from "@shedu/client";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { account } from "../account";
import { Cover } from "../components/cover";
import { ErrorMessage, Loading } from "../components/messages";
import { NameField } from "../components/name_field";
import { prefer, preferences } from "../preferences";
import { go, Link } from "../router";
import { useStore } from "../store";
import { useTitle } from "../title_catalog";
import { nameOf } from "../title_facts";
import { useSay } from "../translation";
import { cancelTicket, createTicket, leaveTicket, lookAtTicket, resumedTicket, storedTicket, type WaitingTicket } from "../waiting_ticket";

const LOOK_MILLISECONDS = 1_000;
const BOT_SECONDS = [10, 30, 120];

/** A game with strangers: the wish, and then the wait until it is fulfilled. */
export function PlayPage({ title }: { title: string }): JSX.Element {
  const [ticket, setTicket] = useState<WaitingTicket | undefined>();
  const [problem, setProblem] = useState<unknown>();
  const isResuming = useStoredTicket(title, setTicket, setProblem);
  useTitle(title); // its name, for titles without facts
  return (
    <section class="panel create strangers">
      <Cover title={title} />
      <h1>{nameOf(title)}</h1>
      {problem ? <ErrorMessage problem={problem} /> : null}
      {ticket ? (
        <Waiting ticket={ticket} end={() => setTicket(undefined)} fail={setProblem} />
      ) : isResuming ? (
        <Loading />
      ) : (
        <WishForm title={title} begin={setTicket} fail={setProblem} />
      )}
    </section>
  );
}

/** Goes on with the ticket that this browser has for a title; whether it still tries to. */
function useStoredTicket(title: string, begin: WishFormProps["begin"], fail: WishFormProps["fail"]): boolean {
  const [isResuming, setResuming] = useState(() => storedTicket(title) !== undefined);
  useEffect(() => {
    const stored = storedTicket(title);
    if (stored) resumedTicket(stored).then(begin, fail).finally(() => setResuming(false));
  }, [title]);
  return isResuming;
}

interface WishFormProps {
  title: string;
  begin: (ticket: WaitingTicket) => void;
  fail: (problem: unknown) => void;
}

function WishForm({ title, begin, fail }: WishFormProps): JSX.Element {
  const say = useSay();
  const mine = useStore(account);
  const { name } = useStore(preferences);
  const [rated, setRated] = useState(true);
  const [bots, setBots] = useState("30");
  const [isBusy, setBusy] = useState(false);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    fail(undefined);
    const botsAfter = bots === "" ? undefined : Number(bots);
    createTicket({ title, displayName: name.trim() || (mine?.handle ?? ""), rated: rated && mine !== undefined, botsAfter })
      .then(begin, fail)
      .finally(() => setBusy(false));
  };
  return (
    <form onSubmit={submit}>
      <fieldset>
        <NameField name={name} choose={(chosen) => prefer({ name: chosen })} />
        <label>
          {say("web.match.bots", "If nobody comes, bots take the free seats")}
          <select value={bots} onChange={(event) => setBots(event.currentTarget.value)}>
            {BOT_SECONDS.map((seconds) => (
              <option value={String(seconds)}>{say("web.match.after", "after {seconds} seconds", { seconds: String(seconds) })}</option>
            ))}
            <option value="">{say("web.match.never", "never")}</option>
          </select>
        </label>
        {mine ? (
          <label class="check">
            <input type="checkbox" checked={rated} onChange={(event) => setRated(event.currentTarget.checked)} />
            {say("web.match.rated", "Rated game")}
          </label>
        ) : null}
      </fieldset>
      <p class="ways">
        <button type="submit" class="primary" disabled={isBusy}>
          {say("web.match.find", "Find opponents")}
        </button>
        {mine ? (
          <Link to={`/leaderboard/${title}`} class="plain">
            {say("web.leaderboard.title", "Leaderboard")}
          </Link>
        ) : null}
      </p>
    </form>
  );
}

interface WaitingProps {
  ticket: WaitingTicket;
  end: () => void;
  fail: (problem: unknown) => void;
}

/** Looks every second whether a game was found, and opens it. */
function Waiting({ ticket, end, fail }: WaitingProps): JSX.Element {
  const say = useSay();
  const [now, setNow] = useState(Date.now());
  const isOver = useRef(false);
  const leave = () => {
    isOver.current = true;
    end();
  };
  useEffect(() => {
    const ended = new AbortController();
    const look = async () => {
      setNow(Date.now());
      try {
        const found = await lookAtTicket(ticket, ended.signal);
        if (ended.signal.aborted) return;
        if (found === "gone") return leave();
        if (found !== undefined) {
          isOver.current = true;
          return go(`/games/${found}`, { replace: true });
        }
      } catch (problem) {
        if (ended.signal.aborted) return;
        if (!SheduError.from(problem).isTransient) {
          fail(problem);
          return leave();
        }
      }
      timer = setTimeout(look, LOOK_MILLISECONDS);
    };
    let timer = setTimeout(look);
    const close = () => leaveTicket(ticket);
    addEventListener("pagehide", close);
    return () => {
      removeEventListener("pagehide", close);
      clearTimeout(timer);
      ended.abort();
      // Whoever goes to another page looks no longer.
      if (!isOver.current) cancelTicket(ticket).catch(() => undefined);
    };
  }, [ticket.ticketId]);
  const seconds = Math.max(0, Math.floor((now - ticket.since) / 1000));
  // If a game was found at the same moment, it opens with the next look.
  const cancel = () => cancelTicket(ticket).then(leave, fail);
  return (
    <>
      <p role="status">{say("web.match.waiting", "Looking for opponents. The game starts by itself.")}</p>
      <p class="waited" role="timer">
        {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}
      </p>
      <p class="ways">
        <button type="button" onClick={cancel}>
          {say("web.match.cancel", "Stop looking")}
        </button>
      </p>
    </>
  );
}
