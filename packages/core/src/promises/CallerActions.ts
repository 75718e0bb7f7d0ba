/**
 * The promises of one caller: each reads its input, asks the rules, and changes
 * nothing in between.
 */
import { Effect, Option, Redacted, Stream } from "effect"
import type { IssuedApiKey } from "../api-keys/ApiKey.ts"
import { ApiKeys } from "../api-keys/ApiKeys.ts"
import { type Caller, CurrentCaller } from "../caller/Caller.ts"
import { Documents } from "../documents/Documents.ts"
import type { ValidationFailed } from "../input/ValidationFailed.ts"
import { Portfolios } from "../portfolios/Portfolios.ts"
import type { SolarSitesServices } from "../SolarSitesServices.ts"
import { Sites } from "../sites/Sites.ts"
import * as Input from "./Input.ts"
import type { Runner } from "./Runner.ts"
import type {
  ApiKeyPromises,
  DocumentPromises,
  PortfolioPromises,
  SitePromises,
  SolarSitesForCaller
} from "./SolarSitesForCaller.ts"

type Actions = Pick<Runner<SolarSitesServices | CurrentCaller>, "read" | "write" | "stream">

const actingAs = (runner: Runner<SolarSitesServices>, caller: Effect.Effect<Caller, ValidationFailed>): Actions => ({
  read: (effect, options) => runner.read(Effect.provideServiceEffect(effect, CurrentCaller, caller), options),
  write: (effect, options) => runner.write(Effect.provideServiceEffect(effect, CurrentCaller, caller), options),
  stream: (stream, options) => {
    const provided = Effect.map(caller, (known) => Stream.provideService(stream, CurrentCaller, known))
    return runner.stream(Stream.unwrap(provided), options)
  }
})

const siteActions = ({ read, write }: Actions): SitePromises => ({
  create: (input, options) =>
    write(
      Effect.flatMap(Input.createSite(input), (site) => Sites.use(({ create }) => create(site))),
      options
    ),
  get: (siteId, options) =>
    read(
      Effect.flatMap(Input.siteId(siteId), (id) => Sites.use(({ get }) => get(id))),
      options
    ),
  list: (query, options) =>
    read(
      Effect.flatMap(Input.listSites(query), (conditions) => Sites.use(({ list }) => list(conditions))),
      options
    ),
  update: (siteId, changes, options) => {
    const inputs = Effect.all([Input.expectedVersions(options), Input.updateSite(changes), Input.siteId(siteId)])
    return write(
      Effect.flatMap(inputs, ([expected, members, id]) => Sites.use(({ update }) => update(id, members, expected))),
      options
    )
  },
  delete: (siteId, options) => {
    const inputs = Effect.all([Input.expectedVersions(options), Input.siteId(siteId)])
    return write(
      Effect.flatMap(inputs, ([expected, id]) => Sites.use((sites) => sites.delete(id, expected))),
      options
    )
  }
})

const portfolioActions = ({ read, stream, write }: Actions): PortfolioPromises => ({
  create: (input, options) =>
    write(
      Effect.flatMap(Input.createPortfolio(input), (portfolio) => Portfolios.use(({ create }) => create(portfolio))),
      options
    ),
  createMany: (inputs, options) =>
    write(
      Effect.flatMap(Input.createPortfolios(inputs), (all) => Portfolios.use(({ createMany }) => createMany(all))),
      options
    ),
  get: (portfolioId, options) =>
    read(
      Effect.flatMap(Input.portfolioId(portfolioId), (id) => Portfolios.use(({ get }) => get(id))),
      options
    ),
  list: (query, options) =>
    read(
      Effect.flatMap(Input.listPortfolios(query), (page) => Portfolios.use(({ list }) => list(page))),
      options
    ),
  listWithSites: (query, options) =>
    read(
      Effect.flatMap(Input.listPortfoliosWithSites(query), (page) =>
        Portfolios.use(({ listWithSites }) => listWithSites(page))
      ),
      options
    ),
  streamWithSites: (query, options) => {
    const inputs = Effect.all([Portfolios, Input.listPortfoliosWithSites(query)])
    return stream(Stream.unwrap(Effect.map(inputs, ([{ streamWithSites }, page]) => streamWithSites(page))), options)
  },
  update: (portfolioId, changes, options) => {
    const inputs = Effect.all([
      Input.expectedVersions(options),
      Input.updatePortfolio(changes),
      Input.portfolioId(portfolioId)
    ])
    return write(
      Effect.flatMap(inputs, ([expected, members, id]) =>
        Portfolios.use(({ update }) => update(id, members, expected))
      ),
      options
    )
  },
  delete: (portfolioId, options) => {
    const inputs = Effect.all([Input.expectedVersions(options), Input.portfolioId(portfolioId)])
    return write(
      Effect.flatMap(inputs, ([expected, id]) => Portfolios.use((portfolios) => portfolios.delete(id, expected))),
      options
    )
  },
  addSites: (portfolioId, siteIds, options) => {
    const inputs = Effect.all([Input.siteIds(siteIds), Input.portfolioId(portfolioId)])
    return write(
      Effect.flatMap(inputs, ([sites, id]) => Portfolios.use(({ addSites }) => addSites(id, sites))),
      options
    )
  },
  removeSites: (portfolioId, siteIds, options) => {
    const inputs = Effect.all([Input.expectedVersions(options), Input.siteIds(siteIds), Input.portfolioId(portfolioId)])
    return write(
      Effect.flatMap(inputs, ([expected, sites, id]) =>
        Portfolios.use(({ removeSites }) => removeSites(id, sites, expected))
      ),
      options
    )
  }
})

