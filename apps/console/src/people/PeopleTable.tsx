/**
 * The users of the organisation.
 */
import { Badge, Group, Text } from "@mantine/core"
import { mayManage, type Person } from "../api/people.ts"
import { type Column, DataTable } from "../lists/DataTable.tsx"
import { useSession } from "../shell/session.ts"
import { peopleTexts as texts } from "../texts/en/people.ts"
import { formatDate, formatInstant } from "../texts/formats.ts"
import { PersonActions } from "./PersonActions.tsx"
import { roleColumn } from "./roleColumn.tsx"

const columnsFor = (ownId: string): ReadonlyArray<Column<Person>> => [
  {
    key: "name",
    label: texts.columns.name,
    cell: ({ email, id, name }) => (
      <>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {name}
          </Text>
          {id === ownId && (
            <Badge variant="light" size="sm">
              {texts.you}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {email}
        </Text>
      </>
    )
  },
  roleColumn,
  {
    key: "secondFactor",
    label: texts.columns.secondFactor,
    wide: true,
    cell: ({ secondFactor }) => (
      <Badge color={secondFactor ? "green" : "gray"} variant="light" size="sm">
        {secondFactor ? texts.on : texts.off}
      </Badge>
    )
  },
  {
    key: "lastLoginAt",
    label: texts.columns.lastLoginAt,
    wide: true,
    cell: ({ lastLoginAt }) =>
      lastLoginAt === null ? texts.noLogin : <time dateTime={lastLoginAt}>{formatInstant(lastLoginAt)}</time>
  },
  { key: "createdAt", label: texts.columns.createdAt, wide: true, cell: ({ createdAt }) => formatDate(createdAt) }
]

export const PeopleTable = ({ people }: { readonly people: ReadonlyArray<Person> }) => {
  const { user } = useSession()
  // A viewer has no lower role.
  const isChangeable = ({ id, role }: Person) => (id === user.id ? user.role !== "viewer" : mayManage(user.role, role))
  return (
    <DataTable
      label={texts.table}
      items={people}
      columns={columnsFor(user.id)}
      actionsOf={(person) => isChangeable(person) && <PersonActions person={person} isOwn={person.id === user.id} />}
    />
  )
}
