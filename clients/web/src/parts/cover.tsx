import type { JSX } from "preact";
import { factsOf } from "../titles";

const MOTIFS: Record<string, JSX.Element> = {
  tides: <path d="M0 74c20-16 40-16 60 0s40 16 60 0 40-16 60 0 40 16 60 0M0 98c20-12 40-12 60 0s40 12 60 0 40-12 60 0 40 12 60 0M150 62V30l22-14 22 14v47M164 62V40h16v33" />,
  tigris: <path d="M20 96h200M44 96V74h152v22M68 74V52h104v22M92 52V30h56v22M120 30V14M0 110c30-10 50 8 80 0s50-8 80 0 50 8 80 0" />,
  tigris_cards: <path d="M52 96 36 34l44-12 16 62zM98 92V24h46v68zM146 90l16-62 44 12-16 62zM110 46h22M121 36v20" />,
  stone_age: <path d="M12 100h216M40 100c4-30 22-48 44-54 22 6 40 24 44 54M70 100c0-12 6-20 14-20s14 8 14 20M150 100l14-44M196 100l-18-52M140 62l62-12M176 30a7 7 0 1 0 .1 0" />,
};

/** A title's picture on the gallery; it tells nothing that the words beside it do not. */
export function Cover({ title }: { title: string }): JSX.Element {
  return (
    <svg class="cover" aria-hidden="true">
      <rect width="100%" height="100%" fill={factsOf(title).colour} />
      <svg class="motif" viewBox="-12 -14 264 148">
        {MOTIFS[title]}
      </svg>
    </svg>
  );
}
