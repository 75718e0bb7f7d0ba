/** The table of the client's operations: method and path of each. */
import type { List, PlainPortfolio, PlainSite, PlainWebhookDelivery } from "@solar-sites/core/model"
import type {
  DocumentsClient,
  EventsClient,
  PortfoliosClient,
  SitesClient,
  SolarSitesClient,
  WebhooksClient
} from "./Client.ts"
import type { CallOptions, ChangeOptions, ClientOptions, CreateOptions } from "./ClientOptions.ts"
import { makeTransport, type Transport } from "./Transport.ts"
import { makeSend } from "./UploadSending.ts"

// For the service anything but a UUID is an unknown id. Here it must not lead to another path.
const at = (path: string, id: string): string => path.replace(":id", /^[0-9a-f-]{36}$/i.test(id) ? id : "-")

interface Paging {
  readonly limit?: number
  readonly cursor?: string
}

/** Kinds of operations. `:id` in a path is the first argument of the operation. */
const kindsOf = (send: Transport) => ({
  get:
    <Found>(path: string) =>
    (id: string, options?: CallOptions) =>
      send<Found>({ method: "GET", path: at(path, id) }, options),
  list:
    <Item, Query extends Paging>(path: string) =>
    (query?: Query, options?: CallOptions) =>
      send<List<Item>>({ method: "GET", path, query }, options),
  /** All items of a list, in pages of at most `maximum`. */
  iterate: <Item, Query extends Paging>(path: string, maximum = 1_000) =>
    async function* (query?: Query, options?: CallOptions): AsyncGenerator<Item, void, undefined> {
      let position: Paging = {}
      while (true) {
        const page = { limit: maximum, ...query, ...position }
        const { data, nextCursor } = await send<List<Item>>({ method: "GET", path, query: page }, options)
        yield* data
        // The feed of events has a cursor at its end, too.
        if (nextCursor === null || data.length === 0) return
        position = { cursor: nextCursor }
      }
    },
  post:
    <Body, Created>(path: string) =>
    (body: Body, options?: CreateOptions) =>
      send<Created>({ method: "POST", path, body }, options),
  /** Without anything to say in the body. */
  postTo:
    (path: string) =>
    <Answered>(id: string, options?: CreateOptions) =>
      send<Answered>({ method: "POST", path: at(path, id), body: {} }, options),
  put:
    <Body, Changed>(path: string) =>
    (id: string, body: Body, options?: ChangeOptions) =>
      send<Changed>({ method: "PUT", path: at(path, id), body }, options),
  remove: (path: string) => (id: string, options?: ChangeOptions) =>
    send<void>({ method: "DELETE", path: at(path, id), deletes: true }, options)
})

interface Bulk<Item> {
  readonly data: ReadonlyArray<Item>
}

/** Sends nothing yet. Throws a `TypeError` if `baseUrl` is no address or `apiKey` no key. */
export const makeClient = (options: ClientOptions): SolarSitesClient => {
  const send = makeTransport(options)
  const { get, iterate, list, post, postTo, put, remove } = kindsOf(send)

  const sites: SitesClient = {
    create: post("/api/sites"),
    bulk: post("/api/sites/bulk"),
    get: get("/api/sites/:id"),
    list: list("/api/sites"),
    iterate: iterate("/api/sites"),
    update: put("/api/sites/:id"),
    delete: remove("/api/sites/:id")
  }

  const createPortfolios = post<object, Bulk<PlainPortfolio>>("/api/portfolios")
  const members = "/api/portfolios/:id/sites"

  const portfolios: PortfoliosClient = {
    create: async (portfolio, options) => {
      const { data } = await createPortfolios({ portfolios: [portfolio] }, options)
      if (data[0] === undefined) throw new TypeError("One portfolio was sent, but none was returned.")
      return data[0]
    },
    createMany: async (portfolios, options) => (await createPortfolios({ portfolios }, options)).data,
    get: get("/api/portfolios/:id"),
    list: list("/api/portfolios"),
    iterate: iterate("/api/portfolios"),
    listWithSites: list("/api/portfolios/with-sites"),
    iterateWithSites: iterate("/api/portfolios/with-sites", 100),
    update: put("/api/portfolios/:id"),
    delete: remove("/api/portfolios/:id"),
    addSites: async (id, siteIds, options) =>
      (await send<Bulk<PlainSite>>({ method: "POST", path: at(members, id), body: { siteIds } }, options)).data,
    removeSites: (id, siteIds, options) => send({ method: "DELETE", path: at(members, id), body: { siteIds } }, options)
  }

  const documents: DocumentsClient = {
    issueUploads: post("/api/docs/bulk-upload-url"),
    reissueUpload: postTo("/api/docs/:id/upload-url"),
    get: get("/api/docs/:id"),
    list: list("/api/docs"),
    iterate: iterate("/api/docs"),
    listRevisions: (id, query, options) =>
      send({ method: "GET", path: at("/api/docs/:id/revisions", id), query }, options),
    changeStatus: put("/api/docs/:id"),
    downloadUrl: get("/api/docs/:id/download-url"),
    delete: remove("/api/docs/:id")
  }

  const requirements: SolarSitesClient["requirements"] = {
    get: (options) => send({ method: "GET", path: "/api/document-requirements" }, options),
    replace: (body, options) => send({ method: "PUT", path: "/api/document-requirements", body }, options)
  }
  const events: EventsClient = { list: list("/api/events"), iterate: iterate("/api/events") }

  const deliveries = (id: string) => at("/api/webhooks/:id/deliveries", id)
  const webhooks: WebhooksClient = {
    create: post("/api/webhooks"),
    get: get("/api/webhooks/:id"),
    list: list("/api/webhooks"),
    iterate: iterate("/api/webhooks"),
    update: put("/api/webhooks/:id"),
    delete: remove("/api/webhooks/:id"),
    rotateSecret: postTo("/api/webhooks/:id/rotate-secret"),
    test: postTo("/api/webhooks/:id/test"),
    listDeliveries: (id, query, options) => list<PlainWebhookDelivery, Paging>(deliveries(id))(query, options),
    iterateDeliveries: (id, query, options) => iterate<PlainWebhookDelivery, Paging>(deliveries(id))(query, options),
    retry: (id, deliveryId, options) => postTo(`${deliveries(id)}/:id/retry`)(deliveryId, options)
  }

  const coverage: SolarSitesClient["coverage"] = {
    list: list("/api/coverage"),
    iterate: iterate("/api/coverage"),
    summary: (query, options) => send({ method: "GET", path: "/api/coverage/summary", query }, options)
  }

  return {
    sites,
    portfolios,
    documents,
    requirements,
    coverage,
    events,
    webhooks,
    uploads: { send: makeSend(documents, options.fetch) },
    me: (options) => send({ method: "GET", path: "/api/me" }, options)
  }
}
