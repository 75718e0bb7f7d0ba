/**
 * Measures the list of sites of a running server in a real browser: the time until the first rows,
 * and the processor time of the page, as a computer and as a telephone (slow 4G, a processor four
 * times slower). Usage: `measure:sites ADDRESS E-MAIL`, with the password in `PASSWORD`.
 */
import { type Browser, chromium } from "playwright-core"

const rounds = 5
const [address = "http://localhost:3000", email = ""] = process.argv.slice(2)
const { CHROMIUM = "/usr/bin/chromium-headless-shell", PASSWORD = "" } = process.env
const { origin } = new URL(address)

/** The figures of Lighthouse for a telephone. */
const slow = { latency: 150, downloadThroughput: 204_800, uploadThroughput: 96_000, offline: false }
const devices = {
  computer: { viewport: { width: 1390, height: 860 }, rate: 1, network: undefined },
  telephone: { viewport: { width: 412, height: 823 }, rate: 4, network: slow }
} as const

const logIn = async () => {
  const answer = await fetch(`${origin}/console/session`, {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ email, password: PASSWORD })
  })
  if (!answer.ok) throw new Error(`The login was refused: ${await answer.text()}`)
  return answer.headers.getSetCookie().map((cookie) => {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    return { name, value, url: origin }
  })
}

type Cookies = Awaited<ReturnType<typeof logIn>>

/** Milliseconds of one load with an empty cache. */
const measure = async (browser: Browser, cookies: Cookies, device: (typeof devices)[keyof typeof devices]) => {
  const context = await browser.newContext({ viewport: device.viewport })
  await context.addCookies(cookies)
  const page = await context.newPage()
  const client = await context.newCDPSession(page)
  await client.send("Performance.enable", { timeDomain: "threadTicks" })
  await client.send("Emulation.setCPUThrottlingRate", { rate: device.rate })
  await client.send("Network.enable")
  if (device.network !== undefined) await client.send("Network.emulateNetworkConditions", device.network)
  const begin = performance.now()
  await page.goto(`${origin}/sites`)
  await page.locator("table tbody tr").first().waitFor()
  const firstRows = performance.now() - begin
  const { metrics } = await client.send("Performance.getMetrics")
  const cpu = (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000
  await context.close()
  return { firstRows: Math.round(firstRows), cpu: Math.round(cpu) }
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

const cookies = await logIn()
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] })
for (const [name, device] of Object.entries(devices)) {
  const loads = []
  for (let round = 0; round < rounds; round += 1) loads.push(await measure(browser, cookies, device))
  const [firstRows, cpu] = [median(loads.map((load) => load.firstRows)), median(loads.map((load) => load.cpu))]
  console.log(`${name}: first rows after ${firstRows} ms, main thread ${cpu} ms (medians of ${rounds} loads)`)
}
await browser.close()
