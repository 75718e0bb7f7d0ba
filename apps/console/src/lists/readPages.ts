/**
 * Reads a list to its end, page by page.
 */
interface Page<Item> {
  readonly data: ReadonlyArray<Item>
  readonly nextCursor: string | null
}

interface Options<Item> {
  /** Undefined for the first page. */
  readonly from: string | undefined
  /** After an abort no further page is read. */
  readonly signal: AbortSignal
  /** Called with each page, and with the cursor of the next one. */
  readonly onPage: (items: ReadonlyArray<Item>, nextCursor: string | null) => void
}

/** A failure leaves the pages before it with `onPage`, so a later call goes on from their last cursor. */
export const readPages = async <Item>(
  readPage: (cursor: string | undefined) => Promise<Page<Item>>,
  { from, onPage, signal }: Options<Item>
): Promise<void> => {
  let cursor = from
  while (!signal.aborted) {
    const { data, nextCursor } = await readPage(cursor)
    if (signal.aborted) return
    onPage(data, nextCursor)
    if (nextCursor === null) return
    cursor = nextCursor
  }
}
