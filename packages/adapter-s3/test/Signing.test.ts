import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3"
import { getSignedUrl } from "@aws-sdk/s3-request-presigner"
import type { S3LayerOptions } from "@solar-sites/adapter-s3"
import { DocumentStorage } from "@solar-sites/core"
import { anOrganisationId } from "@solar-sites/testing"
import { DateTime, Effect, Exit, Redacted } from "effect"
import { describe, expect, it } from "vitest"
import { aKey, anUpload, offline, ownerOf, runWith, signOne, urlOf } from "./Setup.ts"

const credentials = { accessKeyId: "access", secretAccessKey: "secret" }
const from = DateTime.makeUnsafe("2026-03-29T01:59:59.987Z")
const validity = { from, until: DateTime.add(from, { seconds: 60 }) }
const signableHeaders = new Set(["content-type"])
const expected = { expiresIn: 60, signingDate: DateTime.toDate(from), signableHeaders }

interface Place extends Partial<Omit<S3LayerOptions, "credentials">> {
  readonly credentials?: typeof credentials & { readonly sessionToken?: string }
}

const places: ReadonlyArray<readonly [string, Place]> = [
  ["on AWS, the bucket in the host name", {}],
  ["on AWS, the bucket in the path", { forcePathStyle: true }],
  ["on AWS, with a dot in the bucket", { bucket: "solar.documents" }],
  ["on AWS, with a session token", { credentials: { ...credentials, sessionToken: "token/with+signs==" } }],
  ["on another host with a port", { endpoint: "http://storage.example.com:9000" }],
  ["on another host below a path", { endpoint: "https://example.com/storage", region: "garage" }],
  ["on another host, the bucket in its name", { endpoint: "https://example.com", forcePathStyle: false }]
]

/** Client of the SDK with the same settings. */
const sdkClient = ({ endpoint, forcePathStyle, ...options }: Place) =>
  new S3Client({
    region: options.region ?? (endpoint === undefined ? "eu-central-1" : "us-east-1"),
    credentials: options.credentials ?? credentials,
    forcePathStyle: forcePathStyle ?? endpoint !== undefined,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    ...(endpoint === undefined ? {} : { endpoint })
  })

describe.each(places)("an address %s", (_, place) => {
  const options = { region: place.endpoint === undefined ? "eu-central-1" : "us-east-1", ...place }
  const Bucket = options.bucket ?? "solar-documents"
  const run = runWith(offline(options))

  it.each([
    ["no length and single use", null, true],
    ["a length and single use", 12_345, true],
    ["a length of nothing", 0, true],
    ["a length and no single use", 7, false],
    ["the media type alone", null, false]
  ] as const)("of an upload is what getSignedUrl makes of %s", async (_name, sizeBytes, singleUse) => {
    const upload = anUpload({ sizeBytes, mimeType: "image/svg+xml" })
    const signed = await runWith(offline({ ...options, singleUse }))(signOne(upload, validity))
    const command = new PutObjectCommand({
      Bucket,
      Key: upload.key,
      ContentType: upload.mimeType,
      ...(sizeBytes === null ? {} : { ContentLength: sizeBytes }),
      ...(singleUse ? { IfNoneMatch: "*" } : {})
    })
    expect(urlOf(signed)).toBe(await getSignedUrl(sdkClient(options), command, expected))
  })

  it("of a download is what getSignedUrl makes of it", async () => {
    const key = aKey()
    const download = { key, mimeType: "application/pdf", filename: "Jahres (über) 'sicht'*!.pdf" }
    const url = await run(DocumentStorage.use((storage) => storage.signDownload(ownerOf(key), download, validity)))
    const command = new GetObjectCommand({
      Bucket,
      Key: key,
      ResponseContentType: "application/pdf",
      ResponseContentDisposition: new URL(url).searchParams.get("response-content-disposition") ?? ""
    })
    expect(url).toBe(await getSignedUrl(sdkClient(options), command, expected))
  })
})

