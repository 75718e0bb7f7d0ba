/**
 * Events as sentences, newest first, by day. Uploads of a person to a site are one line. Needs the scope `events:read`.
 */
import { Button, Stack, Text } from "@mantine/core"
import type { Event } from "@solar-sites/http-node/client"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { Failure } from "../shell/Failure.tsx"
import { NotRead } from "../shell/NotRead.tsx"
import { activityTexts as texts } from "../texts/en/activity.ts"
import { formatDate } from "../texts/formats.ts"
import classes from "./Activity.module.css"
import { ActivityGroup, ActivityRow } from "./ActivityRow.tsx"
import { daysOf } from "./entries.ts"
import { useEventNames } from "./eventNames.ts"
import { type EventFilter, eventsQuery } from "./eventQueries.ts"

interface Props {
  /** Such as `{ siteId }` for a site and its documents; `{}` for all. */
  readonly filter: EventFilter
  /** Shows only this number of lines, the newest ones. Otherwise older ones can be loaded. */
  readonly newest?: number
}

const pageSize = 50

const dayOf = ({ occurredAt }: Event): string => {
  const day = formatDate(occurredAt)
  if (day === formatDate(new Date().toISOString())) return texts.today
  return day === formatDate(new Date(Date.now() - 86_400_000).toISOString()) ? texts.yesterday : day
}

/** Sites of documents: a filename alone says little. */
const siteIdsOf = (events: ReadonlyArray<Event>): ReadonlyArray<string> => [
  ...new Set(events.flatMap(({ siteId, subject }) => (subject.type === "document" && siteId !== null ? [siteId] : [])))
]

export const ActivityList = ({ filter, newest }: Props) => {
  const query = useInfiniteQuery(eventsQuery(filter, pageSize))
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = query
  const events = useMemo(() => data?.pages.flatMap((page) => page.data) ?? [], [data])
  const isOfOne = filter.siteId !== undefined || filter.subjectId !== undefined
  const names = useEventNames(useMemo(() => (isOfOne ? [] : siteIdsOf(events)), [isOfOne, events]))
  if (data === undefined) return <NotRead height={240} error={error} onRetry={refetch} />
  if (events.length === 0) {
    return (
      <Text c="dimmed" size="sm">
        {Object.keys(filter).length === 0 ? texts.none : texts.noneFound}
      </Text>
    )
  }
  return (
    <Stack gap="md">
      {daysOf(events, dayOf, newest).map(({ day, entries }) => (
        <div key={day}>
          <div className={classes.day}>{day}</div>
          <ol className={classes.events} aria-label={day}>
            {entries.map(({ event, events }) =>
              events.length === 1 ? (
                <ActivityRow key={event.id} event={event} names={names} />
              ) : (
                <ActivityGroup key={event.id} events={events} names={names} />
              )
            )}
          </ol>
        </div>
      ))}
      {error !== null && <Failure error={error} onRetry={() => void fetchNextPage()} />}
      {newest === undefined && hasNextPage && (
        <div>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {texts.older}
          </Button>
        </div>
      )}
    </Stack>
  )
}
