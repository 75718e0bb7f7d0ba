/** The user's organisation: name, settings, use and totals. */
import { DocumentStatus, Name, OrganisationId } from "@solar-sites/core"
import { MaximumBody } from "@solar-sites/http-node/contract"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { all, bodyBytes, LeastRole, WholeOrganisation } from "./Parts.ts"

const path = "/console/organisation"

const count = Schema.Finite

const Settings = Schema.Struct({ id: OrganisationId, name: Schema.String, requireSecondFactor: Schema.Boolean })

/**
 * `documents` above 1,000,000 are 1,000,001. `bytes` is the size of the stored files of
 * `measuredDocuments`: all documents, or the first 100,000.
 */
export const Use = Schema.Struct({ documents: count, measuredDocuments: count, bytes: count })

/** `query` is the encoded query string of the list of sites, with the shown columns. */
export const SharedView = Schema.Struct({
  name: Name,
  query: Schema.String.check(Schema.isMaxLength(4_000), Schema.isPattern(/^[!-~]*$/))
})

const totals = { siteCount: count, capacityKw: count }

/**
 * `portfolios` are the largest ones with sites; `otherPortfolios` is the number of the others with
 * sites. Documents are counted by state: all, or the newest 100,000. Keys are live ones.
 */
export const Overview = Schema.Struct({
  ...totals,
  portfolios: Schema.Array(Schema.Struct({ ...totals, id: Schema.String, name: Schema.String })),
  otherPortfolios: count,
  withoutPortfolio: Schema.Struct(totals),
  documents: Schema.Record(DocumentStatus, count),
  requirements: count,
  apiKeys: count,
  users: count
})

const rename = HttpApiEndpoint.put("rename", `${path}/name`, {
  payload: Schema.Struct({ name: Name }),
  success: Settings
})

const demand = HttpApiEndpoint.put("change", path, {
  payload: Schema.Struct({ requireSecondFactor: Schema.Boolean }),
  success: Settings
})

/** The query null removes the view of this name. */
const share = HttpApiEndpoint.put("share", `${path}/views`, {
  payload: Schema.Struct({ ...SharedView.fields, query: Schema.NullOr(SharedView.fields.query) }),
  success: all(SharedView)
})

export class OrganisationApi extends HttpApiGroup.make("organisation")
  .add(
    HttpApiEndpoint.get("get", path, { success: Settings }),
    demand.annotate(LeastRole, "admin"),
    rename.annotate(LeastRole, "owner"),
    HttpApiEndpoint.get("use", `${path}/use`, { success: Use }),
    HttpApiEndpoint.get("views", `${path}/views`, { success: all(SharedView) }),
    share.annotate(LeastRole, "member")
  )
  .annotateEndpoints(WholeOrganisation, true)
  .add(
    // Counts the records that are there for the user.
    HttpApiEndpoint.get("overview", `${path}/overview`, { success: Overview })
  )
  .annotateEndpoints(MaximumBody, bodyBytes) {}
