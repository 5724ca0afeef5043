import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { createStore, useStore } from "../store";
import { nameOf, summaryOf } from "../title_facts";
import { useTitle } from "../title_catalog";
import { useSay } from "../translation";
import { useTeaching } from "./teaching";

/** The title of the page that is open: the header offers its rules. */
export const openTitle = createStore<string | undefined>(undefined);

/** Offers the rules of a title in the header as long as the component is shown. */
export function useRulesOf(title: string | undefined): void {
  useEffect(() => {
    openTitle.set(title);
    return () => openTitle.set(undefined);
  }, [title]);
}

export function RulesButton(): JSX.Element | null {
  const say = useSay();
  const title = useStore(openTitle);
  const [isOpen, setOpen] = useState(false);
  if (title === undefined) return null;
  return (
    <>
      <button type="button" class="rules-button" onClick={() => setOpen(true)}>
        {say("web.rules", "Rules")}
      </button>
      {isOpen ? <RulesDrawer title={title} close={() => setOpen(false)} /> : null}
    </>
  );
}

/** The legend and the rules of a title, at the side of the table. */
function RulesDrawer({ title, close }: { title: string; close: () => void }): JSX.Element {
  const say = useSay();
  const dialog = useRef<HTMLDialogElement>(null);
  const catalog = useTitle(title);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="drawer" aria-labelledby="rules-heading" onClose={close}>
      <header>
        <h2 id="rules-heading">
          {say("web.rules.of", "Rules: {title}", { title: nameOf(title) })}
        </h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          {say("web.close", "Close")}
        </button>
      </header>
      <div class="drawer-body" tabIndex={0} role="region" aria-labelledby="rules-heading">
        {catalog ? <p class="lead">{summaryOf(catalog, say)}</p> : null}
        <Legend title={title} />
        <Chapters title={title} />
      </div>
    </dialog>
  );
}

function Legend({ title }: { title: string }): JSX.Element | null {
  const say = useSay();
  const teaching = useTeaching(title);
  if (!teaching) return null;
  return (
    <>
      <h3>{say("web.rules.legend", "What is what")}</h3>
      <ul class="legend">
        {teaching.legend.map(([key, picture]) => (
          <li key={key}>
            <span class="legend-picture" aria-hidden="true">
              {picture}
            </span>
            <span>{teaching.texts.legend[key]}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The rules that refusals refer to; those of a title without chapters, in one list. */
function Chapters({ title }: { title: string }): JSX.Element {
  const teaching = useTeaching(title);
  const english = new Map(useTitle(title)?.rules.map((rule) => [rule.ruleId, rule.text]));
  const chapters = teaching?.chapters ?? [["", [...english.keys()]] as const];
  return (
    <>
      {chapters.map(([key, rules]) => (
        <section key={key}>
          <h3>{teaching?.texts.chapters[key]}</h3>
          <ul class="rules">
            {rules.map((id) => (
              <li key={id}>
                {teaching?.texts.rules[id] ?? english.get(id)} <span class="rule-id">{id}</span>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
