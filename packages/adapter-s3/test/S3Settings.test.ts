import { layerConfig } from "@solar-sites/adapter-s3"
import { ConfigProvider, Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { anUpload, signOne } from "./Setup.ts"

const pathWith = (env: Record<string, string>) => {
  const upload = anUpload()
  const settings = ConfigProvider.layer(ConfigProvider.fromEnv({ env }))
  return Effect.runPromise(
    signOne(upload).pipe(
      Effect.map(({ headers, path }) => ({ place: path.replace(upload.key, ""), headers })),
      Effect.provide(layerConfig.pipe(Layer.provide(settings)))
    )
  )
}

describe("the settings of the environment", () => {
  // The AWS chain looks here first.
  beforeAll(() => void vi.stubEnv("AWS_ACCESS_KEY_ID", "access").stubEnv("AWS_SECRET_ACCESS_KEY", "secret"))
  afterAll(() => void vi.unstubAllEnvs())

  it("name a bucket elsewhere, addressed by its path, for single use", async () => {
    const { headers, place } = await pathWith({ S3_BUCKET: "documents", S3_ENDPOINT: "https://s3.example.com" })
    expect(place).toBe("https://s3.example.com/documents/")
    expect(headers).toHaveProperty("if-none-match", "*")
  })

  it("name a bucket on AWS, in its region", async () => {
    const { place } = await pathWith({ S3_BUCKET: "documents", S3_REGION: "eu-north-1" })
    expect(place).toBe("https://documents.s3.eu-north-1.amazonaws.com/")
  })

  it("say how the bucket is addressed and whether addresses are for single use", async () => {
    const { headers, place } = await pathWith({
      S3_BUCKET: "documents",
      S3_ENDPOINT: "https://s3.example.com",
      S3_FORCE_PATH_STYLE: "false",
      S3_SINGLE_USE: "false"
    })
    expect(place).toBe("https://documents.s3.example.com/")
    expect(headers).not.toHaveProperty("if-none-match")
  })

  it.each([
    ["S3_BUCKET", {}],
    ["S3_BUCKET", { S3_BUCKET: "no/bucket" }],
    ["S3_ENDPOINT", { S3_BUCKET: "documents", S3_ENDPOINT: "s3.example.com" }],
    ["S3_REGION", { S3_BUCKET: "documents", S3_REGION: "eu north" }],
    ["S3_SINGLE_USE", { S3_BUCKET: "documents", S3_SINGLE_USE: "maybe" }],
    ["S3_FORCE_PATH_STYLE", { S3_BUCKET: "documents", S3_FORCE_PATH_STYLE: "1" }]
  ])("are refused with the name of %s when it is wrong: %o", async (name, env) => {
    await expect(pathWith(env)).rejects.toThrow(name)
  })
})
