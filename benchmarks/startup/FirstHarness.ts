/**
 * A process that does nothing but make its first harness, and prints how many
 * milliseconds that took with all that had to be loaded for it.
 */
const started = performance.now()
const { SolarSitesHarness } = await import("@solar-sites/testing")
const harness = await SolarSitesHarness.make()
const milliseconds = performance.now() - started
await harness.dispose()
process.stdout.write(`${milliseconds}\n`)
