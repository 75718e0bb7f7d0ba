/**
 * Members of a document as text.
 */
import type { Document } from "@solar-sites/http-node/client"
import { documentTexts as texts } from "../texts/en/documents.ts"
import { formatBytes, formatDay } from "../texts/formats.ts"

/** Such as `Site document · Insurance`. */
export const kindOf = ({ documentType, type }: Document): string =>
  [texts.purposes[type], documentType === null ? "" : texts.documentTypes[documentType]].filter(Boolean).join(" · ")

export const sizeOf = ({ sizeBytes }: Document): string => (sizeBytes === null ? "" : formatBytes(sizeBytes))

/** Empty without validity. */
export const validityOf = ({ validFrom, validUntil }: Document): string => {
  if (validFrom !== null && validUntil !== null) return texts.validBetween(formatDay(validFrom), formatDay(validUntil))
  if (validFrom !== null) return texts.validFromDay(formatDay(validFrom))
  return validUntil === null ? "" : texts.validUntilDay(formatDay(validUntil))
}
