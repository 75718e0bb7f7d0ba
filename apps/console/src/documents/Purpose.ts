/**
 * Types of documents that can be uploaded here; reports come from host code only.
 */
import type { Document } from "@solar-sites/http-node/client"
import { documentTexts } from "../texts/en/documents.ts"

export type Purpose = Exclude<Document["type"], "report">

export const purposes: ReadonlyArray<Purpose> = ["documents", "om-documents", "coverImage"]

export const isPurpose = (text: string | null): text is Purpose => purposes.some((purpose) => purpose === text)

export const isDocumentType = (text: string | null): text is NonNullable<Document["documentType"]> =>
  text !== null && Object.hasOwn(documentTexts.documentTypes, text)
