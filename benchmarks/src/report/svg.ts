/**
 * Results as SVG: one row of bars per workload, requests per second relative to the limit.
 */
import type { Run, WorkloadResults } from "./results.ts"

const layout = { left: 230, bars: 560, right: 90, bar: 14, gap: 3, title: 26, space: 14, legend: 56 }
const colours = ["#8b949e", "#57606a", "#e8a200", "#b87500", "#0969da", "#8250df", "#1a7f37", "#cf222e"]

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

const text = (x: number, y: number, content: string, more = ""): string =>
  `<text x="${x}" y="${y.toFixed(0)}" ${more}>${escaped(content)}</text>`

interface Scale {
  readonly largest: number
  readonly colourOf: ReadonlyMap<string, string>
  readonly titleOf: ReadonlyMap<string, string>
}

const { bar, bars, gap, left, space, title: titleHeight } = layout
const heightOf = ({ results }: WorkloadResults): number => titleHeight + results.length * (bar + gap) + space

const group = (workload: WorkloadResults, top: number, { colourOf, largest, titleOf }: Scale): string => {
  const rows = workload.results.map(({ contestant, perSecond, ratio }, index) => {
    const y = top + titleHeight + index * (bar + gap)
    const width = ((ratio ?? 0) / largest) * bars
    const label = `${perSecond.toFixed(0)}/s${ratio === null ? "" : ` · ${ratio.toFixed(2)}`}`
    return [
      text(left - 8, y + bar - 3, titleOf.get(contestant) ?? contestant, 'text-anchor="end"'),
      `<rect x="${left}" y="${y}" width="${width.toFixed(1)}" height="${bar}" rx="2" fill="${colourOf.get(contestant)}"/>`,
      text(left + width + 6, y + bar - 3, label)
    ].join("")
  })
  const limit = left + bars / largest
  const bottom = top + heightOf(workload) - space
  return [
    text(left, top + 16, workload.title, 'font-weight="600" font-size="14"'),
    `<line x1="${limit}" x2="${limit}" y1="${top + titleHeight - 4}" y2="${bottom}" stroke="#8b949e" stroke-dasharray="3 3"/>`,
    ...rows
  ].join("\n")
}

export const toSvg = (run: Run, headline: string): string => {
  const ratios = run.workloads.flatMap(({ results }) => results.map(({ ratio }) => ratio ?? 0))
  const scale: Scale = {
    largest: Math.max(1, ...ratios) * 1.02,
    colourOf: new Map(run.contestants.map(({ name }, index) => [name, colours[index % colours.length] ?? "black"])),
    titleOf: new Map(run.contestants.map(({ name, title }) => [name, title]))
  }
  let top = layout.legend
  const groups = run.workloads.map((workload) => {
    const drawn = group(workload, top, scale)
    top += heightOf(workload)
    return drawn
  })
  const width = left + bars + layout.right
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${top}" viewBox="0 0 ${width} ${top}" font-family="system-ui, sans-serif" font-size="12" fill="#24292f">
<rect width="100%" height="100%" fill="white"/>
${text(16, 24, "Requests per second, and how many times the limit's (dashed)", 'font-weight="600" font-size="14"')}
${text(16, 42, headline, 'font-size="11" fill="#57606a"')}
${groups.join("\n")}
</svg>
`
}
