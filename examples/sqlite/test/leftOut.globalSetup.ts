/** Says what the configuration of this project leaves out, and how it is run. */
export default (): void =>
  console.log(`sqlite: the longest case of the kit is left out; vitest run --project sqlite -t "at most 10000" runs it`)
