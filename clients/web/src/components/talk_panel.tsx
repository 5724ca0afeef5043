import type { Phrase, Remark } from "@shedu/client";
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Say } from "../board";
import type { Talk } from "../talk";
import { sayText, useLanguage, useSay } from "../translation";
import { announce } from "./announcer";
import { ErrorMessage } from "./messages";

const SHOWN_MILLISECONDS = 6_000;

interface TalkPanelProps {
  talk: Talk;
  names: readonly string[];
  seat: number | undefined;
}

/** What the seats said, the phrases to say, and whom not to hear. */
export function TalkPanel({ talk, names, seat }: TalkPanelProps): JSX.Element {
  const say = useSay();
  const language = useLanguage();
  const list = useRef<HTMLOListElement>(null);
  const [problem, setProblem] = useState<unknown>();
  useLayoutEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [talk.remarks]);
  const attempt = (call: Promise<void>) => {
    setProblem(undefined);
    call.catch(setProblem);
  };
  const others = names.map((name, other) => ({ name, other })).filter(({ other }) => other !== seat);
  return (
    <details class="talk">
      <summary>
        {say("web.talk", "Talk")} <span class="count">{talk.remarks.length || ""}</span>
      </summary>
      <ol ref={list} class="remarks" tabIndex={0} aria-label={say("web.talk", "Talk")}>
        {talk.remarks.map((remark) => (
          <li class={`seat-${remark.seat}`}>
            <b>{names[remark.seat]}</b> <bdi>{wordsOf(remark, talk.phrases, language)}</bdi>
          </li>
        ))}
      </ol>
      {problem ? <ErrorMessage problem={problem} /> : null}
      {talk.maySpeak ? (
        <>
          <p class="phrases">
            {talk.phrases.map((phrase) => (
              <button type="button" onClick={() => attempt(talk.say({ case: "phraseId", value: phrase.phraseId }))}>
                {phrase.texts[language] ?? phrase.texts["en"]}
              </button>
            ))}
          </p>
          {talk.isFree ? <FreeText send={(value) => attempt(talk.say({ case: "text", value }))} /> : null}
          <p class="ways">
            {others.map(({ name, other }) => (
              <label class="check">
                <input type="checkbox" checked={talk.muted.includes(other)} onChange={(event) => attempt(talk.mute(other, event.currentTarget.checked))} />
                {say("web.talk.mute", "Do not show what {name} says", { name })}
              </label>
            ))}
          </p>
        </>
      ) : null}
    </details>
  );
}

function FreeText({ send }: { send: (text: string) => void }): JSX.Element {
  const say = useSay();
  const [text, setText] = useState("");
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (text.trim()) send(text.trim());
    setText("");
  };
  return (
    <form class="invite" onSubmit={submit}>
      <label>
        {say("web.talk.text", "Your message")}
        <input name="remark" dir="auto" maxLength={200} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit">{say("web.talk.send", "Send")}</button>
    </form>
  );
}

function wordsOf(remark: Remark, phrases: readonly Phrase[], language: string): string {
  if (remark.content.case !== "phrase") return remark.content.value ?? "";
  const { id } = remark.content.value;
  return phrases.find((phrase) => phrase.phraseId === id)?.texts[language] ?? sayText(remark.content.value);
}

/** The newest remark of another seat over the board for some seconds, and for screen readers. */
export function NewestRemark({ talk, names, seat }: TalkPanelProps): JSX.Element | null {
  const say: Say = useSay();
  const language = useLanguage();
  const known = useRef(talk.remarks.length);
  const [shown, setShown] = useState<Remark | undefined>();
  useEffect(() => {
    const isNew = talk.remarks.length > known.current;
    known.current = talk.remarks.length;
    const newest = talk.remarks.at(-1);
    if (!isNew || !newest || newest.seat === seat || Date.now() - Number(newest.time?.seconds ?? 0n) * 1000 > 60_000) return;
    setShown(newest);
    announce(say("web.talk.says", "{name}: {words}", { name: names[newest.seat] ?? "", words: wordsOf(newest, talk.phrases, language) }));
    const timer = setTimeout(() => setShown(undefined), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [talk.remarks.length]);
  if (!shown) return null;
  return (
    <p class={`panel remark seat-${shown.seat}`} aria-hidden="true">
      <b>{names[shown.seat]}</b> <bdi>{wordsOf(shown, talk.phrases, language)}</bdi>
    </p>
  );
}
