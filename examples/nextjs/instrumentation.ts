/** Runs once when the server starts: creates an organisation and a key for a first request. */
export const register = async () => {
  // In this form Next leaves the import out of the bundle of its other runtime.
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { solar } = await import("./lib/solar.ts")
    const { id: organisationId } = await solar.organisations.create({ name: "Demo" })
    const { secret } = await solar.as({ organisationId }).apiKeys.create({ name: "Demo" })
    console.log(`Solar Sites is at /solar\nx-api-key: ${secret}`)
  }
}