it("an address of redacted keys is the one of their text", async () => {
  const upload = anUpload()
  const { accessKeyId, secretAccessKey } = credentials
  const keys = { accessKeyId: Redacted.make(accessKeyId), secretAccessKey: Redacted.make(secretAccessKey) }
  const signWith = (options: Partial<S3LayerOptions>) => runWith(offline(options))(signOne(upload, validity))
  expect(urlOf(await signWith({ credentials: keys }))).toBe(urlOf(await signWith({ credentials })))
})

describe("a batch", () => {
  it("of 20 files has one signing date and the order of the request", async () => {
    const organisationId = anOrganisationId()
    const uploads = Array.from({ length: 20 }, () => anUpload({ key: aKey(organisationId) }))
    const signed = await runWith(offline())(
      DocumentStorage.use((storage) => storage.signUploads(organisationId, uploads, validity))
    )
    const urls = signed.map((one) => new URL(urlOf(one)))
    expect(urls.map(({ pathname }) => pathname)).toEqual(uploads.map(({ key }) => `/${key}`))
    expect(new Set(urls.map(({ searchParams }) => searchParams.get("X-Amz-Date")))).toEqual(
      new Set(["20260329T015959Z"])
    )
    expect(new Set(urls.map(({ searchParams }) => searchParams.get("X-Amz-Expires")))).toEqual(new Set(["60"]))
    expect(new Set(urls.map(({ searchParams }) => searchParams.get("X-Amz-Signature"))).size).toBe(20)
  })

  it("of no files needs no credentials", async () => {
    const credentials = () => Promise.reject(new Error("there are none"))
    const signed = DocumentStorage.use((storage) => storage.signUploads(anOrganisationId(), [], validity))
    await expect(runWith(offline({ credentials }))(signed)).resolves.toEqual([])
  })

  it("with a key of another organisation dies, also beside valid keys", async () => {
    const organisationId = anOrganisationId()
    const uploads = [anUpload({ key: aKey(organisationId) }), anUpload()]
    const exit = await runWith(offline())(
      Effect.exit(DocumentStorage.use((storage) => storage.signUploads(organisationId, uploads, validity)))
    )
    expect(Exit.hasDies(exit)).toBe(true)
  })
})

describe("an upload address", () => {
  it("consists of path, token and the headers that a client must send", async () => {
    const upload = anUpload({ sizeBytes: 3 })
    const signed = await runWith(offline())(signOne(upload, validity))
    expect(signed.path).toBe(`https://solar-documents.s3.eu-central-1.amazonaws.com/${upload.key}`)
    expect(signed.token).not.toContain("?")
    expect(new URLSearchParams(signed.token).get("X-Amz-SignedHeaders")).toBe(
      "content-length;content-type;host;if-none-match"
    )
    expect(signed.headers).toEqual({ "content-type": "application/pdf", "if-none-match": "*" })
  })

  it("has no condition where single use is switched off", async () => {
    const signed = await runWith(offline({ singleUse: false }))(signOne(anUpload(), validity))
    expect(new URLSearchParams(signed.token).get("X-Amz-SignedHeaders")).toBe("content-type;host")
    expect(signed.headers).toEqual({ "content-type": "application/pdf" })
  })

  it("has the public endpoint where one is configured", async () => {
    const options = { endpoint: "http://10.0.0.7:9000", publicEndpoint: "https://files.example.com" }
    const upload = anUpload()
    const signed = await runWith(offline(options))(signOne(upload, validity))
    const same = await runWith(offline({ endpoint: "https://files.example.com" }))(signOne(upload, validity))
    expect(signed.path).toBe(`https://files.example.com/solar-documents/${upload.key}`)
    expect(signed).toEqual(same)
  })

  it("expires after the whole seconds of its validity, never later", async () => {
    const until = DateTime.add(from, { seconds: 59, milliseconds: 999 })
    const signed = await runWith(offline())(signOne(anUpload(), { from, until }))
    expect(new URLSearchParams(signed.token).get("X-Amz-Expires")).toBe("59")
  })
})
