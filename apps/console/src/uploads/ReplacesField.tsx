/**
 * Chooses the document that a file is a new revision of. The search opens on demand.
 */
import { ActionIcon, Group, Text, UnstyledButton, VisuallyHidden } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { client } from "../api/client.ts"
import { IconX } from "../shell/icons.ts"
import { Select } from "../shell/Select.tsx"
import { uploadTexts as texts } from "../texts/en/uploads.ts"
import type { DraftTerms, UploadDraft } from "./UploadDraft.ts"
import classes from "./Uploads.module.css"

interface Props {
  readonly draft: UploadDraft
  readonly siteId: string
  readonly onChange: (changes: Pick<DraftTerms, "replaces">) => void
}

const searchMillis = 250
const shown = 20

/** Current documents of the site and the purpose of the file, by a part of their name. */
const useCandidates = (siteId: string, type: DraftTerms["purpose"], search: string) => {
  const [q] = useDebouncedValue(search.trim(), searchMillis)
  const query = { siteId, type, current: true, limit: shown, ...(q === "" ? {} : { q }) } as const
  return useQuery({
    queryKey: ["documents", siteId, "candidates", query],
    queryFn: ({ signal }) => client.documents.list(query, { signal }),
    placeholderData: keepPreviousData
  })
}

const Search = ({ draft, onChange, siteId }: Props) => {
  const [search, setSearch] = useState("")
  const { data } = useCandidates(siteId, draft.terms.purpose, search)
  const documents = data?.data ?? []
  return (
    <Select
      size="xs"
      aria-label={texts.of(texts.replaces, draft.file.name)}
      placeholder={texts.replacesSearch}
      searchable
      autoFocus
      defaultDropdownOpened
      nothingFoundMessage={texts.replacesNone}
      searchValue={search}
      onSearchChange={setSearch}
      filter={({ options }) => options}
      data={documents.map(({ filename, id }) => ({ value: id, label: filename }))}
      value={null}
      onChange={(id) => {
        const found = documents.find((document) => document.id === id)
        if (found !== undefined) onChange({ replaces: found })
      }}
    />
  )
}

export const ReplacesField = (props: Props) => {
  const [searching, setSearching] = useState(false)
  const { file, terms } = props.draft
  if (terms.replaces !== null) {
    return (
      <Group gap={4} wrap="nowrap">
        <Text size="xs" className={classes.filename}>
          {texts.replacesName(terms.replaces.filename)}
        </Text>
        <ActionIcon
          size="xs"
          variant="subtle"
          color="gray"
          aria-label={texts.replacesClear(file.name)}
          onClick={() => {
            setSearching(false)
            props.onChange({ replaces: null })
          }}
        >
          <IconX size={12} aria-hidden />
        </ActionIcon>
      </Group>
    )
  }
  return searching ? (
    <Search {...props} />
  ) : (
    <UnstyledButton className={classes.replace} onClick={() => setSearching(true)}>
      {texts.replacesChoose}
      <VisuallyHidden> {texts.by(file.name)}</VisuallyHidden>
    </UnstyledButton>
  )
}
