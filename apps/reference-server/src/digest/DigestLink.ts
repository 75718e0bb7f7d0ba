/**
 * Token of the link that ends the digests of a user. It names the user and is signed with the user's own key, so
 * that it is good for nothing else and ends with the user.
 */
import { createHmac, timingSafeEqual } from "node:crypto"
import { OrganisationId, UserId } from "@solar-sites/core"

interface Subject {
  readonly organisationId: OrganisationId
  readonly userId: UserId
}

const tokenBytes = 64
const tokenForm = /^[\w-]{86}$/

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll("-", ""), "hex")

const idIn = (bytes: Buffer): string =>
  bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

/** `key` in hexadecimal digits. */
const signatureOf = ({ organisationId, userId }: Subject, key: string): Buffer =>
  createHmac("sha256", Buffer.from(key, "hex")).update(`digest ${organisationId} ${userId}`).digest()

export const linkToken = (subject: Subject, key: string): string =>
  Buffer.concat([bytesOf(subject.organisationId), bytesOf(subject.userId), signatureOf(subject, key)]).toString(
    "base64url"
  )

/** The user that a token names, which it may not be signed for. Undefined for another text. */
export const subjectIn = (token: string): Subject | undefined => {
  const bytes = tokenForm.test(token) ? Buffer.from(token, "base64url") : Buffer.alloc(0)
  // The last character has bits that are not part of the token.
  if (bytes.length !== tokenBytes || bytes.toString("base64url") !== token) return undefined
  const [organisationId, userId] = [bytes.subarray(0, 16), bytes.subarray(16, 32)].map(idIn)
  return { organisationId: OrganisationId.make(organisationId ?? ""), userId: UserId.make(userId ?? "") }
}

/** True if the token is signed for its user with the key. */
export const isSigned = (token: string, subject: Subject, key: string): boolean =>
  timingSafeEqual(Buffer.from(token, "base64url").subarray(32), signatureOf(subject, key))
