/** Runs once when the server starts: here, for an organisation and a key to try it with. */
export const register = async () => {
  // In this form Next leaves the import out of what it makes for its other runtime.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { solar } = await import("./lib/solar.ts")
    const { id: organisationId } = await solar.organisations.create({ name: "Demo" })
    const { secret } = await solar.as({ organisationId }).apiKeys.create({ name: "Demo" })
    console.log(`Solar Sites is at /solar\nx-api-key: ${secret}`)
  }
}
