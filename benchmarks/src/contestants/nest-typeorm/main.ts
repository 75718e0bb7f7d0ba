/**
 * Nest on Express, with TypeORM.
 */
import "reflect-metadata"
import { Module, StandardSchemaValidationPipe } from "@nestjs/common"
import { NestFactory } from "@nestjs/core"
import type { NestExpressApplication } from "@nestjs/platform-express"
import { faultsOf } from "../common/input.ts"
import { Problem } from "../common/problems.ts"
import { announce, closeOnSignal, host } from "../common/settings.ts"
import { identify, ProblemFilter, STORE } from "./access.ts"
import { AccountController, HealthController, SitesController } from "./controllers.ts"
import { makeStore, openDataSource } from "./store.ts"

const store = makeStore(await openDataSource())

@Module({
  controllers: [AccountController, HealthController, SitesController],
  providers: [{ provide: STORE, useValue: store }]
})
class AppModule {}

const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: false, forceCloseConnections: true })
app.use(identify)
// Clients here send no If-None-Match, so digests of responses are useless.
app.disable("etag")
app.disable("x-powered-by")
app.useBodyParser("json", { limit: "1mb" })
app.useGlobalPipes(
  new StandardSchemaValidationPipe({ exceptionFactory: (issues) => new Problem("validation_failed", faultsOf(issues)) })
)
app.useGlobalFilters(new ProblemFilter())

const server = await app.listen(0, host)
const address: unknown = server.address()
announce(Number(Reflect.get(Object(address), "port")))
closeOnSignal(async () => {
  await app.close()
  await store.close()
})
