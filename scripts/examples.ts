/**
 * Takes the TypeScript out of the READMEs of the packages, to where the type
 * checker finds it, so that examples stay true.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { projects } from "./run.ts"

for (const project of projects) {
  const [readme, folder] = [`${project}/README.md`, `${project}/.readme`]
  rmSync(folder, { recursive: true, force: true })
  if (!existsSync(readme)) continue
  mkdirSync(folder)
  const blocks = readFileSync(readme, "utf8").matchAll(/^```ts\n(.*?)^```$/gms)
  for (const [index, [, code = ""]] of [...blocks].entries()) writeFileSync(`${folder}/example${index + 1}.ts`, code)
}
