/**
 * The application itself.
 */
import { Controller, Get, Inject, Module } from "@nestjs/common"
import { SolarSitesModule, SolarSitesMount } from "./SolarSitesModule.ts"

@Controller()
class HostController {
  @Inject(SolarSitesMount)
  private readonly mount!: SolarSitesMount

  @Get("hello")
  hello() {
    return "Hello from the host."
  }

  @Get("customers")
  async customers() {
    const { data } = await this.mount.solar.organisations.list()
    return data.map(({ name }) => name)
  }
}

@Module({ imports: [SolarSitesModule], controllers: [HostController] })
export class HostModule {}
