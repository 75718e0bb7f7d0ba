/**
 * The fields of a site. What is wrong with them only the server says.
 */
import { Fieldset, Group, NumberInput, type NumberInputProps, Select, Stack, Textarea, TextInput } from "@mantine/core"
import type { UseFormReturnType } from "@mantine/form"
import type { Portfolio } from "@solar-sites/http-node/client"
import { PositionPicker } from "../map/PositionPicker.tsx"
import { PortfolioSelect } from "../portfolios/PortfolioSelect.tsx"
import { siteFormTexts as texts } from "../texts/siteForm.ts"
import { isUnit, type SiteFields, units } from "./SiteFields.ts"

interface Props {
  readonly form: UseFormReturnType<SiteFields>
  readonly portfolios: ReadonlyArray<Portfolio>
}

// Whoever types a decimal comma means one; nothing is rounded, which would be a change that nobody has made.
const decimal = {
  hideControls: true,
  inputMode: "decimal",
  allowedDecimalSeparators: [",", "."]
} satisfies NumberInputProps

export const SiteFormFields = ({ form, portfolios }: Props) => {
  const { latitude, longitude, unit } = form.values
  return (
    <Stack gap="sm">
      <TextInput label={texts.siteName} required data-autofocus {...form.getInputProps("siteName")} />
      <Group align="start" grow wrap="nowrap" gap="sm">
        <NumberInput label={texts.capacity} required {...decimal} {...form.getInputProps("capacity")} />
        <Select
          label={texts.unit}
          required
          allowDeselect={false}
          data={units}
          {...form.getInputProps("unit")}
          value={unit}
          onChange={(chosen) => isUnit(chosen) && form.setFieldValue("unit", chosen)}
        />
      </Group>
      <PortfolioSelect
        label={texts.portfolio}
        placeholder={texts.noPortfolio}
        clearable
        portfolios={portfolios}
        {...form.getInputProps("portfolioId")}
      />
      <Textarea label={texts.address} autosize minRows={2} maxRows={5} {...form.getInputProps("address")} />
      <Group align="start" grow wrap="nowrap" gap="sm">
        <NumberInput label={texts.latitude} {...decimal} {...form.getInputProps("latitude")} />
        <NumberInput label={texts.longitude} {...decimal} {...form.getInputProps("longitude")} />
      </Group>
      <PositionPicker
        position={typeof latitude === "number" && typeof longitude === "number" ? { latitude, longitude } : null}
        onPick={(position) => form.setValues(position)}
      />
      <Fieldset legend={texts.manager} variant="default">
        <Stack gap="sm">
          <TextInput label={texts.managerName} {...form.getInputProps("siteManager.name")} />
          <TextInput label={texts.managerCompany} {...form.getInputProps("siteManager.company")} />
          <TextInput label={texts.managerEmail} inputMode="email" {...form.getInputProps("siteManager.email")} />
          <TextInput label={texts.managerPhone} inputMode="tel" {...form.getInputProps("siteManager.phone")} />
        </Stack>
      </Fieldset>
    </Stack>
  )
}
