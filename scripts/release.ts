/**
 * Packs packages to publish into `release/`: each public package whose version the registry lacks,
 * when no changeset is pending, and an SBOM. Build and check first; it publishes nothing.
 */
import { appendFileSync, existsSync, globSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { publicProjects, run } from "./run.ts"
import { writeSbom } from "./sbom.ts"

const folder = "release"

/** Repository of the sources, for registries. */
export interface Repository {
  /** Such as `https://example.com/owner/name`. */
  readonly url: string
}

/** A `package.json` with the repository of its sources; its own value wins. */
export const withRepository = (text: string, directory: string, { url }: Repository): string => {
  const origin = {
    homepage: `${url}/tree/main/${directory}#readme`,
    bugs: `${url}/issues`,
    repository: { type: "git", url: `git+${url}.git`, directory }
  }
  const own = JSON.parse(text)
  return `${JSON.stringify({ ...own, ...origin, ...own }, null, 2)}\n`
}

/** The repository of the running workflow, if there is one. */
export const repositoryOf = (environment: Readonly<Record<string, string | undefined>>): Repository | undefined => {
  const { GITHUB_REPOSITORY: name, GITHUB_SERVER_URL: server } = environment
  return name === undefined || server === undefined ? undefined : { url: `${server}/${name}` }
}

const pack = (): boolean => {
  const repository = repositoryOf(process.env)
  const manifests = new Map(
    publicProjects.map((project) => [`${project}/package.json`, readFileSync(`${project}/package.json`, "utf8")])
  )
  try {
    for (const [path, text] of manifests) {
      if (repository !== undefined) writeFileSync(path, withRepository(text, path.replace(/\/[^/]+$/, ""), repository))
    }
    return run("changeset", ["pack", "--out-dir", folder])
  } finally {
    for (const [path, text] of manifests) writeFileSync(path, text)
  }
}

const main = (): boolean => {
  const waiting = globSync(".changeset/*.md").length
  if (waiting > 0) {
    console.log(`Nothing to release: ${waiting} changesets wait for \`changeset version\``)
    return true
  }
  if (existsSync(folder)) {
    console.error(`${folder}/ is in the way`)
    return false
  }
  if (!pack()) return false
  const packed = globSync(`${folder}/packages/*.tgz`).length
  if (packed > 0) writeSbom(`${folder}/sbom.cdx.json`)
  console.log(`${packed} packages are to be published`)
  const output = process.env["GITHUB_OUTPUT"]
  if (output !== undefined) appendFileSync(output, `packed=${packed > 0}\n`)
  return true
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main() ? 0 : 1
