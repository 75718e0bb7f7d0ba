/**
 * Lighthouse on the list of sites, as a phone: slow 4G and a processor four times slower, both simulated.
 */
import lighthouse from "lighthouse"
import type { Cookies } from "./Loads.ts"

export interface Audit {
  /** Of 100. */
  readonly performance: number
  readonly accessibility: number
  /** Failed audits of accessibility, in words. */
  readonly faults: ReadonlyArray<string>
  /** Measurements that make up the performance, as `First Contentful Paint 1.2 s`. */
  readonly figures: ReadonlyArray<string>
  /** Speed of the processor, as Lighthouse has measured it: below 1,000 the machine was busy. */
  readonly speed: number
}

const metrics = [
  "first-contentful-paint",
  "largest-contentful-paint",
  "total-blocking-time",
  "cumulative-layout-shift",
  "speed-index"
]

/** `port` is that of a browser for developer tools. Only the page at `address` is read. */
export const audit = async (port: number, address: string, cookies: Cookies): Promise<Audit> => {
  const result = await lighthouse(address, {
    port,
    logLevel: "error",
    onlyCategories: ["performance", "accessibility"],
    extraHeaders: { Cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") }
  })
  if (result === undefined || result.lhr.runtimeError !== undefined) {
    throw new Error(`Lighthouse has no result: ${result?.lhr.runtimeError?.message}`)
  }
  const { audits, categories } = result.lhr
  const scoreOf = (category: string) => Math.round((categories[category]?.score ?? 0) * 100)
  const faults = (categories["accessibility"]?.auditRefs ?? [])
    .filter(({ id, weight }) => weight > 0 && audits[id]?.score === 0)
    .map(({ id }) => `${id}: ${audits[id]?.title}`)
  return {
    performance: scoreOf("performance"),
    accessibility: scoreOf("accessibility"),
    faults,
    speed: Math.round(result.lhr.environment.benchmarkIndex),
    figures: metrics.map((id) => `${audits[id]?.title} ${audits[id]?.displayValue}`)
  }
}
