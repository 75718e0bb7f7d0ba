import { expect, it } from "vitest"
import { makeClient, type SolarSitesClient } from "../src/client/index.ts"
import { exampleNewSite, examplePortfolio, exampleSite } from "../src/contract/Examples.ts"
import { SolarSitesApi } from "../src/contract/index.ts"
import { scripted, success } from "./ClientSetup.ts"
import { document } from "./Documented.ts"

const { id } = exampleSite
const list = { data: [examplePortfolio], nextCursor: null }

/** Every method of the client, called once; the key is that of the operation in the OpenAPI document. */
const calls: Readonly<Record<string, (client: SolarSitesClient) => Promise<unknown>>> = {
  listSites: ({ sites }) => sites.list(),
  createSite: ({ sites }) => sites.create({ ...exampleNewSite, unit: "MW" }),
  getSite: ({ sites }) => sites.get(id),
  updateSite: ({ sites }) => sites.update(id, {}),
  deleteSite: ({ sites }) => sites.delete(id),
  listPortfolios: ({ portfolios }) => portfolios.list(),
  createPortfolios: ({ portfolios }) => portfolios.createMany([{ name: "North" }]),
  listPortfoliosWithSites: ({ portfolios }) => portfolios.listWithSites(),
  getPortfolio: ({ portfolios }) => portfolios.get(id),
  updatePortfolio: ({ portfolios }) => portfolios.update(id, { name: "South" }),
  deletePortfolio: ({ portfolios }) => portfolios.delete(id),
  addSitesToPortfolio: ({ portfolios }) => portfolios.addSites(id, [id]),
  removeSitesFromPortfolio: ({ portfolios }) => portfolios.removeSites(id, [id]),
  issueUploadUrls: ({ documents }) => documents.issueUploads({ siteId: id, fileType: "documents", files: [] }),
  reissueUploadUrl: ({ documents }) => documents.reissueUpload(id),
  listDocuments: ({ documents }) => documents.list(),
  getDocument: ({ documents }) => documents.get(id),
  changeDocumentStatus: ({ documents }) => documents.changeStatus(id, { status: "approved" }),
  deleteDocument: ({ documents }) => documents.delete(id),
  getDownloadUrl: ({ documents }) => documents.downloadUrl(id),
  getMe: (client) => client.me()
}

interface Operation {
  readonly operationId: string
}

it("has a method for every operation of the contract that needs a key, and asks what the contract says", async () => {
  const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = document.paths
  const requiresCaller = Object.entries(paths)
    .filter(([path]) => path.startsWith("/api/"))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { operationId }]) => [
        operationId,
        `${method.toUpperCase()} ${path.replace("{id}", id)}`
      ])
    )
  const asked: Array<ReadonlyArray<string>> = []
  for (const [operationId, call] of Object.entries(calls)) {
    const { fetch, seen } = scripted(success(list))
    await call(makeClient({ baseUrl: "http://localhost", apiKey: "key", fetch }))
    asked.push([operationId, seen[0]?.line ?? ""])
    expect([operationId, seen[0]?.headers.has("idempotency-key")]).toEqual([
      operationId,
      seen[0]?.line.startsWith("POST ")
    ])
  }
  expect(asked.sort()).toEqual(requiresCaller.sort())
  expect(Object.keys(SolarSitesApi.groups)).toHaveLength(4)
})
