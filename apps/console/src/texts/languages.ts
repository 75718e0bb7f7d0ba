/**
 * Languages with a catalogue, a folder each. The first one is for browsers of other languages.
 */
export const languages = ["en", "de"] as const
