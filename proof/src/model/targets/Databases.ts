/**
 * The ports of adapter-postgres for the target in this process: Postgres, PGlite, Citus.
 */
import { join } from "node:path"
import { distribute, layerPortsWith, PgClient, withMigrations } from "@solar-sites/adapter-postgres"
import * as Pglite from "@solar-sites/adapter-postgres/pglite"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { accountTables } from "../../../../apps/reference-server/src/accounts/AccountTables.ts"
import { migrations } from "../../../../apps/reference-server/src/accounts/migrations/migrations.ts"
import { askedIn, forgingProvider } from "../../../../apps/reference-server/test/accounts/identity/ForgingProvider.ts"
import { mailServer } from "../../../../apps/reference-server/test/mail/MailServer.ts"
import { temporaryFolder } from "../../../../apps/reference-server/test/SolarSitesProcess.ts"
import { startEmbedded, unlessMissing } from "../../../../packages/adapter-postgres/test/EmbeddedPostgres.ts"
import { copyEmptyDatabase } from "../../../../packages/adapter-postgres/test/EmptyDatabase.ts"
import { startPgBouncer } from "../../../../packages/adapter-postgres/test/PgBouncer.ts"
import { address, cachedHasher, consoleOf, mailsOfRequests, operatorOf, withOwners } from "./Console.ts"
import { inProcess, memory } from "./InProcess.ts"
import { instances } from "./Instances.ts"
import type { Place } from "./Target.ts"

const { migrate } = withMigrations(migrations)

const queryTimeout = "30 seconds"

const onClient = async <E1, E2>(
  client: Layer.Layer<PgClient, E1>,
  prepare: Effect.Effect<unknown, E2, PgClient>,
  close: () => Promise<void>
): Promise<Place> => {
  const scope = Scope.makeUnsafe()
  const layer = Layer.effectDiscard(prepare).pipe(
    Layer.provideMerge(layerPortsWith({ tables: accountTables })),
    Layer.provideMerge(client)
  )
  const mails = await mailServer()
  const provider = await forgingProvider(address)
  const ports = await withOwners(await Effect.runPromise(Scope.provide(Layer.build(layer), scope)))
  const hasher = await cachedHasher(scope)
  let sequences = 0
  return {
    // Another seed per sequence: ids must not repeat in one database.
    make: () =>
      inProcess(
        (inMemory) => Context.merge(inMemory, ports),
        `sequence ${sequences++}`,
        async (all, open) => {
          const merged = Context.merge(Context.merge(all, ports), hasher)
          const { length } = mails.received
          return {
            options: await consoleOf(merged, open, { issuer: provider.issuer, mailPort: mails.port }),
            ...(await operatorOf(merged, open)),
            grant: (asked, claims) => provider.grant(askedIn(asked), { claims }),
            mails: () => mailsOfRequests(mails.received.slice(length))
          }
        }
      ),
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await mails.close()
      await provider.close()
      await close()
    }
  }
}

const onServer = (
  { stop, url }: { readonly url: string; readonly stop: () => Promise<void> },
  prepare: typeof migrate | typeof onCitus,
  pooler: "session" | "transaction" = "session"
) => onClient(PgClient.layer({ url: Redacted.make(url), queryTimeout, pooler }), prepare, stop)

const onCitus = Effect.andThen(migrate, distribute)

const pglite = async (): Promise<Place> => {
  const folder = await temporaryFolder()
  const dataDir = join(folder.path, "database")
  await copyEmptyDatabase(dataDir)
  const client = Pglite.layer({ dataDir, queryTimeout })
  return onClient(client, migrate, async () => folder[Symbol.asyncDispose]())
}

/** A schema of its own on a running server, dropped at the end. */
export const onSchema = (url: string, schema: string): Promise<Place> => {
  const client = PgClient.layer({ url: Redacted.make(url), schema, queryTimeout })
  const drop = PgClient.use((pg) => pg.run({ operation: "drop", text: `drop schema ${pg.schema} cascade` }))
  return onClient(client, migrate, () => Effect.runPromise(Effect.provide(Effect.asVoid(drop), client)))
}

const pgbouncer = async (): Promise<Place | undefined> => {
  const server = await startEmbedded()
  const pooler = await unlessMissing("through pgbouncer", () => startPgBouncer(server.url))
  const stop = async () => {
    await pooler?.stop()
    await server.stop()
  }
  if (pooler === undefined) await stop()
  return pooler && onServer({ url: pooler.url, stop }, migrate, "transaction")
}

/** Undefined where programs are missing; the import of the cluster prints why. */
export const places: Readonly<Record<string, (form: "short" | "long") => Promise<Place | undefined>>> = {
  memory: async () => ({ make: memory, close: async () => {} }),
  postgres: async () => onServer(await startEmbedded(), migrate),
  pglite,
  citus: async () => {
    const { startCitus, withoutCitus } = await import("../../../../packages/adapter-postgres/test/CitusCluster.ts")
    return withoutCitus ? undefined : onServer(await startCitus(), onCitus)
  },
  pgbouncer,
  instances
}
