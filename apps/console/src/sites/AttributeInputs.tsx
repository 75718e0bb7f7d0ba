/**
 * Attributes of a site: rows of name, type and value.
 */
import { ActionIcon, Button, Group, Input, Stack, TextInput } from "@mantine/core"
import type { ReactNode } from "react"
import { IconPlus, IconTrash } from "../shell/icons.ts"
import { Select } from "../shell/Select.tsx"
import { siteFormTexts as texts } from "../texts/en/siteForm.ts"
import { type AttributeField, attributeKinds } from "./AttributeFields.ts"
import { understoodAs } from "./numberFault.ts"

interface Props {
  readonly fields: ReadonlyArray<AttributeField>
  readonly onChange: (fields: ReadonlyArray<AttributeField>) => void
  readonly error: ReactNode
}

interface RowProps {
  readonly field: AttributeField
  readonly onChange: (changes: Partial<AttributeField>) => void
  readonly onRemove: () => void
}

const kinds = attributeKinds.map((value) => ({ value, label: texts.attributeKinds[value] }))
const booleans = [
  { value: "true", label: texts.yes },
  { value: "false", label: texts.no }
]

const ValueInput = ({ field, onChange }: Omit<RowProps, "onRemove">) => {
  const label = { "aria-label": texts.attributeValue, flex: "2 1 120px" }
  if (field.kind === "boolean") {
    return (
      <Select
        {...label}
        data={booleans}
        allowDeselect={false}
        value={field.value}
        onChange={(value) => onChange({ value: value ?? "true" })}
      />
    )
  }
  return (
    <TextInput
      {...label}
      disabled={field.kind === "null"}
      inputMode={field.kind === "number" ? "decimal" : "text"}
      value={field.value}
      onChange={(event) => onChange({ value: event.currentTarget.value })}
      inputWrapperOrder={["label", "input", "description", "error"]}
      description={field.kind === "number" ? understoodAs(field.value) : undefined}
    />
  )
}

const Row = ({ field, onChange, onRemove }: RowProps) => (
  <Group gap="xs" align="flex-start" role="group" aria-label={texts.attribute(field.name)}>
    <TextInput
      aria-label={texts.attributeName}
      placeholder={texts.attributeName}
      flex="2 1 120px"
      value={field.name}
      onChange={(event) => onChange({ name: event.currentTarget.value })}
    />
    <Select
      aria-label={texts.attributeKind}
      data={kinds}
      allowDeselect={false}
      w={124}
      value={field.kind}
      onChange={(chosen) => {
        const kind = attributeKinds.find((known) => known === chosen) ?? "text"
        onChange({ kind, ...(kind === "boolean" ? { value: "true" } : kind === "null" ? { value: "" } : {}) })
      }}
    />
    <ValueInput field={field} onChange={onChange} />
    <ActionIcon variant="subtle" color="gray" aria-label={texts.removeAttribute(field.name)} onClick={onRemove}>
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  </Group>
)

export const AttributeInputs = ({ error, fields, onChange }: Props) => (
  <Stack gap="xs">
    {fields.map((field, index) => (
      <Row
        // biome-ignore lint/suspicious/noArrayIndexKey: names change while they are typed
        key={index}
        field={field}
        onChange={(changes) => onChange(fields.map((kept, at) => (at === index ? { ...kept, ...changes } : kept)))}
        onRemove={() => onChange(fields.filter((_, at) => at !== index))}
      />
    ))}
    {error !== undefined && error !== null && <Input.Error role="alert">{error}</Input.Error>}
    <div>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlus size={14} aria-hidden />}
        onClick={() => onChange([...fields, { name: "", kind: "text", value: "" }])}
      >
        {texts.addAttribute}
      </Button>
    </div>
  </Stack>
)
