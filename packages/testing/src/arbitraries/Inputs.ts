/**
 * Arbitrary valid inputs of callers.
 */
import {
  CreateOrganisation,
  CreatePortfolio,
  CreateSite,
  type IssueUploads,
  OmRecordId,
  type SiteId,
  UpdateOrganisation,
  UpdatePortfolio,
  UpdateSite,
  UploadFile
} from "@solar-sites/core"
import { Arbitrary, Schema } from "effect"
import { filename, oneOf, orNull, text } from "./Choices.ts"
import { members } from "./Members.ts"
import { siteMembers } from "./Models.ts"

const name = text({ min: 1, max: 200 })
// Only the test knows an existing portfolio, and which external ids are free; it passes them as overrides.
const withoutExternalId = { externalId: Arbitrary.Constant(null) }
const unrelated = { portfolioId: Arbitrary.Constant(null), ...withoutExternalId }

/** Arbitrary inputs with fixed members. */
export type InputArbitrary<Input> = (overrides?: Partial<Input>) => Arbitrary.Arbitrary<Input>

/** Inputs of a struct in decoded form. */
const inputs = <S extends Schema.Struct<Schema.Struct.Fields> & { readonly DecodingServices: never }>(
  schema: S,
  own: Readonly<Record<string, Arbitrary.Arbitrary<unknown>>>
) => {
  const decode = Schema.decodeUnknownSync(schema)
  return (overrides: Partial<S["Type"]> = {}): Arbitrary.Arbitrary<S["Type"]> =>
    Arbitrary.map(members(schema.fields, own), (encoded) => ({ ...decode(encoded), ...overrides }))
}

/** Inputs of new sites, by default without a portfolio and an external id. */
export const createSite: InputArbitrary<CreateSite> = inputs(CreateSite, { ...siteMembers, ...unrelated })

/** Changes of any number of members, by default without a portfolio and an external id. */
export const updateSite: InputArbitrary<UpdateSite> = inputs(UpdateSite, { ...siteMembers, ...unrelated })

export const createPortfolio: InputArbitrary<CreatePortfolio> = inputs(CreatePortfolio, { name, ...withoutExternalId })

/** Inputs of one to twenty new portfolios. */
export const createPortfolios = (): Arbitrary.Arbitrary<ReadonlyArray<CreatePortfolio>> =>
  Arbitrary.array(createPortfolio(), { minLength: 1, maxLength: 20 })

export const updatePortfolio: InputArbitrary<UpdatePortfolio> = inputs(UpdatePortfolio, { name, ...withoutExternalId })

export const createOrganisation: InputArbitrary<CreateOrganisation> = inputs(CreateOrganisation, { name })

export const updateOrganisation: InputArbitrary<UpdateOrganisation> = inputs(UpdateOrganisation, { name })

const sizeOf = (maximum: number) =>
  orNull(Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum }))))
const typeOf = (types: ReadonlyArray<string>) => Arbitrary.schema(Schema.Literals(types))
// A request names only documents that exist.
const replaces = Arbitrary.Constant(null)
const covers = {
  filename,
  replaces,
  fileSize: sizeOf(20 * 1_024 * 1_024),
  mimeType: typeOf(["image/jpeg", "image/png", "image/webp"])
}
const others = {
  filename,
  replaces,
  fileSize: sizeOf(100 * 1_024 * 1_024),
  mimeType: typeOf(["application/pdf", "text/plain", "", "x/y"])
}

/** Files that the default policy accepts: documents or cover images. */
export const uploadFile = (fileType: IssueUploads["fileType"] = "documents"): Arbitrary.Arbitrary<UploadFile> =>
  inputs(UploadFile, fileType === "coverImage" ? covers : others)()

/** Upload requests for one to twenty files that the default policy accepts. */
export const issueUploads = (siteId: SiteId): Arbitrary.Arbitrary<IssueUploads> => {
  const files = (fileType: IssueUploads["fileType"]) =>
    Arbitrary.array(uploadFile(fileType), { minLength: 1, maxLength: 20 })
  const of = (fileType: "documents" | "coverImage") =>
    Arbitrary.map(files(fileType), (some): IssueUploads => ({ siteId, fileType, files: some }))
  const om = Arbitrary.map(
    Arbitrary.all({ files: files("om-documents"), record: text({ min: 1, max: 200 }) }),
    ({ files: some, record }): IssueUploads => ({
      siteId,
      fileType: "om-documents",
      omRecordId: OmRecordId.make(record),
      files: some
    })
  )
  return oneOf(of("documents"), of("coverImage"), om)
}
