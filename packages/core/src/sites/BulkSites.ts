/**
 * Input and result of a bulk operation on sites (specification, section 14).
 */
import { Effect, Schema, type SchemaAST, SchemaParser, SchemaTransformation } from "effect"
import { distinct } from "../input/BoundedArray.ts"
import { opaqueAs, opaqueValue } from "../input/OpaqueValue.ts"
import { ExternalId } from "../persistence/ExternalId.ts"
import { CreateSite, Site, SiteId, UpdateSite } from "./Site.ts"

/**
 * Changes of the site with this external id. A new site needs the members that `CreateSite` needs.
 *
 * @category models
 * @since 0.1.0
 */
export const UpsertSite = Schema.Struct({ ...UpdateSite.fields, externalId: ExternalId })
export type UpsertSite = typeof UpsertSite.Type

const maximum = 1_000

const sitesOf = <Item extends Schema.Constraint & { readonly Type: { readonly externalId?: string | null } }>(
  item: Item
) =>
  Schema.Struct({
    sites: Schema.Array(item).check(
      distinct("is the external id of an earlier site of this request", (sites: ReadonlyArray<Item["Type"]>) =>
        sites.map(({ externalId = null }, index) => [[index, "externalId"], externalId])
      )
    )
  })

const New = sitesOf(CreateSite)
const Upserts = sitesOf(UpsertSite)

/** The length is checked before the items, as in `boundedArray`. */
const envelopeOf = <Item extends Schema.Constraint, Mode extends Schema.Constraint>(item: Item, mode: Mode) =>
  Schema.Struct({
    sites: Schema.Array(item).check(
      Schema.isMinLength(1, { message: "must hold at least 1 site", faultCode: "too_few" }),
      Schema.isMaxLength(maximum, { message: `must hold at most ${maximum} sites`, faultCode: "too_many" })
    ),
    mode,
    dryRun: Schema.optionalKey(Schema.NullOr(Schema.Boolean))
  })

const modeOf = <const Modes extends ReadonlyArray<string>>(...modes: Modes) =>
  Schema.optionalKey(Schema.NullOr(Schema.Literals(modes)))

const described = (schema: Schema.Constraint) => Schema.toEncoded(Schema.toCodecJson(schema)).ast

const Envelope = envelopeOf(opaqueAs(Schema.Union([CreateSite, UpsertSite])), modeOf("create", "upsert")).check(
  // Which schema the items have depends on the mode.
  Schema.makeFilter(() => true, {
    representation: {
      id: "@solar-sites/core/BulkSites",
      payload: null,
      schemas: [
        described(envelopeOf(CreateSite, modeOf("create"))),
        described(envelopeOf(UpsertSite, Schema.Literal("upsert")))
      ]
    },
    toJsonSchema: ({ schemas }) => ({ oneOf: schemas })
  })
)

/**
 * Sites of one mode. `create` stores new sites. `upsert` changes the site with the external id, or
 * stores a new one.
 *
 * @category models
 * @since 0.1.0
 */
export type BulkSites = { readonly dryRun: boolean } & (
  | { readonly mode: "create"; readonly sites: ReadonlyArray<CreateSite> }
  | { readonly mode: "upsert"; readonly sites: ReadonlyArray<UpsertSite> }
)

const decodeNew = SchemaParser.decodeUnknownEffect(New)
const decodeUpserts = SchemaParser.decodeUnknownEffect(Upserts)

// The items of a mode have a schema of their own, which a union of both could not name in its faults.
const decode = ({ dryRun, mode, sites }: typeof Envelope.Type, options: SchemaAST.ParseOptions) =>
  mode === "upsert"
    ? Effect.map(
        decodeUpserts({ sites }, options),
        (decoded): BulkSites => ({ mode, ...decoded, dryRun: dryRun === true })
      )
    : Effect.map(
        decodeNew({ sites }, options),
        (decoded): BulkSites => ({
          mode: "create",
          ...decoded,
          dryRun: dryRun === true
        })
      )

/**
 * 1–1,000 sites with different external ids, in the mode `create` by default. Null equals absent.
 *
 * @category models
 * @since 0.1.0
 */
export const BulkSites = Envelope.pipe(
  Schema.decodeTo(
    // The transformation checks every member.
    opaqueValue as Schema.Codec<BulkSites>,
    SchemaTransformation.transformEffect({
      decode,
      // An input is never encoded again.
      encode: (): Effect.Effect<typeof Envelope.Type> => Effect.die(new TypeError("Input of a bulk operation."))
    })
  )
)

/**
 * What became of a site of the input.
 *
 * @category models
 * @since 0.1.0
 */
export const BulkOutcome = Schema.Literals(["created", "updated", "unchanged"])
export type BulkOutcome = typeof BulkOutcome.Type

/** A site as the operation left it, or would leave it: in a dry run a new site has no id. */
const BulkSite = Schema.Struct({ ...Site.fields, id: Schema.NullOr(SiteId) })

/**
 * `data` is in the order of the input.
 *
 * @category models
 * @since 0.1.0
 */
export const BulkSitesResult = Schema.Struct({
  data: Schema.Array(Schema.Struct({ result: BulkOutcome, site: BulkSite })),
  summary: Schema.Struct({ created: Schema.Int, updated: Schema.Int, unchanged: Schema.Int }),
  dryRun: Schema.Boolean
})
export type BulkSitesResult = typeof BulkSitesResult.Type
