import type { Title } from "@shedu/client";
import type { JSX } from "preact";
import { titlesWithTexts } from "../title_catalog";
import { useRequest } from "../components/use_request";
import { InboxNews } from "../components/inbox_news";
import { Cover } from "../components/cover";
import { Loading, ErrorMessage } from "../components/messages";
import { Link } from "../router";
import { useSay } from "../translation";
import { lengthOf, nameOf, playersOf, summaryOf } from "../title_facts";

export function GalleryPage(): JSX.Element {
  const say = useSay();
  const { answer: titles, problem, again } = useRequest(titlesWithTexts, []);
  return (
    <>
      <h1>{say("web.gallery.title", "Choose a game")}</h1>
      <p class="lead">
        {say("web.gallery.lead", "Create a game and send the link to friends, or play against bots. No installation, no account.")}
      </p>
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
  return (
    <li class="panel title-card">
      <Cover title={title.title} />
      <h2>{nameOf(title)}</h2>
      <p class="facts">
        {[playersOf(title, say), lengthOf(title, say)].filter(Boolean).join(" · ")}
      </p>
      <p>{summaryOf(title, say)}</p>
      <p class="ways">
        <Link to={`/create/${title.title}`} class="button primary">
          {say("web.gallery.open", "New game")}
          <span class="unseen">: {nameOf(title)}</span>
        </Link>
      </p>
    </li>
  );
}
