/**
 * Files sent to upload addresses and read from download addresses. Their contents tell documents
 * apart.
 */
import type { Answer } from "./Call.ts"
import type { Address, Organisation } from "./ModelState.ts"
import { arrive } from "./rules/DocumentRecords.ts"
import { each, firstOf, Mismatch, type TestRun, timed } from "./TestRun.ts"

const contentOf = (documentId: string, length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(Buffer.alloc(length, [...documentId].reverse().join("")))

const isRefused = ({ status }: Response) => status >= 400 && status < 500

const organisationOf = (testRun: TestRun, id: string) => firstOf(testRun).organisations.find((one) => one.id === id)

export const put = async (
  testRun: TestRun,
  { id }: Organisation,
  address: Address,
  how: "right" | "long" | "forged"
): Promise<void> => {
  const document = organisationOf(testRun, id)?.documents.get(address.documentId)
  // The files of failed and deleted documents are deleted at some time.
  if (document === undefined || document.status === "failed") return
  const length = (address.fileSize ?? 5) + (how === "long" ? 1 : 0)
  const other = firstOf(testRun).organisations.find((one) => one.id !== id && one.status === "active")
  const url = how === "forged" ? address.url.replace(id, other?.id ?? "") : address.url
  const isLate = testRun.target.now() >= address.expiresAt["@to"]
  const sent = { method: "PUT", headers: address.headers, body: contentOf(document.id, length) }
  const { at, made } = await timed(testRun, () => testRun.target.file(url, sent))
  await made.body?.cancel()
  const isTaken =
    document.status !== "pending" || isLate || how === "forged" || (how === "long" && address.fileSize !== null)
  if (isTaken !== isRefused(made) || made.status >= 500) {
    throw new Mismatch(`a file (${how}) for a document that is ${document.status} was answered ${made.status}`)
  }
  if (isTaken) return
  each(testRun, id, (one) => {
    const pending = one.documents.get(address.documentId)
    if (pending !== undefined) arrive({ organisation: one, at: { ...at } }, pending, length)
  })
}

/** Reads a file and compares it; `isThere` is false where it may be refused, too. */
const read = async (testRun: TestRun, url: string, documentId: string, isThere: boolean): Promise<void> => {
  const response = await testRun.target.file(url)
  const found = Buffer.from(await response.arrayBuffer())
  if (!isThere && isRefused(response)) return
  const owner = firstOf(testRun).organisations.find(({ documents }) => documents.has(documentId))
  const length = owner?.documents.get(documentId)?.sizeBytes ?? found.length
  const isRight = response.status === 200 && found.equals(contentOf(documentId, length))
  if (!isRight) throw new Mismatch(`the file of ${documentId} was answered ${response.status} ${found.toString()}`)
  const disposition = response.headers.get("content-disposition") ?? ""
  if (!disposition.startsWith("attachment")) throw new Mismatch(`a download is no attachment: ${disposition}`)
}

export const getFile = async (testRun: TestRun, { body }: Answer): Promise<void> => {
  const { expiresAt, url } = Object(body)
  const [documentId = ""] = /[0-9a-f-]{36}(?=\?)/.exec(url) ?? []
  const owner = firstOf(testRun).organisations.find(({ documents }) => documents.has(documentId))
  if (owner === undefined) throw new Mismatch(`a download address of no document: ${url}`)
  each(testRun, owner.id, ({ downloads }) => {
    downloads.push({ documentId, url, expiresAt: Date.parse(expiresAt) })
  })
  await read(testRun, url, documentId, true)
}

/** Reads an earlier download address. The file may be gone when the document was given up. */
export const getAgain = async (testRun: TestRun, { id }: Organisation, n: number): Promise<void> => {
  const organisation = organisationOf(testRun, id)
  const download = organisation?.downloads[n % Math.max(1, organisation.downloads.length)]
  if (organisation === undefined || download === undefined) return
  const { documentId, expiresAt, url } = download
  const status = organisation.documents.get(documentId)?.status ?? "failed"
  const isThere = ["uploaded", "approved", "completed"].includes(status) && testRun.target.now() < expiresAt - 30_000
  await read(testRun, url, documentId, isThere)
}
