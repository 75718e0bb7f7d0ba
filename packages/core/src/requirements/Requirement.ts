/**
 * Required documents of sites: one list per organisation (specification, section 11).
 */
import { Effect, Option, Schema, SchemaGetter } from "effect"
import { DocumentType } from "../documents/Document.ts"
import { boundedArray } from "../input/BoundedArray.ts"
import { readOnlyMembers } from "../input/ReadOnlyMembers.ts"
import { PortfolioId } from "../sites/PortfolioReference.ts"

/**
 * Maximum length of the list of an organisation.
 *
 * @category models
 * @since 0.1.0
 */
export const maximumRequirements = 200

const days = Schema.Int.check(
  Schema.isBetween(
    { minimum: 1, maximum: 365 },
    { message: "must be a whole number from 1 to 365", faultCode: "out_of_range" }
  )
)

const members = {
  documentType: DocumentType,
  validityRequired: Schema.Boolean,
  portfolioId: Schema.NullOr(PortfolioId),
  expiringWithinDays: days
}

/**
 * Each site of the portfolio, or each site of the organisation when `portfolioId` is null, needs a
 * current document of this type. Where both name one type, the requirement of the portfolio counts.
 * `validityRequired` demands a `validUntil`. A document is expiring from `expiringWithinDays` days
 * before its last day.
 *
 * @category models
 * @since 0.1.0
 */
export const DocumentRequirement = Schema.Struct(members)
export type DocumentRequirement = typeof DocumentRequirement.Type

/**
 * The list of an organisation. `version` is 0 until the list is replaced for the first time.
 *
 * @category models
 * @since 0.1.0
 */
export class DocumentRequirements extends Schema.Class<DocumentRequirements>("@solar-sites/core/DocumentRequirements")({
  requirements: Schema.Array(DocumentRequirement),
  version: Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
}) {}

/** Null equals absent, as everywhere in new records. */
const orDefault = <S extends Schema.Top>(schema: S, value: NonNullable<S["Type"]>) =>
  Schema.optionalKey(Schema.NullOr(schema)).pipe(
    Schema.decodeTo(Schema.toType(schema), {
      decode: SchemaGetter.transformOptional((sent: Option.Option<S["Type"] | null>) =>
        Option.some(Option.getOrElse(Option.flatMap(sent, Option.fromNullOr), () => value))
      ),
      encode: SchemaGetter.passthroughSupertype<S["Type"] | null, S["Type"]>()
    })
  )

const input = Schema.Struct({
  documentType: members.documentType,
  validityRequired: orDefault(members.validityRequired, false),
  portfolioId: members.portfolioId.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  expiringWithinDays: orDefault(members.expiringWithinDays, 30)
})

const subjectOf = ({ documentType, portfolioId }: DocumentRequirement) => `${documentType} ${portfolioId}`

const areDistinct = Schema.makeFilter(
  (requirements: ReadonlyArray<DocumentRequirement>) => {
    const seen = new Set<string>()
    return requirements.flatMap((requirement, index) => {
      const subject = subjectOf(requirement)
      if (seen.has(subject)) return [{ path: [index], issue: "duplicate" }]
      seen.add(subject)
      return []
    })
  },
  { message: "names a document type and a portfolio that an earlier requirement names", faultCode: "duplicate" }
)

/**
 * Replaces the whole list. Two requirements with the same document type and portfolio are a fault.
 * Without `requirements` nothing changes.
 *
 * @category models
 * @since 0.1.0
 */
export const ReplaceRequirements = Schema.Struct({
  ...readOnlyMembers,
  requirements: Schema.optionalKey(
    boundedArray(input, { min: 0, max: maximumRequirements, noun: "requirement" }).check(areDistinct)
  )
})
export type ReplaceRequirements = typeof ReplaceRequirements.Type