const documentActions = ({ read, write }: Actions): DocumentPromises => ({
  issueUploads: (input, options) =>
    write(
      Effect.flatMap(Input.issueUploads(input), (request) =>
        Documents.use(({ issueUploads }) => issueUploads(request))
      ),
      options
    ),
  reissueUpload: (documentId, options) =>
    write(
      Effect.flatMap(Input.documentId(documentId), (id) => Documents.use(({ reissueUpload }) => reissueUpload(id))),
      options
    ),
  get: (documentId, options) =>
    read(
      Effect.flatMap(Input.documentId(documentId), (id) => Documents.use(({ get }) => get(id))),
      options
    ),
  list: (query, options) =>
    read(
      Effect.flatMap(Input.listDocuments(query), (conditions) => Documents.use(({ list }) => list(conditions))),
      options
    ),
  changeStatus: (documentId, change, options) => {
    const inputs = Effect.all([
      Input.expectedVersions(options),
      Input.changeDocumentStatus(change),
      Input.documentId(documentId)
    ])
    return write(
      Effect.flatMap(inputs, ([expected, said, id]) =>
        Documents.use(({ changeStatus }) => changeStatus(id, said, expected))
      ),
      options
    )
  },
  downloadUrl: (documentId, options) =>
    read(
      Effect.flatMap(Input.documentId(documentId), (id) => Documents.use(({ downloadUrl }) => downloadUrl(id))),
      options
    ),
  delete: (documentId, options) => {
    const inputs = Effect.all([Input.expectedVersions(options), Input.documentId(documentId)])
    return write(
      Effect.flatMap(inputs, ([expected, id]) => Documents.use((documents) => documents.delete(id, expected))),
      options
    )
  }
})

const shown = ({ apiKey, secret }: IssuedApiKey) => ({ apiKey, secret: Redacted.value(secret) })

const apiKeyActions = ({ read, write }: Actions): ApiKeyPromises => ({
  create: (input, options) =>
    write(
      Effect.flatMap(Input.createApiKey(input), (key) =>
        Effect.map(
          ApiKeys.use(({ create }) => create(key)),
          shown
        )
      ),
      options
    ),
  get: (apiKeyId, options) =>
    read(
      Effect.flatMap(Input.apiKeyId(apiKeyId), (id) => ApiKeys.use(({ get }) => get(id))),
      options
    ),
  list: (query, options) =>
    read(
      Effect.flatMap(Input.listApiKeys(query), (page) => ApiKeys.use(({ list }) => list(page))),
      options
    ),
  delete: (apiKeyId, options) =>
    write(
      Effect.flatMap(Input.apiKeyId(apiKeyId), (id) => ApiKeys.use((apiKeys) => apiKeys.delete(id))),
      options
    ),
  rotate: (apiKeyId, options) => {
    const inputs = Effect.all([Input.rotateApiKey(options), Input.apiKeyId(apiKeyId)])
    const rotated = Effect.flatMap(inputs, ([rotation, id]) => ApiKeys.use(({ rotate }) => rotate(id, rotation)))
    return write(Effect.map(rotated, shown), options)
  },
  inUse: (options) =>
    read(
      Effect.map(
        ApiKeys.use(({ inUse }) => inUse),
        Option.getOrNull
      ),
      options
    ),
  accessInUse: (options) =>
    read(
      Effect.map(
        ApiKeys.use(({ accessInUse }) => accessInUse),
        Option.getOrNull
      ),
      options
    )
})

/** Everything the caller can do. One that cannot be a caller is told by every promise. */
export const actionsOf = (
  runner: Runner<SolarSitesServices>,
  caller: Effect.Effect<Caller, ValidationFailed>
): SolarSitesForCaller => {
  const actions = actingAs(runner, caller)
  return {
    sites: siteActions(actions),
    portfolios: portfolioActions(actions),
    documents: documentActions(actions),
    apiKeys: apiKeyActions(actions)
  }
}
