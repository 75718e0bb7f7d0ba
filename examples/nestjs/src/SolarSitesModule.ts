/**
 * Solar Sites as a module. Classes of the application get it by `@Inject(SolarSitesMount)`.
 */
import { type BeforeApplicationShutdown, Module, type OnApplicationShutdown } from "@nestjs/common"
import { SolarSites } from "@solar-sites/core"
import { toNodeListener } from "@solar-sites/http-node"
import { MemoryAdapters } from "@solar-sites/testing"

export class SolarSitesMount implements BeforeApplicationShutdown, OnApplicationShutdown {
  readonly solar = SolarSites.make(MemoryAdapters.layer)
  readonly #binding = toNodeListener(this.solar)
  readonly listener = this.#binding.listener
  readonly ready = this.#binding.ready

  /** Nest closes its server next, and waits there for its requests: so this does not wait. */
  beforeApplicationShutdown() {
    void this.solar.close()
  }

  /** Repeated calls return the same promise. */
  onApplicationShutdown() {
    return this.solar.close()
  }
}

@Module({ providers: [SolarSitesMount], exports: [SolarSitesMount] })
export class SolarSitesModule {}
