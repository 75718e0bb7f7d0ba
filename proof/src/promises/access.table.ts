import { onDatabases, onLimiters, onServers, type PromiseGroup, proofOn, reasons, serverTest } from "./Evidence.ts"

const model = (on: string) => proofOn("model", on)
const behind = (test: string) =>
  serverTest("accounts/RowLevelSecurity.integration.test", `a server behind row-level security > ${test}`)
const onCitus = (test: string) => serverTest("Citus.integration.test", `the server on Citus > ${test}`)
const onRedis = (file: string, test: string) => ({
  file: `packages/adapter-redis/test/${file}.integration.test.ts`,
  test
})

/** Promises about keys, limits and users. */
export const accessPromises: ReadonlyArray<PromiseGroup> = [
  {
    title: "Keys",
    reasons: { ceph: reasons.files, redis: reasons.redis },
    promises: [
      {
        promise: "a key is found by its digest",
        cells: onDatabases("ApiKeyStore", "finds an inserted key unchanged, by id and by digest")
      },
      {
        promise: "an organisation has at most 100 live keys, among concurrent requests too",
        cells: onDatabases(
          "Records",
          "lets at most 100 records of an organisation hold in liveApiKeys, among concurrent creations and changes"
        )
      },
      {
        promise: "the last use of a key never goes back",
        cells: onDatabases("ApiKeyStore", "keeps the latest of concurrent uses")
      },
      {
        promise: "a deleted key is refused: at once here, within a second on other servers",
        cells: {
          ...onDatabases("ApiKeyStore", "never finds a deleted key again"),
          redis: onRedis(
            "Revocation",
            "the loss of a key > bites at once here and within a second elsewhere, in each of 1000 races"
          )
        }
      },
      {
        promise: "a deactivated organisation is refused: at once here, within a second on other servers",
        cells: {
          ...onDatabases("ApiKeyStore", "returns the current state of the organisation of a key"),
          redis: onRedis(
            "Revocation",
            "the loss of a key > of all keys of an organisation takes effect when it is deactivated, until it is active again"
          )
        }
      }
    ]
  },
  {
    title: "Limits",
    reasons: { postgres: "counts nothing", citus: "counts nothing", pgbouncer: "counts nothing", ceph: reasons.files },
    promises: [
      {
        promise: "a key has its burst exactly, on all servers together",
        cells: onLimiters("allows exactly the burst with concurrent calls")
      },
      {
        promise: "a refused caller is told when it may come again",
        cells: onLimiters("allows the next one after the reported wait, and not before")
      },
      {
        promise: "no request waits for Redis, and limits hold without it",
        cells: {
          embedded: "is used without Redis",
          redis: onRedis(
            "Outages",
            "when Redis does not answer > limits in process while it is dead, and shares limits again after its return"
          )
        }
      },
      {
        promise: "without Redis a deleted key is refused within ten seconds",
        cells: {
          embedded: "is used by one server",
          redis: serverTest(
            "Instances.integration.test",
            "two servers on one database and one Redis > refuse a deleted key within ten seconds without Redis; the command works without it"
          )
        }
      }
    ]
  },
  {
    title: "Users of the console",
    reasons: { ceph: reasons.files, redis: reasons.redis },
    promises: [
      {
        promise: "a session ends at once with its logout, user, password or organisation",
        cells: {
          ...onServers(
            "accounts/sessions/Sessions.integration.test",
            "sessions on",
            "end at once with a logout, the user, the password or the organisation"
          ),
          citus: onCitus("ends sessions of users, by each way"),
          pgbouncer: behind("ends sessions with their organisation, and purges what has ended")
        }
      },
      {
        promise: "a code of a second factor is good once",
        cells: {
          ...onServers(
            "accounts/second-factor/SecondFactors.integration.test",
            "second factors on",
            "accept each code once, also of concurrent logins"
          ),
          citus: model("citus"),
          pgbouncer: behind("logs users in by password and by a second factor")
        }
      },
      {
        promise: "an invitation is good once",
        cells: {
          ...onServers(
            "accounts/invitations/Invitations.integration.test",
            "invitations on",
            "let one of several concurrent acceptances win"
          ),
          citus: model("citus"),
          pgbouncer: behind("invites users, and refuses domains and logins of other organisations")
        }
      },
      {
        promise: "a link for a new password is good once, and ends all sessions",
        cells: {
          ...onServers(
            "accounts/login/UserLinks.integration.test",
            "links of users on",
            "set a new password, once, and end all sessions"
          ),
          citus: onCitus("ends sessions of users, by each way"),
          pgbouncer: behind("sets passwords by links, ends sessions, and changes addresses")
        }
      },
      {
        promise: "keys end with their user, and use at most the scopes of its present role",
        cells: {
          ...onServers(
            "accounts/people/UserChanges.integration.test",
            "changes of users on",
            "give keys the scopes of the role, and delete them with the user",
            "that is available"
          ),
          citus: onCitus("keeps users, keys and records of organisations, with their events"),
          pgbouncer: behind("limits keys to the role of their creator, and ends them with it"),
          redis: serverTest(
            "console/Users.integration.test",
            "keys of a user on two servers with one Redis > lose scopes with the role, and end with the user: at once here, within a second there"
          )
        }
      },
      {
        promise: "a user of an OpenID provider is created once, in the organisation of the domain",
        cells: {
          embedded: model("pglite"),
          postgres: serverTest(
            "accounts/identity/OpenIdLogins.integration.test",
            "a login by OpenID Connect > creates one user for concurrent first logins"
          ),
          citus: model("citus"),
          pgbouncer: behind("creates and finds users of a provider, and links them")
        }
      },
      {
        promise: "a digest is sent once, after a failure too",
        cells: {
          ...onServers(
            "digest/DigestFailures.integration.test",
            "failed digests with",
            "tried again while the mail server refuses them, and sent once",
            "are"
          ),
          citus: onCitus("sends a digest once, also after a failure"),
          pgbouncer: behind("sends digests, and ends them by their link")
        }
      },
      {
        promise: "an import stores all rows, once, or none",
        cells: {
          embedded: model("pglite"),
          postgres: model("postgres"),
          citus: model("citus"),
          pgbouncer: model("pgbouncer"),
          redis: model("instances")
        }
      }
    ]
  }
]
