// The build plugin that finds the titles: every folder below src/titles, with the parts it has.
import { readdir } from "node:fs/promises";
import path from "node:path";

const NAME = /^[a-z][a-z0-9_]*$/;
const LANGUAGE_FILE = /^([a-z]{2})\.json$/;

/** Parts of the first script: the gallery shows them. */
const EAGER = { facts: "title.ts", cover: "cover.tsx" };
/** Parts that load when they are needed, each as a chunk of its own. */
const LAZY = { board: "board.tsx", luck: "luck.ts", teaching: "teaching.tsx" };

/** Makes the module "shedu:titles"; src/discovered_titles.d.ts declares what it exports. */
export function discoveredTitles(source) {
  const folder = path.join(source, "titles");
  return {
    name: "discovered titles",
    setup(build) {
      build.onResolve({ filter: /^shedu:titles$/ }, ({ path: name }) => ({ path: name, namespace: "titles" }));
      build.onLoad({ filter: /./, namespace: "titles" }, async () => {
        const titles = await Promise.all((await titleNames(folder)).map((title) => partsOf(folder, title)));
        return { contents: moduleOf(titles), loader: "js", resolveDir: folder };
      });
      // A chunk is named after the module that is imported. Through these the title is part of the name:
      // "tides-HASH.js" and "tides-text-es-HASH.js" instead of "board-HASH.js" and "es-HASH.js".
      build.onResolve({ filter: /^title-part:/ }, ({ path: name }) => {
        const [chunk, file] = name.slice("title-part:".length).split("=");
        return { path: chunk, namespace: "title-part", pluginData: file };
      });
      build.onLoad({ filter: /./, namespace: "title-part" }, ({ pluginData: file }) => ({
        contents: file.endsWith(".json") ? `export { default } from "${file}";` : `export * from "${file}";`,
        loader: "js",
        resolveDir: folder,
      }));
    },
  };
}

async function titleNames(folder) {
  const entries = await readdir(folder, { withFileTypes: true });
  const titles = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const wrong = titles.find((name) => !NAME.test(name));
  if (wrong !== undefined) throw new Error(`src/titles/${wrong}: a folder is named like its title, such as "stone_age"`);
  return titles.sort();
}

async function partsOf(folder, title) {
  const files = new Set(await readdir(path.join(folder, title)));
  const texts = files.has("text") ? await readdir(path.join(folder, title, "text")) : [];
  const languages = texts.map((name) => LANGUAGE_FILE.exec(name)?.[1]).filter(Boolean);
  const present = (parts) => Object.entries(parts).filter(([, file]) => files.has(file));
  const found = { title, eager: present(EAGER), lazy: present(LAZY), languages: languages.sort() };
  if (found.eager.length + found.lazy.length + languages.length === 0) {
    const known = [...Object.values(EAGER), ...Object.values(LAZY), "text/<language>.json"].join(", ");
    throw new Error(`src/titles/${title}: none of the files that a title may have is there: ${known}`);
  }
  return found;
}

function moduleOf(titles) {
  const imports = titles.flatMap(({ title, eager }) =>
    eager.map(([part, file]) => `import { ${part} as ${part}_${title} } from "./${title}/${file}";`),
  );
  return [...imports, `export const TITLES = new Map([${titles.map(entryOf).join(",")}]);`].join("\n");
}

function entryOf({ title, eager, lazy, languages }) {
  const own = eager.map(([part]) => `${part}: ${part}_${title}`);
  const later = lazy.map(([part, file]) => {
    const chunk = part === "board" ? title : `${title}-${part}`;
    return `${part}: async () => (await import("title-part:${chunk}=./${title}/${file}")).${part}`;
  });
  const texts = languages.map(
    (language) =>
      `${language}: async () => (await import("title-part:${title}-text-${language}=./${title}/text/${language}.json")).default`,
  );
  return `["${title}", { ${[...own, ...later].join(", ")}${own.length + later.length ? ", " : ""}texts: { ${texts.join(", ")} } }]`;
}
