/**
 * Measures the main thread of the page while files are chosen and uploaded.
 * Needs a running server: `measure:uploads ORIGIN EMAIL PASSWORD [FILES]`.
 */
import { spawnSync } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type CDPSession, chromium } from "playwright-core"

const [origin = "", email = "", password = "", count = "300"] = process.argv.slice(2)
const files = Number(count)
const patience = 300_000

const [executablePath = ""] = spawnSync("which", ["chromium-headless-shell", "chromium"], {
  encoding: "utf8"
}).stdout.split("\n")

/** Processor time of tasks on the main thread since the page was opened, in milliseconds. */
const taskMillis = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send("Performance.getMetrics")
  return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0)
}

declare global {
  interface Window {
    /** Durations of tasks above 50 ms. */
    longTasks: Array<number>
  }
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] })
const context = await browser.newContext({ baseURL: origin, viewport: { width: 1_280, height: 800 } })
context.setDefaultTimeout(patience)
await context.addInitScript(() => {
  window.longTasks = []
  new PerformanceObserver((list) =>
    window.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)))
  ).observe({ type: "longtask", buffered: true })
})
const page = await context.newPage()
const session = await context.newCDPSession(page)
// Processor time of the thread: other processes of the computer do not count.
await session.send("Performance.enable", { timeDomain: "threadTicks" })

const post = (path: string, body: object): Promise<string> =>
  page.evaluate(
    async ([path, body]) => {
      const headers = { "content-type": "application/json" }
      const answer = await fetch(path, { method: "POST", headers, body })
      if (!answer.ok) throw new Error(`${path} has answered ${answer.status}`)
      return answer.text()
    },
    [path, JSON.stringify(body)] as const
  )

/** Long tasks and main-thread time of one step. */
const measure = async (step: string, act: () => Promise<void>): Promise<void> => {
  await page.evaluate(() => {
    window.longTasks = []
  })
  const before = await taskMillis(session)
  await act()
  const millis = (await taskMillis(session)) - before
  const longTasks = await page.evaluate(() => window.longTasks)
  console.log(
    `${step}: ${Math.round(millis)} ms of processor time of the main thread, ${(millis / files).toFixed(1)} ms per file, ` +
      `tasks above 50 ms: ${longTasks.length === 0 ? "none" : longTasks.join(", ")}`
  )
}

await page.goto("/login")
await post("/console/session", { email, password })
const { id } = JSON.parse(await post("/console/api/sites", { siteName: "Measured Field", capacity: 1, unit: "MW" }))
await page.goto(`/sites/${id}/documents`)
await page.getByText("This site has no documents yet").waitFor()
await page.waitForTimeout(1_000)

await measure("open the dialog without files", () => page.getByRole("link", { name: "Upload files" }).click())
const chooser = page.waitForEvent("filechooser")
await page.getByRole("button", { name: "Choose files" }).click()
// Files of the disk: others are made by a script in the page.
const folder = await mkdtemp(join(tmpdir(), "solar-sites-measure-"))
const chosen = Array.from({ length: files }, (_, index) => join(folder, `${index}.txt`))
for (const path of chosen) await writeFile(path, "x".repeat(10_000))
await measure(`choose ${files} files`, async () => {
  await (await chooser).setFiles(chosen)
  await page.getByRole("list", { name: "Files to upload" }).waitFor()
})
await measure(`upload ${files} files`, async () => {
  await page.getByRole("button", { name: `Upload ${files} files` }).click()
  // Rarely: looking for the text costs time of the main thread too.
  const text = `${files} of ${files} files uploaded`
  await page.waitForFunction((text) => document.body.textContent.includes(text), text, { polling: 500 })
})
await browser.close()
await rm(folder, { recursive: true })
