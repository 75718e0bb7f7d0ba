import { DeleteObjectsCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3"
import { layer, layerFrom } from "@solar-sites/adapter-s3"
import { DocumentStorage, type OrganisationId, type StorageKey } from "@solar-sites/core"
import { anOrganisationId } from "@solar-sites/testing"
import { Effect, Option } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  aBucket,
  aClient,
  aKey,
  aMinute,
  optionsFor,
  ownerOf,
  type Ports,
  patient,
  runWith,
  withoutS3
} from "./Setup.ts"

describe.skipIf(withoutS3)("the objects of a running store", () => {
  let run: <A, E>(effect: Effect.Effect<A, E, Ports>) => Promise<A>
  let bucket: string
  let client: S3Client

  beforeAll(async () => {
    bucket = await aBucket()
    client = aClient()
    run = runWith(layerFrom(client, { bucket, timeout: patient.timeout }))
  })
  afterAll(() => client?.destroy())

  const store = (key: string, text = "x", type = "text/plain") =>
    client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: text, ContentType: type }))

  const storeAll = (keys: ReadonlyArray<string>) =>
    Effect.runPromise(
      Effect.forEach(keys, (key) => Effect.promise(() => store(key)), { concurrency: 16, discard: true })
    )

  const list = (organisationId: OrganisationId, after: StorageKey | null, limit: number) =>
    run(DocumentStorage.use((storage) => storage.list(organisationId, { after, limit })))

  const remove = (organisationId: OrganisationId, keys: ReadonlyArray<StorageKey>) =>
    run(DocumentStorage.use((storage) => storage.delete(organisationId, keys)))

  const exists = (key: StorageKey) =>
    run(DocumentStorage.use((storage) => storage.inspect(ownerOf(key), key))).then(Option.isSome)

  it("are deleted by the thousand, including absent ones", async () => {
    const organisationId = anOrganisationId()
    const keys = Array.from({ length: 1_500 }, () => aKey(organisationId))
    const some = keys.filter((_, index) => index % 10 === 0)
    const bystander = aKey(organisationId)
    await storeAll([...some, bystander])
    await remove(organisationId, keys)
    expect((await list(organisationId, null, 1_000)).items.map(({ key }) => key)).toEqual([bystander])
    await remove(organisationId, keys)
    await remove(organisationId, [])
  })

  it("of another organisation are neither seen nor deleted", async () => {
    const [own, foreign] = [aKey(), aKey()]
    await storeAll([own, foreign])
    await remove(ownerOf(own), [foreign, own])
    expect([await exists(own), await exists(foreign)]).toEqual([false, true])
    const seen = await run(DocumentStorage.use((storage) => storage.inspect(ownerOf(own), foreign)))
    expect(seen).toEqual(Option.none())
    expect((await list(ownerOf(own), null, 10)).items).toEqual([])
  })

  it("are listed in pages, in order, with their time, none twice and none left out", async () => {
    const organisationId = anOrganisationId()
    const keys = Array.from({ length: 25 }, () => aKey(organisationId)).sort()
    await storeAll(keys.toReversed())
    const seen: Array<StorageKey> = []
    let after: StorageKey | null = null
    const sizes: Array<number> = []
    for (let more = true; more; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(organisationId, after, 10)
      seen.push(...page.items.map(({ key }) => key))
      sizes.push(page.items.length)
      after = page.items.at(-1)?.key ?? null
      more = page.hasMore
    }
    expect(seen).toEqual(keys)
    expect(sizes).toEqual([10, 10, 5])
    const [first] = (await list(organisationId, null, 1)).items
    expect(Math.abs((first?.modifiedAt.epochMilliseconds ?? 0) - Date.now())).toBeLessThan(600_000)
  })

  it("that are not documents are skipped without gaps in pages", async () => {
    const organisationId = anOrganisationId()
    const keys = Array.from({ length: 4 }, () => aKey(organisationId)).sort()
    const strangers = keys.map((key) => `${key}.thumbnail`)
    await storeAll([...keys, ...strangers, `${organisationId}/!readme`, `${organisationId}-other/x`])
    expect((await list(organisationId, null, 3)).items.map(({ key }) => key)).toEqual(keys.slice(0, 3))
    expect((await list(organisationId, null, 100)).items.map(({ key }) => key)).toEqual(keys)
  })

  it("are downloaded byte for byte under their name, also in part, and only with a valid address", async () => {
    const key = aKey()
    await store(key, "solar", "application/octet-stream")
    const download = { key, mimeType: "text/csv", filename: 'Erträge "März".csv' }
    const sign = (secondsAgo: number) =>
      run(DocumentStorage.use((storage) => storage.signDownload(ownerOf(key), download, aMinute(secondsAgo))))
    const response = await fetch(await sign(0))
    expect(await response.text()).toBe("solar")
    expect(response.headers.get("content-type")).toBe("text/csv")
    expect(response.headers.get("content-disposition")).toBe(
      "attachment; filename=\"Ertr_ge _M_rz_.csv\"; filename*=UTF-8''Ertr%C3%A4ge%20%22M%C3%A4rz%22.csv"
    )
    const part = await fetch(await sign(0), { headers: { range: "bytes=1-2" } })
    expect([part.status, await part.text()]).toEqual([206, "ol"])
    expect((await fetch(await sign(61))).status).toBe(403)
    expect((await fetch((await sign(0)).replace("text%2Fcsv", "text%2Fhtml"))).status).toBe(403)
    expect((await fetch((await sign(0)).split("?")[0] ?? "")).status).toBe(403)
  })

  it("are deleted with a Content-MD5 and no other checksum", async () => {
    const sent: Array<Record<string, unknown>> = []
    const watched = aClient()
    watched.middlewareStack.add(
      (next) => (args) => {
        sent.push({ ...Reflect.get(Object(args.request), "headers") })
        return next(args)
      },
      { step: "finalizeRequest", priority: "low" }
    )
    const key = aKey()
    await runWith(layerFrom(watched, { bucket, timeout: patient.timeout }))(
      DocumentStorage.use((storage) => storage.delete(ownerOf(key), [key]))
    )
    expect(Object.keys(sent[0] ?? {})).toContain("content-md5")
    expect(Object.keys(sent[0] ?? {}).filter((name) => name.includes("checksum"))).toEqual([])
    // The host's client is unchanged: its own deletions have the SDK's checksum.
    await watched
      .send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: [{ Key: key }] } }))
      .catch(() => {})
    expect(Object.keys(sent.at(-1) ?? {}).some((name) => name.startsWith("x-amz-checksum-"))).toBe(true)
    watched.destroy()
  })

  it("cannot be deleted without a bucket", async () => {
    const key = aKey()
    const failure = await runWith(layer(optionsFor(`${bucket}-absent`)))(
      Effect.flip(DocumentStorage.use((storage) => storage.delete(ownerOf(key), [key])))
    )
    expect(failure).toMatchObject({ code: "storage_unavailable", operation: "DocumentStorage.delete" })
  })
})
