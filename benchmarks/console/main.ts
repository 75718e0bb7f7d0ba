/** `npx -y pnpm@10 bench console`: see `help`. */
import { randomBytes } from "node:crypto"
import { loadavg } from "node:os"
import { join } from "node:path"
import { type Browser, chromium, findChromium } from "../../apps/console/test/findChromium.ts"
import { type Login, operator } from "../../apps/reference-server/test/Operator.ts"
import { serve, stop, temporaryFolder } from "../../apps/reference-server/test/SolarSitesProcess.ts"
import { findServer } from "../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import { freePort } from "../../scripts/freePort.ts"
import { type Audit, audit } from "./Audit.ts"
import { fill } from "./Fill.ts"
import { measure, type Times } from "./Loads.ts"

const help = `npx -y pnpm@10 bench console

Measures the list of sites of the console in a headless Chromium, on Postgres:

  with 5,000 sites      Lighthouse for a phone: performance and accessibility
  with 100,000 sites    time until the first rows, the rows of a search, and the map,
                        on a screen of 1280 x 800, with an empty cache

Prints medians, and the best of each. Ends with 1 when the median misses its aim. The speed of the
processor is that of Lighthouse: where it varies, the machine was busy.

ROUNDS is the number of measurements of each (5). CHROMIUM is the path of the browser, DATABASE_URL names
a server of Postgres; without it one is started.`

const { CHROMIUM, ROUNDS = "5" } = process.env
const rounds = Array.from({ length: Number(ROUNDS) }, (_, round) => round)
const few = 5_000
const many = 100_000

/** `port` is that for developer tools. */
const launch = (port: number): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM || findChromium(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      // No request leaves the machine.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
      `--remote-debugging-port=${port}`
    ]
  })

const logIn = async (origin: string, { email, password }: Login) => {
  const response = await fetch(`${origin}/console/session`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ email, password })
  })
  if (!response.ok) throw new Error(`The login was refused: ${await response.text()}`)
  return response.headers.getSetCookie().map((cookie) => {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    return { name, value, url: origin }
  })
}

const median = (all: ReadonlyArray<number>): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? Number.NaN

const judge = (title: string, figure: string, isReached: boolean, aim: string): void => {
  console.log(`  ${title}: ${figure}; aim ${aim}${isReached ? "" : ", missed"}`)
  if (!isReached) process.exitCode = 1
}

const judgeScores = (audits: ReadonlyArray<Audit>): void => {
  for (const [title, aim] of [
    ["performance", 95],
    ["accessibility", 100]
  ] as const) {
    const scores = audits.map((one) => one[title])
    judge(title, `${median(scores)}, best ${Math.max(...scores)}`, median(scores) >= aim, `${aim}`)
  }
  for (const fault of new Set(audits.flatMap(({ faults }) => faults))) console.log(`  ${fault}`)
  for (const { figures, performance, speed } of audits) {
    console.log(`  ${performance} at speed ${speed}: ${figures.join(", ")}`)
  }
}

const judgeTimes = (times: ReadonlyArray<Times>): void => {
  for (const [name, title, aim] of [
    ["rows", "first rows", 700],
    ["search", "search", 500],
    ["map", "map", 1_500]
  ] as const) {
    const all = times.map((one) => one[name])
    judge(title, `${median(all)} ms, best ${Math.min(...all)} ms`, median(all) <= aim, `${aim} ms`)
  }
}

const program = async (): Promise<void> => {
  await using folder = await temporaryFolder()
  const database = await findServer()
  if (database === undefined) throw new Error("there is no Postgres")
  const schema = `console_${randomBytes(4).toString("hex")}`
  const variables = { DATA_DIR: join(folder.path, "data"), DATABASE_URL: database.url, DATABASE_SCHEMA: schema }
  // The semi-space is that of `pnpm start`.
  const own = { CONSOLE: "true", RATE_LIMIT_PER_MINUTE: "0", NODE_OPTIONS: "--max-semi-space-size=16" }
  const server = await serve({ ...variables, ...own }, ["--migrate"])
  const port = await freePort()
  const browser = await launch(port)
  const people = operator(variables)
  try {
    const ownerOf = async (sites: number) => {
      const organisationId = await people.createOrganisation()
      const owner = await people.createUser(organisationId)
      await fill(database.url, schema, organisationId, sites)
      return logIn(server.address, owner)
    }
    const [ofFew, ofMany] = [await ownerOf(few), await ownerOf(many)]
    // The server compiles, and builds the console where it has changed.
    await measure(browser, server.address, ofMany, rounds.length)

    console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)}; medians of ${rounds.length}`)
    console.log(`${many} sites, 1280 x 800`)
    const times: Array<Times> = []
    for (const round of rounds) times.push(await measure(browser, server.address, ofMany, round))
    judgeTimes(times)
    console.log(`${few} sites, Lighthouse for a phone`)
    const audits: Array<Audit> = []
    for (const _ of rounds) audits.push(await audit(port, `${server.address}/sites`, ofFew))
    judgeScores(audits)
  } finally {
    await people.close()
    await browser.close()
    await stop(server)
    await database.stop()
  }
}

if (process.argv.includes("--help")) console.log(help)
else await program()
