import type { Game } from "@shedu/client";
import { render } from "preact";
import { TITLES } from "shedu:titles";
import { nameOf } from "./title_facts";

/** The size that messengers and social networks show in full. */
const [WIDTH, HEIGHT, MARGIN] = [1200, 630, 70];
const [INK, FAINT, FONT] = ["#fbf3df", "rgb(251 243 223 / 75%)", '"Iowan Old Style", Palatino, Georgia, serif'];
const DEFAULT_COLOUR = "#1f4f5f";

/** A finished game as a picture: title, winner and scores. It has nothing that not every spectator may know. */
export async function drawResult(game: Game, names: readonly string[], headline: string): Promise<Blob> {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser draws no pictures");
  await drawGround(context, game.title);
  drawText(context, nameOf(game.title), 44, 120, FAINT);
  drawText(context, headline, 68, 210, INK);
  drawScores(context, game, names);
  drawText(context, `Shedu · ${location.host}`, 28, HEIGHT - 50, FAINT);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture is empty"))), "image/png");
  });
}

async function drawGround(context: CanvasRenderingContext2D, title: string): Promise<void> {
  const parts = TITLES.get(title);
  context.fillStyle = parts?.facts?.colour ?? DEFAULT_COLOUR;
  context.fillRect(0, 0, WIDTH, HEIGHT);
  if (parts?.cover === undefined) return;
  const holder = document.createElement("div");
  const svg = (
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="-12 -14 264 148" width="792" height="444">
      <g fill="none" stroke={INK} stroke-opacity="0.22" stroke-width="3.2" stroke-linecap="round" stroke-linejoin="round">
        {parts.cover}
      </g>
    </svg>
  );
  render(svg, holder);
  const picture = new Image();
  picture.src = `data:image/svg+xml,${encodeURIComponent(holder.innerHTML)}`;
  await picture.decode();
  context.drawImage(picture, WIDTH - 792 + 60, HEIGHT - 444);
}

/** One line for each seat, best rank first. */
function drawScores(context: CanvasRenderingContext2D, game: Game, names: readonly string[]): void {
  const { ranks = [], scores = [] } = game.outcome ?? {};
  const order = names.map((_, seat) => seat).sort((one, other) => (ranks[one] ?? 9) - (ranks[other] ?? 9));
  order.forEach((seat, line) => {
    const y = 310 + line * 64;
    context.font = `40px ${FONT}`;
    context.fillStyle = ranks[seat] === 1 ? INK : FAINT;
    context.fillText(shortened(context, `${ranks[seat] ?? "–"}.  ${names[seat] ?? ""}`, 620), MARGIN, y);
    context.textAlign = "right";
    context.fillText(String(scores[seat] ?? ""), MARGIN + 760, y);
    context.textAlign = "left";
  });
}

function drawText(context: CanvasRenderingContext2D, text: string, size: number, y: number, colour: string): void {
  context.font = `600 ${size}px ${FONT}`;
  context.fillStyle = colour;
  context.fillText(shortened(context, text, WIDTH - 2 * MARGIN), MARGIN, y);
}

function shortened(context: CanvasRenderingContext2D, text: string, width: number): string {
  const letters = [...text];
  while (letters.length > 1 && context.measureText(`${letters.join("")}…`).width > width) letters.pop();
  return letters.length < [...text].length ? `${letters.join("")}…` : text;
}
