/**
 * The changed fields of an event, before and after.
 */
import { Table } from "@mantine/core"
import type { Event } from "@solar-sites/http-node/client"
import { activityTexts as texts } from "../texts/en/activity.ts"
import classes from "./Activity.module.css"
import type { EventNames } from "./eventNames.ts"
import { fieldOf } from "./phrases.ts"
import { valueText } from "./valueText.ts"

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
          <Table.Th scope="row">{fieldOf(member)}</Table.Th>
          <Table.Td>{member === "password" ? texts.hidden : valueText(member, from, names.portfolioOf)}</Table.Td>
          <Table.Td>{member === "password" ? texts.hidden : valueText(member, to, names.portfolioOf)}</Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
)
