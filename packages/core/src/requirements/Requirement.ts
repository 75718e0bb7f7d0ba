/**
 * Required documents of sites: one list per organisation (specification, section 11).
 */
import { Effect, Option, Schema, SchemaGetter } from "effect"
import { PortfolioId } from "../caller/PortfolioId.ts"
import { DocumentType } from "../documents/Document.ts"
import { distinctArray } from "../input/BoundedArray.ts"
import { readOnlyMembers } from "../input/ReadOnlyMembers.ts"
import { expiringDays, maximumRequirements } from "./RequirementPolicy.ts"

const { maximum, minimum } = expiringDays

const days = Schema.Int.check(
  Schema.isBetween(
    { minimum, maximum },
    { message: `must be a whole number from ${minimum} to ${maximum}`, faultCode: "out_of_range" }
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
 */
export const DocumentRequirement = Schema.Struct(members)
export type DocumentRequirement = typeof DocumentRequirement.Type

/** The list of an organisation. `version` is 0 until the list is replaced for the first time. */
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

const input = {
  documentType: members.documentType,
  validityRequired: orDefault(members.validityRequired, false),
  portfolioId: members.portfolioId.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  expiringWithinDays: orDefault(members.expiringWithinDays, expiringDays.default)
}

const subject = { documentType: input.documentType, portfolioId: input.portfolioId }

const list = distinctArray(Schema.Struct(input), {
  ...{ min: 0, max: maximumRequirements, noun: "requirement" },
  distinct: {
    part: Schema.Struct(subject),
    value: ({ documentType, portfolioId }) => `${documentType} ${portfolioId}`,
    detail: "names a document type and a portfolio that an earlier requirement names"
  }
})

/**
 * Replaces the whole list. Two requirements with the same document type and portfolio are a fault.
 * Without `requirements` nothing changes.
 */
export const ReplaceRequirements = Schema.Struct({
  ...readOnlyMembers,
  requirements: Schema.optionalKey(list)
})
export type ReplaceRequirements = typeof ReplaceRequirements.Type
