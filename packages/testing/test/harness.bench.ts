/**
 * Prints how long a harness takes to be ready: the first one with everything
 * that has to be loaded for it, and those that follow.
 * Run with `npx -y pnpm@10 exec node --conditions=@solar-sites/source packages/testing/test/harness.bench.ts`.
 */
const count = 100
const started = performance.now()
const { SolarSitesHarness } = await import("@solar-sites/testing")
const loaded = performance.now()
const first = await SolarSitesHarness.make()
const ready = performance.now()
await first.dispose()

const times: Array<number> = []
for (let index = 0; index < count; index++) {
  const before = performance.now()
  const harness = await SolarSitesHarness.make()
  times.push(performance.now() - before)
  await harness.dispose()
}
times.sort((a, b) => a - b)

const at = (share: number) => `${(times[Math.floor(share * (count - 1))] ?? 0).toFixed(2)} ms`
console.log(`first harness   ${(ready - started).toFixed(0)} ms, of which imports ${(loaded - started).toFixed(0)} ms`)
console.log(`${count} more        median ${at(0.5)}, p95 ${at(0.95)}, slowest ${at(1)} (aim: a median under 10 ms)`)
