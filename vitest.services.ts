/**
 * Services of a test run that several projects use. Vitest sets projects up one after the other
 * before all tests, and loads the modules of each set-up anew.
 */
interface Service {
  readonly stop: () => Promise<void>
}

export interface SharedService<Running extends Service> {
  /** Starts the service for the first project. */
  readonly use: () => Promise<Running | undefined>
  /** Stops the service after the last project. */
  readonly release: () => Promise<void>
}

/** The service of a run. The caller keeps it in a global variable. */
export const shareService = <Running extends Service>(
  start: () => Promise<Running | undefined>
): SharedService<Running> => {
  let running: Promise<Running | undefined> | undefined
  let users = 0
  return {
    use: () => {
      users += 1
      running ??= start()
      return running
    },
    release: async () => {
      users -= 1
      if (users > 0) return
      const service = await running
      running = undefined
      await service?.stop()
    }
  }
}
