/**
 * The keys of the organisation.
 */
import { Badge, Button, Group, Text, VisuallyHidden } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import type { ApiKey } from "../api/Console.ts"
import { type Column, DataTable } from "../lists/DataTable.tsx"
import { peopleQuery } from "../people/peopleQueries.ts"
import { LimitLine } from "../portfolios/LimitLine.tsx"
import { IconRefresh, IconTrash } from "../shell/icons.ts"
import { useSession } from "../shell/session.ts"
import { apiKeyTexts as texts } from "../texts/en/apiKeys.ts"
import { formatDate, formatInstant, formatUntil } from "../texts/formats.ts"
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
    <Group gap="xs">
      <time dateTime={expiresAt}>{formatDate(expiresAt)}</time>
      {left <= 0 ? (
        <Badge color="red" variant="light" size="sm">
          {texts.expired}
        </Badge>
      ) : (
        left < soonMillis && (
          <Badge color="orange" variant="light" size="sm">
            {formatUntil(left)}
          </Badge>
        )
      )}
    </Group>
  )
}

interface NameProps {
  readonly apiKey: ApiKey
  /** Name of the user. */
  readonly creator: string | undefined
  /** The key that has replaced this one. */
  readonly successor: ApiKey | undefined
}

/** On narrow screens with what other columns show. */
const Name = ({ apiKey, creator, successor }: NameProps) => {
  const { createdAt, lastUsedAt, name, portfolioIds, prefix, scopes } = apiKey
  const { scopes: all } = useSession()
  return (
    <>
      <Text size="sm" fw={600}>
        {name}
      </Text>
      <Text size="xs" c="dimmed" ff="monospace">
        <VisuallyHidden>{texts.prefix}</VisuallyHidden> {prefix}…
      </Text>
      <Text size="xs" c="dimmed">
        {scopes.length < all.length ? texts.scopes(scopes) : texts.allScopes}
      </Text>
      <LimitLine limit={portfolioIds} />
      {successor !== undefined && (
        <Text size="xs" c="dimmed">
          {texts.replacedBy} <code>{successor.prefix}…</code>
        </Text>
      )}
      <Text size="xs" c="dimmed" hiddenFrom="sm">
        {texts.createdAt}: {formatDate(createdAt)} {creator !== undefined && texts.createdBy(creator)}
        <br />
        {texts.lastUsedAt}: {lastUsedAt === null ? texts.never : formatInstant(lastUsedAt)}
      </Text>
    </>
  )
}

export const ApiKeyTable = ({ apiKeys, onDelete, onRotate }: ApiKeyTableProps) => {
  const { data: people = [] } = useQuery(peopleQuery)
  const { data: rotations } = useQuery(rotationsQuery)
  const creatorOf = ({ createdBy }: ApiKey) => people.find(({ id }) => id === createdBy)?.name
  const columns: ReadonlyArray<Column<ApiKey>> = [
    {
      key: "name",
      label: texts.name,
      cell: (apiKey) => (
        <Name
          apiKey={apiKey}
          creator={creatorOf(apiKey)}
          successor={apiKeys.find(({ id }) => id === rotations?.get(apiKey.id))}
        />
      )
    },
    {
      key: "created",
      label: texts.createdAt,
      wide: true,
      cell: (apiKey) => {
        const creator = creatorOf(apiKey)
        return (
          <>
            <time dateTime={apiKey.createdAt}>{formatDate(apiKey.createdAt)}</time>
            {creator !== undefined && (
              <Text size="xs" c="dimmed">
                {texts.createdBy(creator)}
              </Text>
            )}
          </>
        )
      }
    },
    {
      key: "used",
      label: texts.lastUsedAt,
      wide: true,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? texts.never : <time dateTime={lastUsedAt}>{formatInstant(lastUsedAt)}</time>
    },
    { key: "expires", label: texts.expiresAt, cell: ({ expiresAt }) => <Expiry expiresAt={expiresAt} /> }
  ]
  const actionsOf = (apiKey: ApiKey) => (
    <Group gap="xs" justify="flex-end">
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconRefresh size={14} aria-hidden />}
        aria-label={texts.rotateNamed(apiKey.name)}
        onClick={() => onRotate(apiKey)}
      >
        {texts.rotate}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTrash size={14} aria-hidden />}
        aria-label={texts.deleteNamed(apiKey.name)}
        onClick={() => onDelete(apiKey)}
      >
        {texts.delete}
      </Button>
    </Group>
  )
  return <DataTable label={texts.list} items={apiKeys} columns={columns} actionsOf={actionsOf} />
}
