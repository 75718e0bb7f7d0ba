/**
 * Inputs of the site form.
 */
import { Fieldset, Group, Stack, Textarea, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import type { Portfolio } from "@solar-sites/http-node/client"
import { PositionPicker } from "../map/PositionPicker.tsx"
import { PortfolioSelect } from "../portfolios/PortfolioSelect.tsx"
import { Select } from "../shell/Select.tsx"
import { useIsLimited } from "../shell/session.ts"
import { TagsInput } from "../shell/TagsInput.tsx"
import { siteFormTexts as texts } from "../texts/en/siteForm.ts"
import { editableNumber } from "../texts/formats.ts"
import { readNumber } from "../texts/numbers.ts"
import { AttributeInputs } from "./AttributeInputs.tsx"
import { understoodAs } from "./numberFault.ts"
import { fieldLabels, numberFields, type SiteFields } from "./SiteFields.ts"
import { isUnit, units } from "./units.ts"

interface Props {
  readonly form: UseFormReturnType<SiteFields>
  readonly portfolios: ReadonlyArray<Portfolio>
}

/**
 * Fields with a place of their own in the form. Every other field is a text input below the
 * address.
 */
const placedFields = [
  "siteName",
  "capacity",
  "unit",
  "portfolioId",
  "externalId",
  "tags",
  "address",
  "latitude",
  "longitude",
  "siteManager",
  "attributes"
] satisfies ReadonlyArray<keyof SiteFields>

const furtherFields = Object.entries(fieldLabels).filter(([name]) => !placedFields.some((placed) => placed === name))

/** Null unless both are numbers. */
const positionOf = (fields: SiteFields) => {
  const [latitude, longitude] = [
    readNumber(fields.latitude, numberFields.latitude),
    readNumber(fields.longitude, numberFields.longitude)
  ]
  return Number.isNaN(latitude + longitude) ? null : { latitude, longitude }
}

export const SiteFormFields = ({ form, portfolios }: Props) => {
  const isLimited = useIsLimited()
  return (
    <Stack gap="sm">
      <TextInput label={fieldLabels.siteName} required data-autofocus {...form.getInputProps("siteName")} />
      <Group align="start" grow wrap="nowrap" gap="sm">
        <TextInput
          label={fieldLabels.capacity}
          required
          inputMode="decimal"
          inputWrapperOrder={["label", "input", "description", "error"]}
          {...form.getInputProps("capacity")}
          description={
            form.errors["capacity"] === undefined ? understoodAs(form.values.capacity, form.values.unit) : undefined
          }
        />
        <Select
          label={fieldLabels.unit}
          required
          allowDeselect={false}
          data={units}
          {...form.getInputProps("unit")}
          value={form.values.unit}
          onChange={(chosen) => isUnit(chosen) && form.setFieldValue("unit", chosen)}
        />
      </Group>
      <PortfolioSelect
        label={fieldLabels.portfolioId}
        placeholder={isLimited ? "" : texts.noPortfolio}
        required={isLimited}
        clearable={!isLimited}
        portfolios={portfolios}
        {...form.getInputProps("portfolioId")}
      />
      <TextInput label={fieldLabels.externalId} {...form.getInputProps("externalId")} />
      <TagsInput
        label={fieldLabels.tags}
        description={texts.tagsHint}
        acceptValueOnBlur
        {...form.getInputProps("tags")}
        value={[...form.values.tags]}
      />
      <Textarea label={fieldLabels.address} autosize minRows={2} maxRows={5} {...form.getInputProps("address")} />
      {furtherFields.map(([name, label]) => (
        <TextInput key={name} label={label} {...form.getInputProps(name)} />
      ))}
      <Group align="start" grow wrap="nowrap" gap="sm">
        <TextInput label={fieldLabels.latitude} {...form.getInputProps("latitude")} />
        <TextInput label={fieldLabels.longitude} {...form.getInputProps("longitude")} />
      </Group>
      <PositionPicker
        position={positionOf(form.values)}
        onPick={({ latitude, longitude }) =>
          form.setValues({
            latitude: editableNumber(latitude, numberFields.latitude),
            longitude: editableNumber(longitude, numberFields.longitude)
          })
        }
      />
      <Fieldset legend={fieldLabels.siteManager} variant="default">
        <Stack gap="sm">
          <TextInput label={texts.managerName} {...form.getInputProps("siteManager.name")} />
          <TextInput label={texts.managerCompany} {...form.getInputProps("siteManager.company")} />
          <TextInput label={texts.managerEmail} inputMode="email" {...form.getInputProps("siteManager.email")} />
          <TextInput label={texts.managerPhone} inputMode="tel" {...form.getInputProps("siteManager.phone")} />
        </Stack>
      </Fieldset>
      <Fieldset legend={fieldLabels.attributes} variant="default">
        <AttributeInputs
          fields={form.values.attributes}
          onChange={(attributes) => form.setFieldValue("attributes", attributes)}
          error={form.errors["attributes"]}
        />
      </Fieldset>
    </Stack>
  )
}
