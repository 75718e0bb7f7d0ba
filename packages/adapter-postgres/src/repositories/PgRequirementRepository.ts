/**
 * Keeps requirements in the tables `requirement_list` and `requirement`.
 */
import {
  type ChangeOptions,
  type DocumentRequirement,
  DocumentRequirements,
  type OrganisationId,
  OrganisationNotFound,
  type PortfolioId,
  PortfoliosNotFound,
  RepositoryError,
  RequirementRepository,
  VersionMismatch
} from "@solar-sites/core"
import { Array as Arr, Effect, Layer } from "effect"
import { violates } from "../client/PgErrors.ts"
import { PgClient } from "../PgClient.ts"
import { instant, isExpected, toMilliseconds, versionsParameter } from "../tables/SqlValues.ts"
import { makeCoverage } from "./PgCoverage.ts"
import { originFrom, originParameters, writeEvents, writtenTypes } from "./PgEventLog.ts"
import { reading, writing } from "./PgJsonStatement.ts"

const retries = 10

const columns = ["document_type", "portfolio_id", "validity_required", "expiring_within_days"]

const requirements = (rows: string) => `(
  select coalesce(json_agg(json_build_object(
    'documentType', r.document_type, 'validityRequired', r.validity_required,
    'portfolioId', r.portfolio_id, 'expiringWithinDays', r.expiring_within_days
  ) order by r.position), '[]')
  from ${rows} r
)`

/** SQL of the event about a change of the list: the names of its rows before and after. */
export const requirementsEvent = (before: string, after: string) =>
  ({
    type: "requirements.updated",
    origin: "o",
    subjectId: "$1::uuid",
    subjectName: "null::text",
    siteId: "null::uuid",
    changes: `json_build_object(
      'requirements', json_build_object('from', ${requirements(before)}, 'to', ${requirements(after)})
    )::text`
  }) as const

interface Stored {
  readonly version: number
  readonly requirements: ReadonlyArray<DocumentRequirement>
}

interface Replaced {
  readonly version: number
  readonly expected: boolean
  readonly missing: ReadonlyArray<PortfolioId> | null
  readonly equal: boolean
  readonly written: boolean
}

const statements = (client: PgClient["Service"]) => {
  const { schema } = client
  const list = (rows: string) =>
    `(select jsonb_agg(jsonb_build_array(${columns.join(", ")}) order by position) from ${rows})`

  return {
    find: reading<Stored>(
      client,
      "RequirementRepository.find",
      `select json_build_object(
         'version', l.version,
         'requirements', ${requirements(`(select * from ${schema}.requirement where organisation_id = $1::uuid)`)}
       )::text
       from ${schema}.requirement_list l where l.organisation_id = $1::uuid`
    ),

    // Locks the portfolios in ascending order of id, then the list, as the deletion of a portfolio
    // does. Nothing is written when the list has another version than the one that this statement
    // sees: the entries to remove are those of its snapshot.
    replace: writing<Replaced>(
      client,
      "RequirementRepository.replace",
      `with input as materialized (
         select * from jsonb_to_recordset($2::text::jsonb) as i (
           position integer, document_type text, portfolio_id uuid, validity_required boolean,
           expiring_within_days integer
         )
       ), locked_portfolios as materialized (
         select p.id from ${schema}.portfolio p
         where p.organisation_id = $1::uuid and p.id in (select portfolio_id from input)
         order by p.id
         for key share
       ), stored as materialized (
         select coalesce(max(l.version), 0) as version from ${schema}.requirement_list l
         where l.organisation_id = $1::uuid
       ), before as materialized (
         select r.position, ${columns.map((column) => `r.${column}`).join(", ")} from ${schema}.requirement r
         where r.organisation_id = $1::uuid
       ), checked as materialized (
         select s.version, ${isExpected("s.version", "$4")} as expected,
                ${list("input")} is not distinct from ${list("before")} as equal,
                (select json_agg(i.portfolio_id order by i.position) from input i
                 where i.portfolio_id is not null and i.portfolio_id not in (select id from locked_portfolios)
                ) as missing
         from stored s
       ), written as (
         insert into ${schema}.requirement_list as l (organisation_id, version, updated_at)
         select $1::uuid, c.version + 1, ${instant("$3")} from checked c
         where c.missing is null and c.expected and not c.equal
         on conflict (organisation_id) do update set version = excluded.version, updated_at = excluded.updated_at
         where l.version + 1 = excluded.version
         returning l.version
       ), removed as (
         delete from ${schema}.requirement r where r.organisation_id = $1::uuid and exists (select from written)
         returning r.position
       ), inserted as (
         insert into ${schema}.requirement (organisation_id, position, ${columns.join(", ")})
         select $1::uuid, i.position, ${columns.map((column) => `i.${column}`).join(", ")}
         from input i
         where exists (select from written) and (select count(*) from removed) >= 0
         returning position
       ), ${writeEvents(schema, {
         from: `written cross join (select count(*) from inserted) n cross join ${originFrom("$5", "o")}`,
         ...requirementsEvent("before", "input")
       })}
       select json_build_object(
         'version', c.version, 'expected', c.expected, 'missing', c.missing, 'equal', c.equal,
         'written', exists (select from written)
       )::text, ${writtenTypes}
       from checked c`
    )
  }
}

const overtaken = new RepositoryError({
  operation: "RequirementRepository.replace",
  retryable: true,
  cause: new Error("the list was changed meanwhile")
})

export const layer: Layer.Layer<RequirementRepository, never, PgClient> = Layer.effect(
  RequirementRepository,
  Effect.gen(function* () {
    const client = yield* PgClient
    const sql = statements(client)
    const originOf = yield* originParameters

    const find = (organisationId: OrganisationId) =>
      Effect.map(
        sql.find(organisationId),
        (stored) => new DocumentRequirements(stored ?? { requirements: [], version: 0 }, { disableChecks: true })
      )

    const replaceOnce = Effect.fnUntraced(function* (
      organisationId: OrganisationId,
      requirements: ReadonlyArray<DocumentRequirement>,
      { at, expectedVersions }: ChangeOptions
    ) {
      const input = JSON.stringify(
        requirements.map((requirement, position) => ({
          position,
          document_type: requirement.documentType,
          portfolio_id: requirement.portfolioId,
          validity_required: requirement.validityRequired,
          expiring_within_days: requirement.expiringWithinDays
        }))
      )
      const versions = versionsParameter(expectedVersions)
      const origin = yield* originOf(organisationId)
      const answer = yield* sql.replace(organisationId, input, toMilliseconds(at), versions, origin)
      if (answer === null) return yield* Effect.die(new Error("RequirementRepository.replace gave no row."))
      const { equal, expected, missing, version, written } = answer
      const portfolioIds = [...new Set(missing)]
      if (Arr.isArrayNonEmpty(portfolioIds)) return yield* new PortfoliosNotFound({ portfolioIds })
      if (!expected) return yield* new VersionMismatch({ actual: version })
      if (!equal && !written) return yield* overtaken
      return new DocumentRequirements({ requirements, version: equal ? version : version + 1 })
    })

    return RequirementRepository.of({
      ...makeCoverage(client),
      find,
      replace: (organisationId, ...list) =>
        replaceOnce(organisationId, ...list).pipe(
          Effect.retry({ while: (failure) => failure === overtaken, times: retries }),
          Effect.mapError((error) =>
            error._tag === "RepositoryError" && violates("requirement_list_organisation")(error)
              ? new OrganisationNotFound({ organisationId })
              : error
          )
        )
    })
  })
)
