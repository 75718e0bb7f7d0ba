/**
 * Input and result of a bulk operation on sites (specification, section 14).
 */
import { Effect, Schema, type SchemaAST, type SchemaIssue, SchemaParser, SchemaTransformation } from "effect"
import { differentExternalIds, ExternalId } from "../ids/ExternalId.ts"
import { distinctArray } from "../input/BoundedArray.ts"
import { opaqueValue } from "../input/OpaqueValue.ts"
import { CreateSite, Site, SiteId, UpdateSite } from "./Site.ts"

/** Changes of the site with this external id. A new site needs the members that `CreateSite` needs. */
export const UpsertSite = Schema.Struct({ ...UpdateSite.fields, externalId: ExternalId })
export type UpsertSite = typeof UpsertSite.Type

type Item = Schema.Constraint & {
  readonly Type: { readonly externalId?: string | null }
  readonly DecodingServices: never
  readonly EncodingServices: never
}

const bulkOf = <Site extends Item, Mode extends Schema.Constraint>(site: Site, mode: Mode) =>
  Schema.Struct({
    sites: distinctArray(site, { max: 1_000, noun: "site", distinct: differentExternalIds("site") }),
    mode,
    dryRun: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
  })

const modeOf = <const Modes extends ReadonlyArray<string>>(...modes: Modes) =>
  Schema.optionalKey(Schema.NullOr(Schema.Literals(modes)))

const Creation = bulkOf(CreateSite, modeOf("create"))
const Upsert = bulkOf(UpsertSite, Schema.Literal("upsert"))
// Which members of a site are required is not known.
const UnknownMode = bulkOf(UpdateSite, modeOf("create", "upsert"))

const described = (schema: Schema.Constraint) => Schema.toEncoded(Schema.toCodecJson(schema)).ast

const Sent = (opaqueValue as Schema.Codec<typeof Creation.Encoded | typeof Upsert.Encoded>).check(
  // Which schema the sites have depends on the mode.
  Schema.makeFilter(() => true, {
    representation: {
      id: "@solar-sites/core/BulkSites",
      payload: null,
      schemas: [described(Creation), described(Upsert)]
    },
    toJsonSchema: ({ schemas }) => ({ oneOf: schemas })
  })
)

/**
 * Sites of one mode. `create` stores new sites. `upsert` changes the site with the external id, or
 * stores a new one.
 */
export type BulkSites = { readonly dryRun: boolean } & (
  | { readonly mode: "create"; readonly sites: ReadonlyArray<CreateSite> }
  | { readonly mode: "upsert"; readonly sites: ReadonlyArray<UpsertSite> }
)

const decodeCreation = SchemaParser.decodeUnknownEffect(Creation)
const decodeUpsert = SchemaParser.decodeUnknownEffect(Upsert)
const decodeUnknownMode = SchemaParser.decodeUnknownEffect(UnknownMode)

// A union could not name the faults of the sites. Each schema reports those of all members.
const decode = (sent: unknown, options: SchemaAST.ParseOptions): Effect.Effect<BulkSites, SchemaIssue.Issue> => {
  const { mode = null }: { readonly mode?: unknown } = Object(sent)
  if (mode === "upsert") {
    return Effect.map(decodeUpsert(sent, options), ({ dryRun, ...bulk }) => ({ ...bulk, dryRun: dryRun === true }))
  }
  if (mode === null || mode === "create") {
    return Effect.map(decodeCreation(sent, options), ({ dryRun, sites }) => ({
      mode: "create",
      sites,
      dryRun: dryRun === true
    }))
  }
  return Effect.andThen(decodeUnknownMode(sent, options), Effect.die(new TypeError("The mode is unknown.")))
}

/** 1–1,000 sites with different external ids, in the mode `create` by default. Null equals absent. */
export const BulkSites = Sent.pipe(
  Schema.decodeTo(
    // The transformation checks every member.
    opaqueValue as Schema.Codec<BulkSites>,
    SchemaTransformation.transformEffect({
      decode,
      // An input is never encoded again.
      encode: (): Effect.Effect<typeof Sent.Type> => Effect.die(new TypeError("Input of a bulk operation."))
    })
  )
)

/** Outcome for one input site. */
export const BulkOutcome = Schema.Literals(["created", "updated", "unchanged"])
export type BulkOutcome = typeof BulkOutcome.Type

/** A site as the operation left it, or would leave it: in a dry run a new site has no id. */
const BulkSite = Schema.Struct({ ...Site.fields, id: Schema.NullOr(SiteId) })

/** `data` is in the order of the input. */
export const BulkSitesResult = Schema.Struct({
  data: Schema.Array(Schema.Struct({ result: BulkOutcome, site: BulkSite })),
  summary: Schema.Struct({ created: Schema.Int, updated: Schema.Int, unchanged: Schema.Int }),
  dryRun: Schema.Boolean
})
export type BulkSitesResult = typeof BulkSitesResult.Type
