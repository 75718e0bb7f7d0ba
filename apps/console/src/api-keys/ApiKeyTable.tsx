/**
 * The keys of the organisation, one per row; on narrow screens one per card.
 */
import { Badge, Button, Code, Group, Table, Text, VisuallyHidden } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { ApiKey } from "../api/Console.ts"
import { peopleQuery } from "../people/peopleQueries.ts"
import { LimitLine } from "../portfolios/LimitLine.tsx"
import { IconRefresh, IconTrash } from "../shell/icons.ts"
import { useSession } from "../shell/session.ts"
import { apiKeyTexts as texts } from "../texts/en/apiKeys.ts"
import { formatDate, formatInstant, formatUntil } from "../texts/formats.ts"
import classes from "./ApiKeyTable.module.css"
import { rotationsQuery } from "./apiKeyQueries.ts"

interface ApiKeyTableProps {
  readonly apiKeys: ReadonlyArray<ApiKey>
  readonly onRotate: (apiKey: ApiKey) => void
  readonly onDelete: (apiKey: ApiKey) => void
}

const soonMillis = 14 * 86_400_000

const Expiry = ({ expiresAt }: { readonly expiresAt: string }) => {
  const left = Date.parse(expiresAt) - Date.now()
  return (
    <Group gap="xs" wrap="nowrap">
      <time dateTime={expiresAt}>{formatDate(expiresAt)}</time>
      {left <= 0 ? (
        <Badge color="red" variant="light" size="sm" className={classes.badge}>
          {texts.expired}
        </Badge>
      ) : (
        left < soonMillis && (
          <Badge color="orange" variant="light" size="sm" className={classes.badge}>
            {formatUntil(left)}
          </Badge>
        )
      )}
    </Group>
  )
}

interface ApiKeyRowProps extends Omit<ApiKeyTableProps, "apiKeys"> {
  readonly apiKey: ApiKey
  /** Name of the user. */
  readonly creator: string | undefined
  /** The key that has replaced this one. */
  readonly successor: ApiKey | undefined
}

const ApiKeyRow = ({ apiKey, creator, onDelete, onRotate, successor }: ApiKeyRowProps) => {
  const { createdAt, expiresAt, lastUsedAt, name, portfolioIds, prefix, scopes } = apiKey
  const { scopes: all } = useSession()
  return (
    <Table.Tr role="row">
      <Table.Td role="cell" className={classes.name}>
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Code className={classes.prefix}>
          <VisuallyHidden>{texts.prefix}</VisuallyHidden> {prefix}…
        </Code>
        <Text size="xs" c="dimmed">
          {scopes.length < all.length ? texts.scopes(scopes) : texts.allScopes}
        </Text>
        <LimitLine limit={portfolioIds} />
        {successor !== undefined && (
          <Text size="xs" c="dimmed">
            {texts.replacedBy} <Code className={classes.prefix}>{successor.prefix}…</Code>
          </Text>
        )}
      </Table.Td>
      <Table.Td role="cell" data-label={texts.createdAt}>
        <div>
          <time dateTime={createdAt}>{formatDate(createdAt)}</time>
          {creator !== undefined && (
            <Text size="xs" c="dimmed">
              {texts.createdBy(creator)}
            </Text>
          )}
        </div>
      </Table.Td>
      <Table.Td role="cell" data-label={texts.lastUsedAt}>
        {lastUsedAt === null ? (
          <Text span inherit c="dimmed">
            {texts.never}
          </Text>
        ) : (
          <time dateTime={lastUsedAt}>{formatInstant(lastUsedAt)}</time>
        )}
      </Table.Td>
      <Table.Td role="cell" data-label={texts.expiresAt}>
        <Expiry expiresAt={expiresAt} />
      </Table.Td>
      <Table.Td role="cell" className={classes.actions}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          aria-label={texts.rotateNamed(name)}
          onClick={() => onRotate(apiKey)}
        >
          {texts.rotate}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden />}
          aria-label={texts.deleteNamed(name)}
          onClick={() => onDelete(apiKey)}
        >
          {texts.delete}
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}

const columns = [texts.name, texts.createdAt, texts.lastUsedAt, texts.expiresAt, texts.actions]

// Browsers take no table roles from elements that are laid out as cards, so they are written out.
export const ApiKeyTable = ({ apiKeys, ...handlers }: ApiKeyTableProps) => {
  const { data: people = [] } = useQuery(peopleQuery)
  const { data: rotations } = useQuery(rotationsQuery)
  return (
    <Table role="table" aria-label={texts.list} className={classes.table}>
      <Table.Thead role="rowgroup">
        <Table.Tr role="row">
          {columns.map((column) => (
            <Table.Th key={column} role="columnheader" scope="col">
              {column}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody role="rowgroup">
        {apiKeys.map((apiKey) => (
          <ApiKeyRow
            key={apiKey.id}
            apiKey={apiKey}
            creator={people.find(({ id }) => id === apiKey.createdBy)?.name}
            successor={apiKeys.find(({ id }) => id === rotations?.get(apiKey.id))}
            {...handlers}
          />
        ))}
      </Table.Tbody>
    </Table>
  )
}
