/** The API keys of the organisation, under the company profile. */
export const apiKeyTexts = {
  title: "API keys",
  description: "Programs use a key to read and change what belongs to your organisation."
}
