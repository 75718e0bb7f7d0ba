/**
 * What a JSON schema cannot do to a body that fits it: bring texts to form, and
 * leave out what only the service sets.
 */
import type { SiteManager, SiteMembers } from "../common/model.ts"
import { Problem } from "../common/problems.ts"

const trimmed = (text: string): string => {
  const normal = text.normalize("NFC").trim()
  if (normal === "") throw new Problem("validation_failed")
  return normal
}

const managerOf = ({ company, email, name, phone, userId }: Partial<SiteManager> & { name: string }): SiteManager => ({
  name: trimmed(name),
  email: email == null ? null : trimmed(email),
  phone: phone == null ? null : trimmed(phone),
  company: company == null ? null : trimmed(company),
  userId: userId ?? null
})

const readOnly = ["id", "organisationId", "createdAt", "updatedAt", "version", "capacityKw", "siteCount", "sites"]

export const membersOf = (body: Partial<SiteMembers>): Partial<SiteMembers> => {
  const { address, portfolioId, siteManager, siteName, ...rest } = body
  for (const member of readOnly) Reflect.deleteProperty(rest, member)
  return {
    ...rest,
    ...(siteName === undefined ? {} : { siteName: trimmed(siteName) }),
    ...(address === undefined ? {} : { address: address === null ? null : address.normalize("NFC") }),
    ...(portfolioId === undefined ? {} : { portfolioId: portfolioId === null ? null : portfolioId.toLowerCase() }),
    ...(siteManager === undefined ? {} : { siteManager: siteManager === null ? null : managerOf(siteManager) })
  }
}

const noMembers = {
  address: null,
  latitude: null,
  longitude: null,
  portfolioId: null,
  siteManager: null,
  coverImageUrl: null
}

export const newMembers = (body: SiteMembers): SiteMembers => ({
  ...noMembers,
  siteName: body.siteName,
  capacity: body.capacity,
  unit: body.unit,
  ...membersOf(body)
})
