/**
 * A package registry on this machine (verdaccio, which npm fetches): the packages of the project are published to it, and
 * all others come from the registry of the machine.
 */
import { spawn } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { freePort } from "../freePort.ts"
import { execute } from "../workspaceCopy.ts"

// Verdaccio asks for `node-fetch` by a tag, which mirrors of the registry do not have.
const manifest = { private: true, dependencies: { verdaccio: "6.10.4" }, overrides: { "node-fetch": "2.7.0" } }
const startMillis = 60_000

export interface Registry extends Disposable {
  readonly url: string
  /** Publishes a tarball. */
  readonly publish: (tarball: string) => Promise<unknown>
}

const configuration = (folder: string, upstream: string) => `
storage: ${join(folder, "storage")}
auth: { htpasswd: { file: ${join(folder, "users")} } }
uplinks: { upstream: { url: "${upstream}", cache: false } }
packages:
  "@solar-sites/*": { access: $all, publish: $all }
  "**": { access: $all, proxy: upstream }
log: { type: stdout, level: warn }
`

/** Starts it in a folder. It ends with the process at the latest. */
export const startRegistry = async (folder: string): Promise<Registry> => {
  mkdirSync(folder, { recursive: true })
  const upstream = (await execute("npm", ["config", "get", "registry"], folder)).stdout.trim()
  const [port, settings] = [await freePort(), join(folder, "config.yaml")]
  writeFileSync(settings, configuration(folder, upstream))
  const url = `http://127.0.0.1:${port}/`
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest))
  await execute("npm", ["install", "--no-audit", "--no-fund"], folder)
  // npm asks for a token before it publishes; this registry reads none.
  writeFileSync(join(folder, ".npmrc"), `//127.0.0.1:${port}/:_authToken=none\n`)
  const child = spawn(
    join(folder, "node_modules/.bin/verdaccio"),
    ["--config", settings, "--listen", `127.0.0.1:${port}`],
    {
      cwd: folder,
      stdio: "ignore"
    }
  )
  const stop = () => void child.kill()
  process.once("exit", stop)
  const deadline = performance.now() + startMillis
  while (
    !(await fetch(`${url}-/ping`).then(
      ({ ok }) => ok,
      () => false
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`Verdaccio ended with ${child.exitCode}`)
    if (performance.now() > deadline) throw new Error(`Verdaccio does not answer`)
    await pause(100)
  }
  // By the option: pnpm passes on a registry in the environment, which wins over the file.
  const publish = (tarball: string) =>
    execute("npm", ["publish", tarball, "--ignore-scripts", "--tag", "latest", "--registry", url], folder)
  return {
    url,
    publish,
    [Symbol.dispose]: () => {
      process.off("exit", stop)
      stop()
    }
  }
}
