/**
 * The capacity by portfolio as bars with names and figures. Colours carry no
 * meaning of their own.
 */
import { Paper, Text, Title } from "@mantine/core"
import { formatCapacity } from "../texts/capacity.ts"
import { portfolioTexts as texts } from "../texts/en/portfolios.ts"
import type { Bar } from "./capacityBars.ts"
import classes from "./Portfolios.module.css"

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
