/** Made by the build from the folders of `src/titles`. */
declare module "shedu:titles" {
  export const TITLES: ReadonlyMap<string, import("./title_parts").TitleParts>;
}
