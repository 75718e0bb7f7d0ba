import type { PgPorts } from "@solar-sites/adapter-postgres"
import {
  apiKeyStoreConformance,
  documentRepositoryConformance,
  eventRepositoryConformance,
  idempotencyStoreConformance,
  organisationDeletionConformance,
  organisationEventConformance,
  organisationRepositoryConformance,
  portfolioRepositoryConformance,
  recordsConformance,
  requirementRepositoryConformance,
  runConformance,
  siteRepositoryConformance,
  type TestRunner,
  webhookQueueConformance
} from "@solar-sites/testing"
import type { Layer } from "effect"
import { afterAll, beforeAll, describe, it } from "vitest"
import type { shared } from "./Databases.ts"

/** Second sequences and sets of random values run the statements of the first ones. The ordinary Postgres runs them. */
export const furtherValues = /\(random (?:records|steps) [2-9]\)/

/**
 * Cases that run the same statements as other cases, with other values: `furtherValues`, and the time zone of this process,
 * which no statement contains. They run on the ordinary Postgres. The embedded Postgres is in this process, and runs those
 * of the time zone.
 */
export const withOtherValues = new RegExp(`${furtherValues.source}|\\(in Europe/Berlin\\)`)

/**
 * Random steps of sites, portfolios, documents and coverage. The ordinary Postgres runs them with the same statements,
 * which other cases run wherever statements are sent in another way. Idempotency keys and deliveries have few other
 * cases.
 */
const randomSteps = /\b(?:sites|portfolios|documents|coverage)\b.*\(random steps \d\)/

/** Random steps of callers that are not limited to portfolios: the policies of portfolios let them pass. */
export const unlimitedSteps = new RegExp(`^(?!.* within portfolios ).*${randomSteps.source}`)

/**
 * One statement commits records of all kinds, and one per kind lists them, made of the table of kinds. Where they are sent
 * in another way, sites, documents and API keys show what concurrent and stale changes do, and how texts arrive. Cases about
 * members, references, unique values and removals run for each kind: these differ between their tables.
 */
export const furtherKinds =
  /(?:does nothing when an?|changes of an?|that (?:each )?read an?|texts of an?|lists each) (?:portfolio|file|webhook(?: delivery)?)\b(?! delivery| of one )/

/**
 * On Citus and behind pgbouncer, texts differ by how they are sent and not by the kind of record, and one case writes
 * all kinds. Cases about members, references, unique values and removals run for sites and documents, which are
 * distributed and have policies of portfolios, and for API keys, which each node has.
 */
export const furtherTables =
  /(?:member of an?(?: new)?|removes an?|externalId of an?|stores(?: and changes)? no|leaves no|lists each) (?:portfolio|file|webhook)\b/

/** The largest maximum has the statement of other maxima. The ordinary Postgres runs it ten thousand times. */
export const largestMaximum = /at most 10000 records/

/**
 * A claim passes over deliveries that another statement has locked, as a queue does. Answers of calls at once then
 * need not follow from an order. Memory and SQLite run the case; here each delivery has one claim.
 */
const inSomeOrder = /deliveries at once as in some order/

interface Choice {
  readonly breakDatabase?: () => Layer.Layer<PgPorts>
  /** Only the suites of organisations and of API keys, for `HostOrganisations`: core runs the others over memory. */
  readonly ofHost?: boolean
  /** Names of cases that do not run: the ordinary Postgres shows what they promise. */
  readonly without?: ReadonlyArray<RegExp>
}

/** The conformance suites of the ports of this package, on one database. */
export const conforms = (
  name: string,
  database: ReturnType<typeof shared>,
  skip: boolean,
  { breakDatabase, ofHost = false, without = [] }: Choice = {}
): void => {
  describe.skipIf(skip)(name, () => {
    beforeAll(() => database.open())
    afterAll(() => database.close())

    const adapter = { name, layer: database.layer, breakDatabase }
    const chosen: TestRunner = {
      describe,
      it: (title, body) => {
        if (![inSomeOrder, ...without].some((names) => names.test(title))) it(title, body)
      }
    }
    runConformance(chosen, organisationRepositoryConformance, adapter)
    runConformance(chosen, apiKeyStoreConformance, adapter)
    if (ofHost) return
    runConformance(chosen, siteRepositoryConformance, adapter)
    runConformance(chosen, portfolioRepositoryConformance, adapter)
    runConformance(chosen, requirementRepositoryConformance, adapter)
    runConformance(chosen, recordsConformance, adapter)
    runConformance(chosen, organisationDeletionConformance, adapter)
    runConformance(chosen, organisationEventConformance, adapter)
    runConformance(chosen, documentRepositoryConformance, adapter)
    runConformance(chosen, eventRepositoryConformance, adapter)
    runConformance(chosen, idempotencyStoreConformance, adapter)
    runConformance(chosen, webhookQueueConformance, adapter)
  })
}
