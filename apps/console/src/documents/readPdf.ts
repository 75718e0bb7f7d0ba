/**
 * Reads a PDF for the browser's viewer. The result always has the type of a PDF, so that no browser
 * takes it for a page with scripts.
 */

/** Larger files are downloaded instead. */
export const maximumPdfBytes = 50 * 1_024 ** 2

// Viewers search for the signature in this part of a file.
const signature = "%PDF-"
const searchedBytes = 1_024

const isPdf = async (file: Blob): Promise<boolean> => (await file.slice(0, searchedBytes).text()).includes(signature)

/** Null for a file that is no PDF; rejects when storage does not answer with the file. */
export const readPdf = async (url: string, signal: AbortSignal): Promise<Blob | null> => {
  const response = await fetch(url, { signal, credentials: "omit", referrerPolicy: "no-referrer" })
  if (!response.ok) throw new Error(`storage has answered ${response.status}`)
  const file = await response.blob()
  return (await isPdf(file)) ? new Blob([file], { type: "application/pdf" }) : null
}
