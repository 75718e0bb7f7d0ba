/**
 * The changed fields of an event, before and after.
 */
import { Table } from "@mantine/core"
import type { Event } from "@solar-sites/http-node/client"
import { activityTexts as texts } from "../texts/activity.ts"
import { documentTexts } from "../texts/documents.ts"
import { formatBytes, formatInstant, formatNumber } from "../texts/formats.ts"
import classes from "./Activity.module.css"
import type { EventNames } from "./eventNames.ts"

type Value = Event["changes"][string]["from"]

const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  status: documentTexts.states,
  type: documentTexts.purposes,
  documentType: documentTexts.documentTypes
}

const isInstant = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text)

const textOf = (member: string, value: Value, names: EventNames): string => {
  if (value === null) return texts.noValue
  if (typeof value === "boolean") return value ? texts.yes : texts.no
  if (typeof value === "number") return member === "sizeBytes" ? formatBytes(value) : formatNumber(value)
  if (typeof value === "string") {
    if (member === "portfolioId") return names.portfolioOf(value)
    return words[member]?.[value] ?? (isInstant(value) ? formatInstant(value) : value)
  }
  if (Array.isArray(value)) return value.map((item) => textOf(member, item, names)).join(", ")
  const lines = Object.entries(value).flatMap(([name, item]) =>
    item === null ? [] : `${texts.fieldOf(name)}: ${textOf(name, item, names)}`
  )
  return lines.join("\n")
}

export const ChangesTable = ({ event, names }: { readonly event: Event; readonly names: EventNames }) => (
  <Table layout="fixed" className={classes.changes} aria-label={texts.detailsOf(event)} withRowBorders={false}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{texts.columns.field}</Table.Th>
        <Table.Th>{texts.columns.from}</Table.Th>
        <Table.Th>{texts.columns.to}</Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {Object.entries(event.changes).map(([member, { from, to }]) => (
        <Table.Tr key={member}>
          <Table.Th scope="row">{texts.fieldOf(member)}</Table.Th>
          <Table.Td>{member === "password" ? texts.hidden : textOf(member, from, names)}</Table.Td>
          <Table.Td>{member === "password" ? texts.hidden : textOf(member, to, names)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
