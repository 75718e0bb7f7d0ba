/**
 * Solar Sites as a module: what is mounted, and what the application's own
 * classes may ask for by `@Inject(SolarSitesMount)`.
 */
import { type BeforeApplicationShutdown, Module, type OnApplicationShutdown } from "@nestjs/common"
import { SolarSites } from "@solar-sites/core"
import { toNodeListener } from "@solar-sites/http-node"
import { MemoryAdapters } from "@solar-sites/testing"

export class SolarSitesMount implements BeforeApplicationShutdown, OnApplicationShutdown {
  readonly solar = SolarSites.make(MemoryAdapters.layer)
  readonly #binding = toNodeListener(this.solar.layer)
  readonly listener = this.#binding.listener
  readonly ready = this.#binding.ready

  #closed: Promise<void> | undefined

  /** Nest closes its server next, and waits there for what is under way. */
  beforeApplicationShutdown() {
    this.#closed = this.#binding.close()
  }

  async onApplicationShutdown() {
    await this.#closed
    await this.solar.dispose()
  }
}

@Module({ providers: [SolarSitesMount], exports: [SolarSitesMount] })
export class SolarSitesModule {}
