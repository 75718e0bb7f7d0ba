/**
 * Makes a client: which method sends what.
 *
 * @since 0.1.0
 */
import type { DocumentsClient, PortfoliosClient, SitesClient, SolarSitesClient } from "./Client.ts"
import type { CallOptions, ClientOptions } from "./ClientOptions.ts"
import { makeTransport, type Transport } from "./Transport.ts"
import { makeSend } from "./UploadSending.ts"
import type {
  Document,
  List,
  ListDocuments,
  ListPortfolios,
  ListPortfoliosWithSites,
  ListSites,
  Portfolio,
  PortfolioWithSites,
  Site
} from "./Wire.ts"

// To the service whatever is no UUID is an unknown id; a path must not be led elsewhere by one.
const segment = (id: string): string => (/^[0-9a-f-]{36}$/i.test(id) ? id : "-")

interface Paging {
  readonly limit?: number
  readonly cursor?: string
}

interface Bulk<Item> {
  readonly data: ReadonlyArray<Item>
}

const at = (path: string, id: string, rest = ""): string => `${path}/${segment(id)}${rest}`

/** `list` and `iterate` of one path, whose pages hold at most `maximum` items. */
const listing = <Item, Query extends Paging>(send: Transport, path: string, maximum = 1_000) => {
  const answer = (query?: object, options?: CallOptions) => send<List<Item>>({ method: "GET", path, query }, options)
  async function* iterate(query?: Query, options?: CallOptions): AsyncGenerator<Item, void, undefined> {
    let position: Paging = {}
    while (true) {
      const { data, nextCursor } = await answer({ limit: maximum, ...query, ...position }, options)
      yield* data
      if (nextCursor === null) return
      position = { cursor: nextCursor }
    }
  }
  return { list: (query?: Query, options?: CallOptions) => answer(query, options), iterate }
}

const makeSites = (send: Transport): SitesClient => {
  const path = "/api/sites"
  return {
    ...listing<Site, ListSites>(send, path),
    create: (body, options) => send({ method: "POST", path, body }, options),
    get: (id, options) => send({ method: "GET", path: at(path, id) }, options),
    update: (id, body, options) => send({ method: "PUT", path: at(path, id), body }, options),
    delete: (id, options) => send({ method: "DELETE", path: at(path, id), deletes: true }, options)
  }
}

const makePortfolios = (send: Transport): PortfoliosClient => {
  const path = "/api/portfolios"
  const withSites = listing<PortfolioWithSites, ListPortfoliosWithSites>(send, `${path}/with-sites`, 100)

  const createMany: PortfoliosClient["createMany"] = async (portfolios, options) =>
    (await send<Bulk<Portfolio>>({ method: "POST", path, body: { portfolios } }, options)).data

  const create: PortfoliosClient["create"] = async (portfolio, options) => {
    const [created] = await createMany([portfolio], options)
    if (created === undefined) throw new TypeError("One portfolio was sent, and none came back.")
    return created
  }

  const addSites: PortfoliosClient["addSites"] = async (id, siteIds, options) =>
    (await send<Bulk<Site>>({ method: "POST", path: at(path, id, "/sites"), body: { siteIds } }, options)).data

  return {
    ...listing<Portfolio, ListPortfolios>(send, path),
    listWithSites: withSites.list,
    iterateWithSites: withSites.iterate,
    create,
    createMany,
    addSites,
    removeSites: (id, siteIds, options) =>
      send({ method: "DELETE", path: at(path, id, "/sites"), body: { siteIds } }, options),
    get: (id, options) => send({ method: "GET", path: at(path, id) }, options),
    update: (id, body, options) => send({ method: "PUT", path: at(path, id), body }, options),
    delete: (id, options) => send({ method: "DELETE", path: at(path, id), deletes: true }, options)
  }
}

const documentsPath = "/api/docs"

const makeDocuments = (send: Transport): DocumentsClient => ({
  ...listing<Document, ListDocuments>(send, documentsPath),
  get: (id, options) => send({ method: "GET", path: at(documentsPath, id) }, options),
  issueUploads: (body, options) => send({ method: "POST", path: `${documentsPath}/bulk-upload-url`, body }, options),
  reissueUpload: (id, options) =>
    send({ method: "POST", path: at(documentsPath, id, "/upload-url"), body: {} }, options),
  changeStatus: (id, body, options) => send({ method: "PUT", path: at(documentsPath, id), body }, options),
  downloadUrl: (id, options) => send({ method: "GET", path: at(documentsPath, id, "/download-url") }, options),
  delete: (id, options) => send({ method: "DELETE", path: at(documentsPath, id), deletes: true }, options)
})

/**
 * Throws a `TypeError` when `baseUrl` is no address or `apiKey` cannot be a key.
 * Nothing is sent yet.
 *
 * @category constructors
 * @since 0.1.0
 */
export const makeClient = (options: ClientOptions): SolarSitesClient => {
  const send = makeTransport(options)
  const documents = makeDocuments(send)
  return {
    sites: makeSites(send),
    portfolios: makePortfolios(send),
    documents,
    uploads: { send: makeSend(documents, options.fetch) },
    me: (options) => send({ method: "GET", path: "/api/me" }, options)
  }
}
