/** HAProxy with the configuration of the recipe, in front of two servers on loopback. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { vi } from "vitest"

const recipe = fileURLToPath(new URL("../../../../deploy/haproxy.cfg", import.meta.url))
const { PATH, REQUIRE_SERVICES: required } = process.env
// Debian keeps it where only administrators look for programs.
const env = { PATH: `${PATH}:/usr/sbin` }

const program = "haproxy"

const missing = (): boolean => {
  try {
    execFileSync(program, ["-v"], { env, stdio: "ignore" })
    return false
  } catch (cause) {
    if (required === "1") throw cause
    console.warn("Tests behind HAProxy are skipped: haproxy is not installed")
    return true
  }
}

/** True without HAProxy. Throws with `REQUIRE_SERVICES=1`. */
export const withoutHaproxy = missing()

/** Takes the ports of the proxy and of its two servers, and an empty folder. */
export const startHaproxy = async (port: number, servers: readonly [number, number], folder: string) => {
  const [one, two] = servers.map((server) => `127.0.0.1:${server}`)
  const [administration, socket] = [join(folder, "global.cfg"), join(folder, "admin.sock")]
  await writeFile(administration, `global\n  stats socket ${socket} level admin\n`)
  const child = spawn(program, ["-q", "-f", administration, "-f", recipe], {
    env: { ...env, BIND: `127.0.0.1:${port}`, SERVER_1: one, SERVER_2: two },
    stdio: "ignore"
  })
  const endAtOnce = () => void child.kill("SIGKILL")
  process.once("exit", endAtOnce)
  const address = `http://127.0.0.1:${port}`
  await vi.waitFor(() => fetch(address), { timeout: 100_000, interval: 20 })
  const command = (line: string): Promise<string> => text(connect(socket).end(`${line}\n`))
  return {
    address,
    setState: (server: number, state: "ready" | "drain") => command(`set server servers/${server} state ${state}`),
    /** Waits until the proxy sends requests to the server. */
    untilUsed: (server: number) =>
      vi.waitFor(
        async () => {
          const line = (await command("show stat")).split("\n").find((row) => row.startsWith(`servers,${server},`))
          if (line?.split(",")[17] !== "UP") throw new Error(`server ${server} is not up: ${line}`)
        },
        { timeout: 60_000, interval: 20 }
      ),
    stop: async () => {
      process.off("exit", endAtOnce)
      child.kill("SIGKILL")
      await once(child, "exit")
    }
  }
}
