/**
 * A hot record: 50 writers change one site at the same time, through one process of the server and
 * through two, on one Postgres with fsync. Prints changes per second and the slowest call; exits with 1
 * when an acknowledged change is lost. From the root:
 *
 *     npx -y pnpm@10 bench hot
 *
 * `WRITERS` is the number of writers (50), `SECONDS` and `ROUNDS` duration and number of the
 * measurements (3 and 3).
 */
import { solarSites } from "../src/contestants/contestants.ts"
import { openField } from "../src/contestants/processes.ts"
import { startDatabase } from "../src/services/database/database.ts"

const { ROUNDS = "3", SECONDS = "3", WRITERS = "50" } = process.env
const processes = [1, 2]

const median = (all: ReadonlyArray<number>): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN

interface Figures {
  readonly perSecond: number
  readonly slowest: number
  readonly refused: number
  readonly lost: number
}

const stops: Array<() => unknown> = []

const program = async (): Promise<void> => {
  const database = await startDatabase({ freshKeys: 0, documents: 0 })
  stops.unshift(database.stop)
  const field = await openField(database)
  stops.unshift(field.stop)
  const contestant = { name: "solar-sites", title: "Solar Sites", arguments: [...solarSites, "serve"] }
  const servers = [await field.start(contestant), await field.start(contestant)]
  const { key, siteIds } = database.fixture.writer
  const headers = { "x-api-key": key, "content-type": "application/json" }

  const version = async (): Promise<number> => {
    const response = await fetch(`${servers[0]?.origin}/api/sites/${siteIds[0]}`, { headers })
    return Number(JSON.parse(await response.text()).version)
  }

  let written = 0
  const measure = async (count: number): Promise<Figures> => {
    const before = await version()
    const started = performance.now()
    const acknowledged: Array<number> = []
    let slowest = 0
    let refused = 0

    /** One request after the other, each with another capacity. */
    const write = async (origin: string): Promise<void> => {
      while (performance.now() - started < Number(SECONDS) * 1_000) {
        const body = JSON.stringify({ capacity: (written++ % 1e8) + 0.5 })
        const sent = performance.now()
        const response = await fetch(`${origin}/api/sites/${siteIds[0]}`, { method: "PUT", headers, body })
        const text = await response.text()
        slowest = Math.max(slowest, performance.now() - sent)
        if (response.ok) acknowledged.push(Number(JSON.parse(text).version))
        else refused += 1
      }
    }
    const used = servers.slice(0, count)
    const origins = Array.from({ length: Number(WRITERS) }, (_, n) => used[n % count]?.origin ?? "")
    await Promise.all(origins.map(write))

    const seconds = (performance.now() - started) / 1_000
    // A change that is in the version of another one, or in none, is lost.
    const kept = Math.min(new Set(acknowledged).size, (await version()) - before)
    return { perSecond: acknowledged.length / seconds, slowest, refused, lost: acknowledged.length - kept }
  }

  const figures = new Map(processes.map((count): [number, Array<Figures>] => [count, []]))
  for (let round = 0; round <= Number(ROUNDS); round++) {
    for (const count of round % 2 === 0 ? processes : processes.toReversed()) {
      const figure = await measure(count)
      // The first round lets the servers compile.
      if (round > 0) figures.get(count)?.push(figure)
    }
  }
  console.log(`${WRITERS} writers of one site, ${ROUNDS} rounds of ${SECONDS} s\n`)
  console.log("| processes | changes/s | slowest ms | refused | lost |\n|---|---|---|---|---|")
  for (const [count, rounds] of figures) {
    const sum = (member: "refused" | "lost") => rounds.reduce((total, figure) => total + figure[member], 0)
    const perSecond = median(rounds.map((figure) => figure.perSecond)).toFixed(0)
    const slowest = Math.max(...rounds.map((figure) => figure.slowest)).toFixed(0)
    console.log(`| ${[count, perSecond, slowest, sum("refused"), sum("lost")].join(" | ")} |`)
    if (sum("lost") > 0) process.exitCode = 1
  }
}

try {
  await program()
} finally {
  for (const stop of stops) await stop()
}
// Explicit, because the library of Postgres exits with 0 otherwise.
process.exit(process.exitCode)
