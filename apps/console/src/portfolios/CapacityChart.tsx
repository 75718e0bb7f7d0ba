/**
 * The capacity by portfolio as bars with names and figures. Colours carry no
 * meaning of their own.
 */
import { Paper, Text, Title } from "@mantine/core"
import type { Portfolio } from "@solar-sites/http-node/client"
import { formatCapacity } from "../texts/capacity.ts"
import { portfolioTexts as texts } from "../texts/en/portfolios.ts"
import classes from "./Portfolios.module.css"

export interface Bar {
  readonly id: string
  readonly name: string
  readonly capacityKw: number
  /** True for a bar of several portfolios or of none. */
  readonly rest: boolean
}

// Largest portfolios that have a bar of their own.
const shown = 12

/** The largest portfolios, the others together, and the sites in no portfolio. */
export const barsOf = (portfolios: ReadonlyArray<Portfolio>, outsideKw: number): ReadonlyArray<Bar> => {
  const sorted = portfolios.toSorted((a, b) => b.capacityKw - a.capacityKw)
  const kept = sorted.length <= shown ? sorted : sorted.slice(0, shown - 1)
  const others = sorted.slice(kept.length)
  const sum = others.reduce((total, { capacityKw }) => total + capacityKw, 0)
  const rest = [
    { id: "others", name: texts.chartOthers(others.length), capacityKw: sum, rest: true, there: others.length > 0 },
    { id: "outside", name: texts.chartNone, capacityKw: outsideKw, rest: true, there: outsideKw > 0 }
  ]
  return [
    ...kept.map(({ capacityKw, id, name }) => ({ id, name, capacityKw, rest: false })),
    ...rest.filter(({ there }) => there)
  ]
}

/** Empty without any capacity. */
export const CapacityBars = ({ bars }: { readonly bars: ReadonlyArray<Bar> }) => {
  const longest = Math.max(...bars.map(({ capacityKw }) => capacityKw))
  if (!(longest > 0)) return null
  return (
    <ul className={classes.bars}>
      {bars.map(({ capacityKw, id, name, rest }) => (
        <li key={id} className={classes.bar}>
          <Text size="sm" className={classes.barName} title={name}>
            {name}
          </Text>
          <div className={classes.track} aria-hidden>
            <div
              className={classes.fill}
              data-rest={rest || undefined}
              data-nothing={capacityKw === 0 || undefined}
              style={{ width: `${(capacityKw / longest) * 100}%` }}
            />
          </div>
          <Text size="sm" className={classes.number}>
            {formatCapacity(capacityKw)}
          </Text>
        </li>
      ))}
    </ul>
  )
}

export const CapacityChart = ({ bars }: { readonly bars: ReadonlyArray<Bar> }) => {
  if (!bars.some(({ capacityKw }) => capacityKw > 0)) return null
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="capacity-chart">
      <Title order={2} id="capacity-chart" mb="xs">
        {texts.chart}
      </Title>
      <CapacityBars bars={bars} />
      <Text size="xs" c="dimmed" mt="xs">
        {texts.chartHint}
      </Text>
    </Paper>
  )
}
