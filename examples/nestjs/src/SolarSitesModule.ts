/**
 * Solar Sites as a module: what is mounted, and what the application's own
 * classes may ask for by `@Inject(SolarSitesMount)`.
 */
import { Module, type OnApplicationShutdown } from "@nestjs/common"
import { SolarSites } from "@solar-sites/core"
import { toNodeListener } from "@solar-sites/http-node"
import { MemoryAdapters } from "@solar-sites/testing"

export class SolarSitesMount implements OnApplicationShutdown {
  readonly solar = SolarSites.make(MemoryAdapters.layer)
  readonly #binding = toNodeListener(this.solar.layer)
  readonly listener = this.#binding.listener
  readonly ready = this.#binding.ready

  /** Nest has closed its server by now. */
  async onApplicationShutdown() {
    await this.#binding.close()
    await this.solar.dispose()
  }
}

@Module({ providers: [SolarSitesMount], exports: [SolarSitesMount] })
export class SolarSitesModule {}
