import type { ComponentChildren, JSX } from "preact";
import { useSay } from "../say";
import { explain } from "../troubles";

/** Something went wrong, in a sentence, with a way on. */
export function Trouble(props: { problem: unknown; again?: (() => void) | undefined; children?: ComponentChildren }): JSX.Element {
  const say = useSay();
  return (
    <section class="panel notice" role="alert">
      <p>{explain(props.problem, say)}</p>
      <p class="ways">
        {props.again ? (
          <button type="button" class="primary" onClick={props.again}>
            {say("web.again", "Try again")}
          </button>
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
      {say("web.loading", "One moment …")}
    </p>
  );
}
