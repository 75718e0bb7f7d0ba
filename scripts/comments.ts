/**
 * Finds comments in sources that use a pronoun where the subject has a name. As a program it prints
 * one sentence per fault.
 */
import { type Files, report } from "./repository.ts"
import { commentsOf, isTypeScript } from "./sources.ts"

const pronouns = /\b(nobody|somebody|anybody|whoever|whom|whose|whatever|what\s+(?:\*\s+)?is)\b/gi

export const faultsOf = (files: Files): ReadonlyArray<string> =>
  [...files]
    .filter(([path]) => isTypeScript(path) && path.includes("/src/"))
    .flatMap(([path, text]) =>
      commentsOf(path, text).flatMap((comment) =>
        [...comment.text.matchAll(pronouns)].map((found) => {
          const line = comment.line + comment.text.slice(0, found.index).split("\n").length - 1
          return `${path}:${line} says "${found[0].replace(/\s+(\*\s+)?/, " ")}" in a comment: name the thing instead`
        })
      )
    )

if (import.meta.main) report(faultsOf)
