import type { ComponentChildren, JSX } from "preact";
import { needsAccount } from "../account";
import { Link } from "../router";
import { useStore } from "../store";
import { useSay } from "../translation";
import { explain } from "../error_messages";

/** An error as a sentence, with a button to try again and other ways to continue. */
export function ErrorMessage(props: { problem: unknown; again?: (() => void) | undefined; children?: ComponentChildren }): JSX.Element {
  const say = useSay();
  const signIn = useStore(needsAccount);
  return (
    <section class="panel notice" role="alert">
      <p>{explain(props.problem, say)}</p>
      <p class="ways">
        {props.again ? (
          <button type="button" class="primary" onClick={props.again}>
            {say("web.again", "Try again")}
          </button>
        ) : null}
        {signIn ? (
          <Link to="/account" class="button">
            {say("web.account.sign_in", "Sign in")}
          </Link>
        ) : null}
        {props.children}
      </p>
    </section>
  );
}

export function Loading(): JSX.Element {
  const say = useSay();
  return (
    <p class="loading" role="status">
      <span class="dots" aria-hidden="true" />
      {say("web.loading", "Loading …")}
    </p>
  );
}
