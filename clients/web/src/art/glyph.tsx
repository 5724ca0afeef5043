import type { ComponentChildren, JSX } from "preact";

export interface GlyphProps {
  /** For a picture inside a drawing: where, and how large. */
  x?: number;
  y?: number;
  size?: number;
}

/** An icon of 24 by 24 in the colour of the text. Screen readers skip it: the text beside it has the meaning. */
export function Glyph({ x, y, size, children }: GlyphProps & { children: ComponentChildren }): JSX.Element {
  const place = size === undefined ? {} : { x: x ?? 0, y: y ?? 0, width: size, height: size };
  return (
    <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true" {...place}>
      {children}
    </svg>
  );
}

export type Picture = (props: GlyphProps) => JSX.Element;

/** A picture that is one outline. */
export function drawn(path: string): Picture {
  return (props) => (
    <Glyph {...props}>
      <path d={path} fill-rule="evenodd" />
    </Glyph>
  );
}
