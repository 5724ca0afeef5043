import type { Title } from "@shedu/client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { titlesWithTexts } from "../title_catalog";
import { useRequest } from "../components/use_request";
import { InboxNews } from "../components/inbox_news";
import { Cover } from "../components/cover";
import { Loading, ErrorMessage } from "../components/messages";
import { NameField } from "../components/name_field";
import { defaultGame, gameWithBots, startGame } from "../new_game";
import { prefer, preferences } from "../preferences";
import { Link } from "../router";
import { useStore } from "../store";
import { startLesson } from "../teaching/lesson";
import { hasTeaching } from "../teaching/teaching";
import { useSay } from "../translation";
import { lengthOf, nameOf, playersOf, summaryOf } from "../title_facts";

export function GalleryPage(): JSX.Element {
  const say = useSay();
  const { name } = useStore(preferences);
  const { answer: titles, problem, again } = useRequest(titlesWithTexts, []);
  return (
    <>
      <h1>{say("web.gallery.title", "Choose a game")}</h1>
      <div class="welcome">
        <p class="lead">
          {say("web.gallery.lead", "Create a game and send the link to friends, or play against bots. No installation, no account.")}
        </p>
        <NameField name={name} choose={(chosen) => prefer({ name: chosen })} />
      </div>
      <InboxNews />
      {problem ? <ErrorMessage problem={problem} again={again} /> : null}
      {!titles && !problem ? <Loading /> : null}
      <ul class="gallery">
        {titles?.map((title) => (
          <TitleCard title={title} />
        ))}
      </ul>
    </>
  );
}

function TitleCard({ title }: { title: Title }): JSX.Element {
  const say = useSay();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>();
  const start = (starting: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    starting().catch((found) => {
      setProblem(found);
      setBusy(false);
    });
  };
  const { name } = preferences.get();
  return (
    <li class="panel title-card">
      <Cover title={title.title} />
      <h2>{nameOf(title)}</h2>
      <p class="facts">
        {[playersOf(title, say), lengthOf(title, say)].filter(Boolean).join(" · ")}
      </p>
      <p>{summaryOf(title, say)}</p>
      {problem ? <ErrorMessage problem={problem} /> : null}
      <p class="ways">
        {title.bots.length > 0 ? (
          <button type="button" class="primary" disabled={isBusy} onClick={() => start(() => startGame(title, gameWithBots(title, name)))}>
            {say("web.gallery.bot", "Play a bot")}
            <span class="unseen">: {nameOf(title)}</span>
          </button>
        ) : null}
        <Link to={`/play/${title.title}`} class="button">
          {say("web.gallery.strangers", "Play strangers")}
          <span class="unseen">: {nameOf(title)}</span>
        </Link>
        <button type="button" disabled={isBusy} onClick={() => start(() => startGame(title, defaultGame(title, name)))}>
          {say("web.gallery.invite", "Invite a friend")}
          <span class="unseen">: {nameOf(title)}</span>
        </button>
        {title.bots.length > 0 && hasTeaching(title.title) ? (
          <button type="button" disabled={isBusy} onClick={() => start(() => startLesson(title, name))}>
            {say("web.gallery.learn", "Learn to play")}
            <span class="unseen">: {nameOf(title)}</span>
          </button>
        ) : null}
        <Link to={`/create/${title.title}`} class="plain">
          {say("web.gallery.more", "More options")}
          <span class="unseen">: {nameOf(title)}</span>
        </Link>
      </p>
    </li>
  );
}
