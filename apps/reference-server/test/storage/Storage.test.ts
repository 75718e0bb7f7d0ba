import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { StorageServer } from "@solar-sites/adapter-filesystem"
import { DocumentStorage } from "@solar-sites/core"
import { ConfigProvider, Context, Effect, Layer, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { fromEnvironment, settings } from "../../src/configuration/Settings.ts"
import * as Storage from "../../src/storage/Storage.ts"
import { temporaryFolder, type Variables } from "../SolarSitesProcess.ts"

const built = (variables: Variables) =>
  Effect.gen(function* () {
    const chosen = yield* fromEnvironment(settings)
    return yield* Layer.build(Storage.layer(chosen, Effect.succeed("http://127.0.0.1:3000")))
  }).pipe(Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(variables)), Effect.scoped)

describe("Storage", () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  beforeAll(async () => {
    folder = await temporaryFolder()
  })
  afterAll(() => folder[Symbol.asyncDispose]())

  it("is a folder unless a bucket is configured", async () => {
    const context = await Effect.runPromise(built({ DATA_DIR: join(folder.path, "new") }))
    expect(Context.get(context, DocumentStorage)).toBeDefined()
    expect(Option.isSome(Context.getOption(context, StorageServer))).toBe(true)
  })

  it("explains why a folder is unusable, and what to do", async () => {
    const DATA_DIR = join(folder.path, "taken")
    await mkdir(DATA_DIR)
    await writeFile(join(DATA_DIR, "files"), "")
    const { message } = await Effect.runPromise(Effect.flip(built({ DATA_DIR })))
    expect(message).toMatch(/^The folder \S+files cannot hold files: [^\n.]+\. Set DATA_DIR to [^\n.]+\.$/)
  })

  it("reports that a bucket on AWS needs a region", async () => {
    for (const name of ["AWS_REGION", "AWS_DEFAULT_REGION"]) vi.stubEnv(name, undefined)
    vi.stubEnv("AWS_CONFIG_FILE", "/dev/null")
    const { message } = await Effect.runPromise(Effect.flip(built({ S3_BUCKET: "solar-documents" })))
    vi.unstubAllEnvs()
    expect(message).toMatch(/^S3_REGION must be the name of a region/)
  })
})
