/**
 * A plugin of esbuild for bundles of the sources of packages and applications: they find files relative to themselves, and
 * see that they run from a checkout.
 */
import { readFile } from "node:fs/promises"
import { pathToFileURL } from "node:url"

type Load = (args: { readonly path: string }) => Promise<{ readonly contents: string; readonly loader: "ts" }>

interface Build {
  readonly onLoad: (options: { readonly filter: RegExp }, load: Load) => void
}

export const ownAddresses = {
  name: "own addresses",
  setup: ({ onLoad }: Build): void =>
    onLoad({ filter: /[\\/](apps|packages)[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8")
      const address = JSON.stringify(pathToFileURL(path).href)
      return { contents: source.replaceAll("import.meta.url", address), loader: "ts" }
    })
}
