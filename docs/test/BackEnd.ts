/**
 * Runs a back end of a page as its reader would, with a database, a port and a
 * folder of its own.
 */
import { spawn } from "node:child_process"
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { blocksOf, readPage } from "../../scripts/blocks.ts"
import { freePort } from "../../scripts/freePort.ts"

const address = "http://127.0.0.1:3000"
const database = '"postgres://solar:secret@127.0.0.1:5432/solar"'
const patienceMillis = 200_000

/** The one block of a page that names a database, with another one in its place. */
const codeOf = (page: string, url: string, schema: string, port: number): string => {
  const [code, ...more] = blocksOf(page, readPage(page)).flatMap((block) =>
    block.code.includes(database) ? block.code : []
  )
  if (code === undefined || more.length > 0) throw new Error(`${page} has no back end, or more than one`)
  return code
    .replace(database, `${JSON.stringify(url)}, schema: ${JSON.stringify(schema)}`)
    .replaceAll(address, `http://127.0.0.1:${port}`)
    .replace("listen(3000", `listen(${port}`)
}

export interface BackEnd extends AsyncDisposable {
  readonly baseUrl: string
  /** Asks it to end, and gives the code it ends with. */
  readonly end: () => Promise<number | null>
}

/** A project that has installed what the back end imports, and the Node that runs it. */
interface Place {
  readonly folder: string
  readonly program: string
  readonly arguments: ReadonlyArray<string>
}

/** Within this package, so that what it imports is found. */
const here: Place = {
  folder: fileURLToPath(new URL("../.examples.backends", import.meta.url)),
  program: process.execPath,
  arguments: ["--conditions=@solar-sites/source"]
}

/** Resolves when it answers; rejects with what it has printed when it ends before. */
export const startBackEnd = async (page: string, url: string, schema: string, place = here): Promise<BackEnd> => {
  const cwd = join(place.folder, schema)
  const port = await freePort()
  await mkdir(cwd, { recursive: true })
  await writeFile(join(cwd, "main.ts"), codeOf(page, url, schema, port))
  const { NODE_COMPILE_CACHE, PATH } = process.env
  const env = { NODE_COMPILE_CACHE, PATH }
  const child = spawn(place.program, [...place.arguments, "main.ts"], { cwd, env })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  const dispose = async () => {
    child.kill("SIGKILL")
    await ended
    await rm(cwd, { recursive: true, force: true })
  }

  const baseUrl = `http://127.0.0.1:${port}`
  const deadline = performance.now() + patienceMillis
  while (
    !(await fetch(`${baseUrl}/health/live`).then(
      ({ ok }) => ok,
      () => false
    ))
  ) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await dispose()
      throw new Error(`The back end of ${page} does not answer:\n${output}`)
    }
    await pause(50)
  }
  const end = () => {
    child.kill("SIGTERM")
    return ended
  }
  return { baseUrl, end, [Symbol.asyncDispose]: dispose }
}
