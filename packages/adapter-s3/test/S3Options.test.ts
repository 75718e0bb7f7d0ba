import { S3Client } from "@aws-sdk/client-s3"
import { layer, layerFrom, type S3Bucket, type S3LayerOptions } from "@solar-sites/adapter-s3"
import type { DocumentStorage } from "@solar-sites/core"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"

const build = (ports: Layer.Layer<DocumentStorage | S3Bucket>) =>
  Effect.runPromise(Effect.asVoid(Effect.scoped(Layer.build(ports))))

const bucket = "solar-documents"
const region = "eu-central-1"
const credentials = { accessKeyId: "access", secretAccessKey: "hush-hush" }

const aBucket = 'bucket of the S3 storage must be the name of a bucket, such as "solar-documents"'
const anAddress =
  'must be an http or https address without credentials, query and fragment, such as "https://s3.example.com"'
const aPart = "of the S3 storage must be its text, or credentials be left out for the AWS chain"
const aRegion = 'region of the S3 storage must be the name of one, such as "eu-central-1"'

/** Options of a host without types. */
const unchecked = (given: unknown): S3LayerOptions => given as S3LayerOptions

describe("invalid options are refused at once:", () => {
  it.each([
    [undefined, "The options of the S3 storage must be an object with some of bucket, singleUse, publicEndpoint,"],
    [{ bucket, regoin: region }, "the S3 storage has no option regoin; it has bucket, singleUse, publicEndpoint,"],
    [{ region, credentials }, `${aBucket}; it is undefined`],
    [{ bucket: "", region, credentials }, `${aBucket}; it is an empty text`],
    [{ bucket: "hush-hush/files", region, credentials }, `${aBucket}; it is another text`],
    [{ bucket: 7, region, credentials }, `${aBucket}; it is 7`],
    [
      { bucket, credentials, endpoint: "hush-hush:9000" },
      `endpoint of the S3 storage ${anAddress}; it is another text`
    ],
    [{ bucket, credentials, endpoint: "" }, `endpoint of the S3 storage ${anAddress}; it is an empty text`],
    [{ bucket, region, publicEndpoint: "hush-hush" }, `publicEndpoint of the S3 storage ${anAddress}`],
    [
      { bucket, region, credentials: { accessKeyId: "hush-hush" } },
      `credentials.secretAccessKey ${aPart}; it is undefined`
    ],
    [
      { bucket, region, credentials: { secretAccessKey: "hush-hush" } },
      `credentials.accessKeyId ${aPart}; it is undefined`
    ],
    [
      { bucket, region, credentials: { ...credentials, accessKeyId: "" } },
      `credentials.accessKeyId ${aPart}; it is an empty text`
    ],
    [{ bucket, region, credentials: null }, `credentials.accessKeyId ${aPart}; it is undefined`],
    [{ bucket, credentials, region: "" }, `${aRegion}; it is an empty text`],
    [{ bucket, credentials, region: 1 }, `${aRegion}; it is 1`]
  ])("%o", (options, sentence) => {
    let refusal: unknown
    try {
      layer(unchecked(options))
    } catch (error) {
      refusal = error
    }
    expect(refusal).toBeInstanceOf(TypeError)
    expect(String(refusal)).toContain(sentence)
    expect(String(refusal)).not.toContain("hush-hush")
  })

  it("with a client of the host too", async () => {
    const client = new S3Client({ region, credentials })
    expect(() => layerFrom(client, unchecked({}))).toThrow(aBucket)
    expect(() => layerFrom(client, { bucket, publicEndpoint: "files" })).toThrow(anAddress)
    await expect(build(layerFrom(client, { bucket }))).resolves.toBeUndefined()
    client.destroy()
  })
})

describe("the region", () => {
  beforeAll(() => {
    for (const name of ["AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"]) vi.stubEnv(name, "/dev/null")
  })
  afterAll(() => void vi.unstubAllEnvs())

  it("is required if neither options nor environment have one", async () => {
    for (const name of ["AWS_REGION", "AWS_DEFAULT_REGION"]) vi.stubEnv(name, undefined)
    await expect(build(layer({ bucket, credentials }))).rejects.toThrow(
      'The S3 storage needs the region of its bucket: give one, such as { region: "eu-central-1" }, or set AWS_REGION'
    )
    await expect(build(layer({ bucket, credentials, endpoint: "https://s3.example.com" }))).resolves.toBeUndefined()
  })

  it("may come from the environment", async () => {
    vi.stubEnv("AWS_REGION", region)
    await expect(build(layer({ bucket, credentials }))).resolves.toBeUndefined()
  })
})
