/**
 * What the tray says about an upload that did not arrive.
 */
import { faultText, reasonText } from "../api/failures.ts"
import { uploadTexts as texts } from "../texts/en/uploads.ts"
import type { UploadFault } from "./Upload.ts"

interface Browser {
  /** Origin of the console, which mostly stores the files too. */
  readonly origin: string
  readonly isOnline: boolean
}

export const uploadFaultText = ({ code, detail, origin }: UploadFault, browser: Browser): string => {
  if (code === "document_failed") return texts.documentFailed(reasonText(detail))
  if (detail !== "") return texts.code(code, faultText({ code, detail }))
  if (code === "timed_out") return texts.tooSlow
  return origin === undefined || origin === browser.origin || !browser.isOnline
    ? texts.noConnection
    : texts.noStorage(origin)
}
