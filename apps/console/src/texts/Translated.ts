/**
 * The type of a catalogue in another language: the compiler finds texts that are missing or
 * superfluous, and functions with other arguments.
 */
export type Translated<Text> = Text extends string
  ? string
  : Text extends (...values: infer Values) => infer Result
    ? (...values: Values) => Translated<Result>
    : { readonly [Name in keyof Text]: Translated<Text[Name]> }
