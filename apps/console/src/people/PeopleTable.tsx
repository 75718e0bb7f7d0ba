/**
 * The users of the organisation.
 */
import { Badge, Group, Table, Text, VisuallyHidden } from "@mantine/core"
import { mayManage, type Person } from "../api/people.ts"
import { LimitLine } from "../portfolios/LimitLine.tsx"
import { useSession } from "../shell/session.ts"
import { peopleTexts as texts } from "../texts/en/people.ts"
import { roleTexts } from "../texts/en/roles.ts"
import { formatDate, formatInstant } from "../texts/formats.ts"
import { PersonActions } from "./PersonActions.tsx"

const PersonRow = ({ person }: { readonly person: Person }) => {
  const { user } = useSession()
  const isOwn = person.id === user.id
  // A viewer has no lower role.
  const isChangeable = isOwn ? user.role !== "viewer" : mayManage(user.role, person.role)
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {person.name}
          </Text>
          {isOwn && (
            <Badge variant="light" size="sm">
              {texts.you}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {person.email}
        </Text>
      </Table.Td>
      <Table.Td style={{ overflowWrap: "anywhere" }}>
        {roleTexts[person.role].name}
        <LimitLine limit={person.portfolioIds} />
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <Badge color={person.secondFactor ? "green" : "gray"} variant="light" size="sm">
          {person.secondFactor ? texts.on : texts.off}
        </Badge>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {person.lastLoginAt === null ? (
          <Text span inherit c="dimmed">
            {texts.noLogin}
          </Text>
        ) : (
          <time dateTime={person.lastLoginAt}>{formatInstant(person.lastLoginAt)}</time>
        )}
      </Table.Td>
      <Table.Td visibleFrom="md">{formatDate(person.createdAt)}</Table.Td>
      <Table.Td ta="end">{isChangeable && <PersonActions person={person} isOwn={isOwn} />}</Table.Td>
    </Table.Tr>
  )
}

export const PeopleTable = ({ people }: { readonly people: ReadonlyArray<Person> }) => (
  <Table aria-label={texts.table} verticalSpacing={5}>
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{texts.columns.name}</Table.Th>
        <Table.Th>{texts.columns.role}</Table.Th>
        <Table.Th visibleFrom="sm">{texts.columns.secondFactor}</Table.Th>
        <Table.Th visibleFrom="sm">{texts.columns.lastLoginAt}</Table.Th>
        <Table.Th visibleFrom="md">{texts.columns.createdAt}</Table.Th>
        <Table.Th w={48}>
          <VisuallyHidden>{texts.actionsColumn}</VisuallyHidden>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {people.map((person) => (
        <PersonRow key={person.id} person={person} />
      ))}
    </Table.Tbody>
  </Table>
)
