import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Empty modules around the code, which cameras need to find it. */
const MARGIN = 4;

/** A link as a QR code, dark on white in every theme. Its encoder loads when the first code is shown. */
export function QrCode({ link, words }: { link: string; words: string }): JSX.Element | null {
  const [code, setCode] = useState<{ size: number; path: string }>();
  useEffect(() => {
    let isShown = true;
    void encode(link).then((found) => isShown && setCode(found), () => undefined);
    return () => {
      isShown = false;
    };
  }, [link]);
  if (!code) return null;
  const width = code.size + 2 * MARGIN;
  return (
    <svg class="qr" viewBox={`${-MARGIN} ${-MARGIN} ${width} ${width}`} role="img" aria-label={words} data-link={link}>
      <rect x={-MARGIN} y={-MARGIN} width={width} height={width} fill="#fff" />
      <path d={code.path} fill="#000" shape-rendering="crispEdges" />
    </svg>
  );
}

async function encode(link: string): Promise<{ size: number; path: string }> {
  const { generate } = await import("lean-qr");
  const code = generate(link);
  const numbers = Array.from({ length: code.size }, (_, number) => number);
  const rows = numbers.flatMap((y) => numbers.filter((x) => code.get(x, y)).map((x) => `M${x} ${y}h1v1h-1z`));
  return { size: code.size, path: rows.join("") };
}
