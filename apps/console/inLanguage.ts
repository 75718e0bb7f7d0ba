/**
 * Builds in a language: components import the English texts, and the build takes the same modules of
 * its language instead. So a page loads the texts of one language, each with the code that shows it.
 */
import { join } from "node:path"
import type { Plugin } from "vite"

const texts = join(import.meta.dirname, "src/texts")

/** In `src/texts` itself the folder is beside. */
const english = /(^\.|\/texts)\/en\//

export const inLanguage = (language: string): Plugin => ({
  name: "texts-of-a-language",
  enforce: "pre",
  resolveId(source, importer) {
    if (language === "en" || !english.test(source)) return null
    return this.resolve(source.replace(english, `$1/${language}/`), importer, { skipSelf: true })
  },
  async transformIndexHtml(html) {
    const { noScript }: typeof import("./src/texts/en/language.ts") = await import(`${texts}/${language}/language.ts`)
    return html.replace('lang="en"', `lang="${language}"`).replace("__NO_SCRIPT__", noScript)
  }
})
