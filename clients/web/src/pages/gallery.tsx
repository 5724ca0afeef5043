import type { Title } from "@shedu/client";
import type { JSX } from "preact";
import { titles as catalog } from "../catalog";
import { useAsked } from "../parts/asked";
import { Attention } from "../parts/attention";
import { Cover } from "../parts/cover";
import { Loading, Trouble } from "../parts/notice";
import { Link } from "../router";
import { useSay } from "../say";
import { lengthOf, nameOf, playersOf, summaryOf } from "../titles";

export function GalleryPage(): JSX.Element {
  const say = useSay();
  const { answer: titles, problem, again } = useAsked(() => catalog(), []);
  return (
    <>
      <h1>{say("web.gallery.title", "What shall we play?")}</h1>
      <p class="lead">
        {say("web.gallery.lead", "Open a table, send the link to friends, or play against the bots. Nothing to install, no account.")}
      </p>
      <Attention />
      {problem ? <Trouble problem={problem} again={again} /> : null}
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
        {playersOf(title, say)}
        {" · "}
        {lengthOf(title, say)}
      </p>
      <p>{summaryOf(title, say)}</p>
      <p class="ways">
        <Link to={`/create/${title.title}`} class="button primary">
          {say("web.gallery.open", "Open a table")}
          <span class="unseen">: {nameOf(title)}</span>
        </Link>
      </p>
    </li>
  );
}
