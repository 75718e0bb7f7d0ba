/**
 * Progress: a bar on a terminal, occasional lines elsewhere.
 */

const width = 30

export interface Progress {
  readonly tell: (done: number, of: number, what: string) => void
  readonly clear: () => void
}

export const makeProgress = (): Progress => {
  const { stderr } = process
  let lastWhat = ""
  let began = { at: performance.now(), of: 0 }
  return {
    tell: (done, of, what) => {
      if (of !== began.of) began = { at: performance.now(), of }
      const share = of === 0 ? 0 : done / of
      const elapsed = (performance.now() - began.at) / 1_000
      const left = share > 0.02 && share < 1 ? `, about ${Math.ceil((elapsed / share - elapsed) / 60)} min left` : ""
      if (stderr.isTTY) {
        const bar = "█".repeat(Math.floor(share * width)).padEnd(width, "░")
        stderr.write(`\r\u001b[K${bar} ${Math.floor(share * 100)} %${left}  ${what}`)
      } else if (what !== lastWhat) {
        stderr.write(`${Math.floor(share * 100)} %${left}  ${what}\n`)
      }
      lastWhat = what
    },
    clear: () => {
      if (stderr.isTTY) stderr.write("\r\u001b[K")
    }
  }
}
