/**
 * One event: a sentence, its time, and the changes to open.
 */
import { Anchor, Text, UnstyledButton } from "@mantine/core"
import type { Event } from "@solar-sites/http-node/client"
import { useState } from "react"
import { Link } from "react-router"
import {
  IconBuilding,
  IconChecklist,
  IconChevronDown,
  IconFile,
  IconKey,
  IconSolarPanel,
  IconStack2,
  IconUser,
  IconWebhook
} from "../shell/icons.ts"
import { activityTexts as texts } from "../texts/en/activity.ts"
import { formatInstant, formatTime } from "../texts/formats.ts"
import classes from "./Activity.module.css"
import { ChangesTable } from "./ChangesTable.tsx"
import type { EventNames } from "./eventNames.ts"
import { countOf, isOfService, ownCountOf, phraseOf } from "./phrases.ts"
import { subjectPath } from "./subjectPath.ts"

const icons: Readonly<Record<Event["subject"]["type"], typeof IconUser>> = {
  site: IconSolarPanel,
  portfolio: IconStack2,
  document: IconFile,
  api_key: IconKey,
  user: IconUser,
  webhook: IconWebhook,
  requirements: IconChecklist,
  organisation: IconBuilding
}

const Subject = ({ event }: { readonly event: Event }) => {
  const path = subjectPath(event)
  const name = event.subject.name ?? ""
  return path === undefined ? (
    <b>{name}</b>
  ) : (
    <Anchor component={Link} to={path} inherit fw={500}>
      {name}
    </Anchor>
  )
}

interface Props {
  readonly event: Event
  readonly names: EventNames
}

/** Follows documents: a filename alone says little. */
const SiteOf = ({ event: { siteId, subject }, names }: Props) => {
  const name = subject.type === "document" && siteId !== null ? names.siteOf(siteId) : undefined
  if (name === undefined) return null
  return (
    <>
      {" · "}
      <Anchor component={Link} to={`/sites/${siteId}`} inherit fw={500}>
        {name}
      </Anchor>
    </>
  )
}

/** A line for several events, which are listed below it. */
export const ActivityGroup = ({ events, names }: Pick<Props, "names"> & { readonly events: ReadonlyArray<Event> }) => {
  const [isOpen, setOpen] = useState(false)
  const [event] = events
  if (event === undefined) return null
  const count = isOfService(event) ? ownCountOf(event, events.length) : countOf(event, events.length)
  const Icon = icons[event.subject.type]
  return (
    <li className={classes.event}>
      <Icon size={16} stroke={1.5} aria-hidden className={classes.icon} />
      <Text size="sm" className={classes.sentence}>
        <b>{names.actorOf(event)}</b> {count}
        <SiteOf event={event} names={names} />
      </Text>
      <UnstyledButton className={classes.toggle} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {texts.showAll}
        <IconChevronDown size={14} aria-hidden className={isOpen ? classes.opened : undefined} />
      </UnstyledButton>
      <time className={classes.time} dateTime={event.occurredAt} title={formatInstant(event.occurredAt)}>
        {formatTime(event.occurredAt)}
      </time>
      {isOpen && (
        <ol className={classes.group}>
          {events.map((one) => (
            <ActivityRow key={one.id} event={one} names={names} />
          ))}
        </ol>
      )}
    </li>
  )
}

export const ActivityRow = ({ event, names }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const { after, before, withoutActor, withoutSubject } = phraseOf(event, names.portfolioOf)
  const Icon = icons[event.subject.type]
  return (
    <li className={classes.event}>
      <Icon size={16} stroke={1.5} aria-hidden className={classes.icon} />
      <Text size="sm" className={classes.sentence}>
        {withoutActor !== true && <b>{names.actorOf(event)}</b>} {before}{" "}
        {withoutSubject !== true && <Subject event={event} />} {after}
        <SiteOf event={event} names={names} />
      </Text>
      {Object.keys(event.changes).length > 0 && (
        <UnstyledButton
          className={classes.toggle}
          aria-expanded={isOpen}
          aria-label={texts.detailsOf(event)}
          onClick={() => setOpen(!isOpen)}
        >
          {texts.details}
          <IconChevronDown size={14} aria-hidden className={isOpen ? classes.opened : undefined} />
        </UnstyledButton>
      )}
      <time className={classes.time} dateTime={event.occurredAt} title={formatInstant(event.occurredAt)}>
        {formatTime(event.occurredAt)}
      </time>
      {isOpen && <ChangesTable event={event} names={names} />}
    </li>
  )
}
