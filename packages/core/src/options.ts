/**
 * Options and settings of adapters: checks and schemas. For the packages of Solar Sites; it
 * can change in any release.
 */
export { DurationText, PositiveDurationText } from "./input/DurationText.ts"
export { optionCheck, type Secret, secretText, secretValue } from "./input/OptionCheck.ts"
export {
  baseAddress,
  dataDirectory,
  Flag,
  httpAddress,
  httpAddressForm,
  isHttpAddress,
  isOrigin,
  textThat,
  wholeNumber
} from "./input/SettingSchemas.ts"
