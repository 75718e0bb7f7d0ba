import { adapterTest, modelOn, onCitus, type PromiseGroup, proofOn, reasons, serverTest } from "./Evidence.ts"

const roundTrip = (test: string) =>
  serverTest(`archive/Databases: an organisation that was exported, deleted and imported is the same > ${test}`)

export const servicePromises: ReadonlyArray<PromiseGroup> = [
  {
    title: "The whole service",
    reasons: {},
    promises: {
      "status, headers, problems and bodies of every operation follow the rules, and show nothing foreign": {
        embedded: modelOn("pglite"),
        postgres: modelOn("postgres"),
        citus: modelOn("citus"),
        pgbouncer: modelOn("pgbouncer"),
        ceph: proofOn("storage", "s3"),
        redis: modelOn("instances")
      },
      "a fault of a dependency crashes nothing, hangs no request and loses nothing": {
        embedded: proofOn("faults", "server"),
        postgres: proofOn("faults", "postgres"),
        citus: adapterTest(
          "faults/Citus: writers on Citus > go on while shards move, and while the worker of others is down; nothing acknowledged is lost"
        ),
        pgbouncer: "its faults are those of Postgres: connections end, or stay silent",
        ceph: proofOn("faults", "s3"),
        redis: proofOn("faults", "redis")
      }
    }
  },
  {
    title: "Operation",
    reasons: { ceph: reasons.files, redis: reasons.redis },
    promises: {
      "migrations are applied once, and can be repeated": {
        embedded: serverTest(
          "FirstStart: an embedded database > keeps its data over a restart, which prints no key, and is locked for other processes"
        ),
        postgres: serverTest(
          "ExternalDatabase: an external database > is shared by two servers that start and migrate it at once"
        ),
        citus: onCitus("has tables that a command distributes, once"),
        pgbouncer: modelOn("pgbouncer")
      },
      "acknowledged writes survive a killed server": {
        embedded: adapterTest(
          "pglite/PgliteClient: an embedded database > has every acknowledged write and its event after 2 processes were killed"
        ),
        postgres: serverTest(
          "Recovery: a server that was killed > has the event of every acknowledged change, and of no other one"
        ),
        citus: adapterTest(
          "faults/Citus: writers on Citus > go on while shards move, and while the worker of others is down; nothing acknowledged is lost"
        ),
        pgbouncer: "keeps nothing"
      },
      "writes go on after a standby was promoted, and nothing acknowledged is lost": {
        embedded: "has one process and no standby",
        postgres: adapterTest(
          "faults/Failover: a pool with two hosts > follows the primary through deaths, partitions, a switchover and a demotion, and loses nothing"
        ),
        citus: "leaves standbys of its workers to Citus itself",
        pgbouncer: adapterTest("PgBouncer: a pooler in transaction mode > is asked for its primary")
      },
      "an organisation can leave with everything in it, and comes back with the same ids": {
        embedded: roundTrip("on an embedded database"),
        postgres: serverTest(
          "archive/Archives: archives of organisations > continue after an interruption, and give the same archive again"
        ),
        citus: onCitus("exports an organisation, deletes it, and imports the same"),
        pgbouncer: roundTrip("on Postgres behind pgbouncer"),
        ceph: serverTest(
          "archive/Archives: archives of organisations > leave nothing in a bucket once the organisation is deleted"
        )
      },
      "each method of an organisation is one statement, on one shard": {
        embedded: "has no shards",
        postgres: "has no shards",
        citus: adapterTest(
          "Citus: a schema that is distributed over Citus > answers every method of an organisation on one shard, to a role that may read and write only"
        ),
        pgbouncer: adapterTest("PgBouncer: unnamed statements > run every method as such a role behind pgbouncer")
      }
    }
  }
]
