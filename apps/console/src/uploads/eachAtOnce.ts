/**
 * Runs an action for each item, three at a time. The first failure rejects.
 */
const atOnce = 3

export const eachAtOnce = async <Item>(
  items: ReadonlyArray<Item>,
  act: (item: Item) => Promise<void>
): Promise<void> => {
  const left = [...items]
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await act(next)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}
