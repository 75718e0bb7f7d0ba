/** Builds the console once per language, each into a folder of its own: `node build.ts [folder]`. */
import { join, resolve } from "node:path"
import { build } from "vite"
import { inLanguage } from "./inLanguage.ts"
import { languages } from "./src/texts/languages.ts"

const [folder = "dist"] = process.argv.slice(2)

for (const language of languages) {
  await build({
    logLevel: "error",
    plugins: [inLanguage(language)],
    build: { outDir: join(resolve(folder), language), emptyOutDir: true }
  })
}
