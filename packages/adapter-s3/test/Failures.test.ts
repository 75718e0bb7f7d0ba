import { S3Client } from "@aws-sdk/client-s3"
import { layerFrom } from "@solar-sites/adapter-s3"
import { DocumentStorage, StorageError } from "@solar-sites/core"
import { Effect, Result } from "effect"
import { describe, expect, it } from "vitest"
import { activeTime } from "../../../scripts/activeTime.ts"
import { aKey, aMinute, anUpload, offline, ownerOf, type Ports, patient, runWith, signOne } from "./Setup.ts"
import { aBlackHole, aDeadPort, aHangUp, anAnswering, xmlError } from "./Stubs.ts"

const key = aKey()
const organisationId = ownerOf(key)
const many = Array.from({ length: 2_500 }, () => aKey(organisationId))

const operations: ReadonlyArray<readonly [string, Effect.Effect<unknown, StorageError, DocumentStorage>]> = [
  ["inspect", DocumentStorage.use((storage) => storage.inspect(organisationId, key))],
  ["delete", DocumentStorage.use((storage) => storage.delete(organisationId, many))],
  ["list", DocumentStorage.use((storage) => storage.list(organisationId, { after: null, limit: 10 }))]
]

const stores = [
  ["a dead port", aDeadPort],
  ["a black hole", aBlackHole],
  ["a store that hangs up", aHangUp],
  [
    "a store that answers 500",
    () => anAnswering((_, response) => response.writeHead(500).end(xmlError("InternalError")))
  ],
  ["a store that answers 503", () => anAnswering((_, response) => response.writeHead(503).end(xmlError("SlowDown")))],
  ["a store that refuses", () => anAnswering((_, response) => response.writeHead(403).end(xmlError("AccessDenied")))],
  [
    "a store that never ends its answer",
    () => anAnswering((_, response) => void response.writeHead(200, { "content-length": 10_000 }).write("<"))
  ]
] as const

const failureOf = async (effect: Effect.Effect<unknown, StorageError, Ports>, ports = offline()) => {
  using since = activeTime()
  const result = await runWith(ports)(Effect.result(effect))
  return { failure: Result.isFailure(result) ? result.failure : undefined, millis: since.millis() }
}

describe.concurrent.each(stores)("%s", (name, open) => {
  it.each(operations)("makes %s fail as unavailable within two seconds", async (operation, effect) => {
    // A response to HEAD has no body that could stay incomplete.
    if (operation === "inspect" && name === "a store that never ends its answer") return
    await using store = await open()
    const { failure, millis } = await failureOf(effect, offline({ endpoint: store.endpoint }))
    expect(failure).toBeInstanceOf(StorageError)
    expect(failure).toMatchObject({ operation: `DocumentStorage.${operation}`, code: "storage_unavailable" })
    expect(millis).toBeLessThan(2_000)
  })
})

describe("the timeout", () => {
  it("applies to credentials that never arrive", async () => {
    const { failure, millis } = await failureOf(
      signOne(anUpload(), aMinute()),
      offline({ credentials: () => new Promise(() => {}) })
    )
    expect(failure).toMatchObject({ operation: "DocumentStorage.signUploads", code: "storage_unavailable" })
    expect(millis).toBeLessThan(2_000)
  })

  it("applies to a client of the host without timeouts, which stays open", async () => {
    await using store = await aBlackHole()
    const credentials = { accessKeyId: "access", secretAccessKey: "secret" }
    const client = new S3Client({ endpoint: store.endpoint, region: "us-east-1", forcePathStyle: true, credentials })
    let destroyed = false
    const destroy = client.destroy.bind(client)
    client.destroy = () => {
      destroyed = true
      destroy()
    }
    const results = await Promise.all(
      operations.map(([, effect]) => failureOf(effect, layerFrom(client, { bucket: "solar-documents" })))
    )
    for (const { failure, millis } of results) {
      expect(failure).toBeInstanceOf(StorageError)
      expect(millis).toBeLessThan(2_000)
    }
    expect(destroyed).toBe(false)
    client.destroy()
  })

  it("is an option", async () => {
    await using store = await aBlackHole()
    const { millis } = await failureOf(
      DocumentStorage.use((storage) => storage.inspect(organisationId, key)),
      offline({ endpoint: store.endpoint, timeout: "200 millis" })
    )
    expect(millis).toBeLessThan(800)
  })
})

describe("a store that recovers", () => {
  it("receives one retry after a transient failure", async () => {
    let asked = 0
    await using store = await anAnswering((_, response) => {
      asked += 1
      if (asked === 1) response.writeHead(503).end()
      else response.writeHead(200, { "content-length": 5, "content-type": "text/plain" }).end()
    })
    const found = await runWith(offline({ endpoint: store.endpoint, ...patient }))(
      DocumentStorage.use((storage) => storage.inspect(organisationId, key))
    )
    expect(found).toMatchObject({ value: { sizeBytes: 5, mimeType: "text/plain" } })
    expect(asked).toBe(2)
  })

  it("signs as soon as credentials are available", async () => {
    let present = false
    const credentials = () =>
      present
        ? Promise.resolve({ accessKeyId: "access", secretAccessKey: "secret" })
        : Promise.reject(new Error("not yet"))
    await runWith(offline({ credentials }))(
      Effect.gen(function* () {
        expect(yield* Effect.flip(signOne(anUpload()))).toBeInstanceOf(StorageError)
        present = true
        expect((yield* signOne(anUpload())).token).toContain("X-Amz-Signature=")
      })
    )
  })
})

describe("a batch of deletions", () => {
  const deleteWith = async (code: string) => {
    const errors = `<Error><Key>${key}</Key><Code>${code}</Code></Error>`
    await using store = await anAnswering((_, response) =>
      response.writeHead(200).end(`<?xml version="1.0" encoding="UTF-8"?><DeleteResult>${errors}</DeleteResult>`)
    )
    return await runWith(offline({ endpoint: store.endpoint, ...patient }))(
      Effect.result(DocumentStorage.use((storage) => storage.delete(organisationId, [key])))
    )
  }

  it("fails if the store reports that one of them failed", async () => {
    const result = await deleteWith("AccessDenied")
    expect(result).toMatchObject({ failure: { code: "storage_unavailable" } })
    expect(Result.isFailure(result) && String(result.failure.cause)).toContain(
      "1 of 1 objects were not deleted: AccessDenied"
    )
  })

  it("succeeds if the objects are absent", async () => {
    expect(Result.isSuccess(await deleteWith("NoSuchKey"))).toBe(true)
  })
})
