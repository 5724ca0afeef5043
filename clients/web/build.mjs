// Builds the bundle that the service serves: `node build.mjs [folder]`, by default into the Python package.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { discoveredTitles } from "./discovered_titles.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const target = path.resolve(process.argv[2] ?? path.join(here, "../../service/gamehost/web"));

/** The TypeScript client is built from source, with the packages installed here. */
const client = {
  name: "client",
  setup(build) {
    build.onResolve({ filter: /^@shedu\/client$/ }, () => ({ path: path.join(here, "../typescript/src/index.ts") }));
    build.onResolve({ filter: /^@(bufbuild|connectrpc)\// }, (found) =>
      found.pluginData === client
        ? undefined
        : build.resolve(found.path, { kind: found.kind, resolveDir: here, pluginData: client }),
    );
  },
};

/** The server checks requests: of the language of its checks the page needs no more than the name of the file. */
const unvalidated = {
  name: "unvalidated",
  setup(build) {
    build.onLoad({ filter: /[\\/]buf[\\/]validate[\\/]validate_pb\.ts$/ }, ({ path: file }) => {
      const name = "buf/validate/validate.proto";
      const descriptor = Buffer.from([0x0a, name.length, ...Buffer.from(name)]).toString("base64");
      const contents = `import { fileDesc } from "@bufbuild/protobuf/codegenv2";
        export const file_buf_validate_validate = /*@__PURE__*/ fileDesc("${descriptor}");`;
      return { contents, loader: "js", resolveDir: path.dirname(file) };
    });
  },
};

/**
 * The style of a board arrives with it, as a style sheet that it adopts: the page allows no inline style. What boards
 * share goes first, so that each title can change it, in whatever order they arrive.
 */
const adoptedStyle = {
  name: "adopted style",
  setup(build) {
    build.onLoad({ filter: /[\\/](art|titles)[\\/].*\.css$/ }, async ({ path: file }) => {
      if (path.basename(file) === "palette.css") return undefined;
      const { code } = await esbuild.transform(await readFile(file, "utf-8"), { loader: "css", minify: true });
      const shared = path.basename(path.dirname(file)) === "art";
      const contents = `const sheet = new CSSStyleSheet();
        sheet.replaceSync(${JSON.stringify(code)});
        const others = document.adoptedStyleSheets;
        document.adoptedStyleSheets = ${shared ? "[sheet, ...others]" : "[...others, sheet]"};`;
      return { contents, loader: "js" };
    });
  },
};

const result = await esbuild.build({
  absWorkingDir: here,
  entryPoints: { shedu: "src/main.tsx" },
  outdir: path.join(target, "assets"),
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  minify: true,
  legalComments: "none",
  metafile: true,
  write: false,
  entryNames: "[name]-[hash]",
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  // The paths of tsconfig.json would lead past the packages' own choice of format.
  tsconfigRaw: { compilerOptions: { jsx: "react-jsx", jsxImportSource: "preact", target: "ES2022" } },
  plugins: [client, unvalidated, adoptedStyle, discoveredTitles(path.join(here, "src"))],
  logLevel: "warning",
});

const names = result.outputFiles.map((file) => path.basename(file.path));
const named = (ending) => names.find((name) => name.startsWith("shedu-") && name.endsWith(ending));
const page = (await readFile(path.join(here, "src/index.html"), "utf-8"))
  .replace("{{script}}", `/assets/${named(".js")}`)
  .replace("{{style}}", `/assets/${named(".css")}`);

await rm(path.join(target, "assets"), { recursive: true, force: true });
await mkdir(path.join(target, "assets"), { recursive: true });
await writeFile(path.join(target, "index.html"), page);
await writeFile(path.join(target, "service_worker.js"), await serviceWorker(result.metafile));
for (const file of result.outputFiles) await writeFile(file.path, file.contents);
for (const file of await readdir(path.join(here, "public"))) {
  // The manifest has no hash in its name, so it is no asset that browsers keep for ever.
  const folder = file === "manifest.webmanifest" ? target : path.join(target, "assets");
  await writeFile(path.join(folder, file), await readFile(path.join(here, "public", file)));
}
await writeFile(path.join(target, "packages.json"), await bundled(result.metafile));
await report(result);

/** The service worker knows the files that every page needs: the entry, what it imports, and the texts of the pages. */
async function serviceWorker({ outputs }) {
  const needed = new Set(["icon.svg"]);
  const add = (name) => {
    if (needed.has(path.basename(name))) return;
    needed.add(path.basename(name));
    const { imports, cssBundle } = outputs[name];
    for (const { path: file, kind } of imports) if (kind === "import-statement") add(file);
    if (cssBundle) needed.add(path.basename(cssBundle));
  };
  for (const [name, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint === "src/main.tsx" || entryPoint?.startsWith("src/text/")) add(name);
  }
  const shell = [...needed].sort().map((name) => `/assets/${name}`);
  const { outputFiles } = await esbuild.build({
    absWorkingDir: here,
    entryPoints: ["src/service_worker.ts"],
    bundle: true,
    format: "iife",
    target: "es2022",
    minify: true,
    write: false,
    define: { SHELL: JSON.stringify(shell) },
    tsconfigRaw: {},
  });
  return outputFiles[0].contents;
}

/** The npm packages that went into the bundle, for the list of all that an image holds. */
async function bundled({ outputs }) {
  const { packages } = JSON.parse(await readFile(path.join(here, "package-lock.json"), "utf-8"));
  const used = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const files = used.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([file]) => file);
  const places = Object.keys(packages).filter((place) => place && files.some((file) => file.startsWith(`${place}/`)));
  const facts = places.sort().map((place) => {
    const { version, license, integrity } = packages[place];
    return { name: place.replace(/^.*node_modules\//, ""), version, license, integrity };
  });
  return `${JSON.stringify(facts, null, 2)}\n`;
}

/** What a browser loads before it shows a board: the entry, what it imports, one board and one catalogue. */
async function report({ metafile, outputFiles }) {
  const sizes = new Map(
    outputFiles.map((file) => [path.basename(file.path), gzipSync(file.contents, { level: 9 }).length]),
  );
  for (const [name, size] of [...sizes].sort((one, other) => other[1] - one[1])) {
    console.log(`${(size / 1024).toFixed(1).padStart(8)} KB gzip  ${name}`);
  }
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  console.log(`${(total / 1024).toFixed(1).padStart(8)} KB gzip  in all, ${Object.keys(metafile.outputs).length} files`);
}
