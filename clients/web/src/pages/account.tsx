import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { type Account, account, removeAccount, storeAccount } from "../account";
import { ErrorMessage, Loading } from "../components/messages";
import { useRequest } from "../components/use_request";
import { limited, players } from "../player_calls";
import { go, Link } from "../router";
import { useStore } from "../store";
import { useSay } from "../translation";

/** Where a key is entered, and name and privacy are changed. */
export function AccountPage(): JSX.Element {
  const mine = useStore(account);
  return mine ? <Settings mine={mine} /> : <SignIn />;
}

/** Asks the server whose key it is before it is stored. */
async function signIn(key: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  const { player } = await players.getProfile({}, { ...limited(), headers });
  storeAccount({ key, handle: player?.handle ?? "" });
  go(`/players/${player?.handle ?? ""}`);
}

function SignIn(): JSX.Element {
  const say = useSay();
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState<unknown>();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setProblem(undefined);
    signIn(key.trim()).catch(setProblem);
  };
  return (
    <form class="panel create account" onSubmit={submit}>
      <h1>{say("web.account.sign_in", "Sign in")}</h1>
      <p>{say("web.account.about", "With a key from the operator of this server you play rated games. It is stored in this browser only.")}</p>
      {problem ? <ErrorMessage problem={problem} /> : null}
      <label>
        {say("web.account.key", "Your key")}
        <input name="key" type="password" autocomplete="current-password" required value={key} onInput={(event) => setKey(event.currentTarget.value)} />
      </label>
      <p class="ways">
        <button type="submit" class="primary">
          {say("web.account.sign_in", "Sign in")}
        </button>
      </p>
    </form>
  );
}

function Settings({ mine }: { mine: Account }): JSX.Element {
  const say = useSay();
  const [wished, setWished] = useState<string | undefined>();
  const [problem, setProblem] = useState<unknown>();
  const profile = useRequest((signal) => players.getProfile({}, limited(signal)), [mine.key]);
  const change = async (changed: { handle?: string; hideHistory?: boolean }) => {
    setProblem(undefined);
    try {
      const { player } = await players.updateProfile(changed, limited());
      storeAccount({ ...mine, handle: player?.handle ?? mine.handle });
      profile.again();
    } catch (found) {
      setProblem(found);
    }
  };
  const leave = () => {
    removeAccount();
    go("/");
  };
  const player = profile.answer?.player;
  return (
    <section class="panel create account">
      <h1>{say("web.account.title", "Your account")}</h1>
      {problem || profile.problem ? <ErrorMessage problem={problem ?? profile.problem} /> : null}
      {player ? (
        <form class="invite" onSubmit={(event) => (event.preventDefault(), void change({ handle: wished ?? mine.handle }))}>
          <label>
            {say("web.account.handle", "Name that others see: 3 to 20 letters, digits, _ and -")}
            <input name="handle" required pattern="[A-Za-z0-9][A-Za-z0-9_\-]{1,18}[A-Za-z0-9]" value={wished ?? player.handle} onInput={(event) => setWished(event.currentTarget.value)} />
          </label>
          <button type="submit">{say("web.account.rename", "Change")}</button>
        </form>
      ) : profile.problem ? null : (
        <Loading />
      )}
      {player ? (
        <label class="check">
          <input type="checkbox" checked={player.historyHidden} onChange={(event) => void change({ hideHistory: event.currentTarget.checked })} />
          {say("web.account.hide", "Hide my games from others")}
        </label>
      ) : null}
      <p class="ways">
        <Link to={`/players/${mine.handle}`} class="button">
          {say("web.account.profile", "My profile")}
        </Link>
        <button type="button" onClick={leave}>
          {say("web.account.sign_out", "Sign out")}
        </button>
      </p>
    </section>
  );
}
