/**
 * Creates the first harness of a process and prints the milliseconds, loading of modules included.
 */
const started = performance.now()
const { SolarSitesHarness } = await import("@solar-sites/testing")
const harness = await SolarSitesHarness.make()
const milliseconds = performance.now() - started
await harness.dispose()
process.stdout.write(`${milliseconds}\n`)
