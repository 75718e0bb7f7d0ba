import {
  casesOn,
  modelOn,
  onCitus,
  onDatabases,
  onLimiters,
  onServers,
  type PromiseGroup,
  reasons,
  redisTest,
  serverTest
} from "./Evidence.ts"

const behind = (test: string) => serverTest(`accounts/RowLevelSecurity: a server behind row-level security > ${test}`)

export const accessPromises: ReadonlyArray<PromiseGroup> = [
  {
    title: "Keys",
    reasons: { ceph: reasons.files, redis: reasons.redis },
    promises: {
      ...casesOn(onDatabases, {
        "a key is found by its digest": "ApiKeyStore > finds an inserted key unchanged, by id and by digest",
        "an organisation has at most 100 live keys, among concurrent requests too":
          "Records > lets at most 100 records of an organisation hold in liveApiKeys, among concurrent creations and changes",
        "the last use of a key never goes back": "ApiKeyStore > keeps the latest of concurrent uses"
      }),
      "a deleted key is refused: at once here, within a second on other servers": {
        ...onDatabases("ApiKeyStore > never finds a deleted key again"),
        redis: redisTest(
          "Revocation: the loss of a key > bites at once here and within a second elsewhere, in each of 1000 races"
        )
      },
      "a deactivated organisation is refused: at once here, within a second on other servers": {
        ...onDatabases("ApiKeyStore > returns the current state of the organisation of a key"),
        redis: redisTest(
          "Revocation: the loss of a key > of all keys of an organisation takes effect when it is deactivated, until it is active again"
        )
      }
    }
  },
  {
    title: "Limits",
    reasons: { postgres: "counts nothing", citus: "counts nothing", pgbouncer: "counts nothing", ceph: reasons.files },
    promises: {
      ...casesOn(onLimiters, {
        "a key has its burst exactly, on all servers together": "allows exactly the burst with concurrent calls",
        "a refused caller is told when it may come again": "allows the next one after the reported wait, and not before"
      }),
      "no request waits for Redis, and limits hold without it": {
        embedded: "is used without Redis",
        redis: redisTest(
          "Outages: when Redis does not answer > limits in process while it is dead, and shares limits again after its return"
        )
      },
      "without Redis a deleted key is refused within ten seconds": {
        embedded: "is used by one server",
        redis: serverTest(
          "Instances: two servers on one database and one Redis > refuse a deleted key within ten seconds without Redis; the command works without it"
        )
      }
    }
  },
  {
    title: "Users of the console",
    reasons: { ceph: reasons.files, redis: reasons.redis },
    promises: {
      "a session ends at once with its logout, user, password or organisation": {
        ...onServers(
          "accounts/sessions/Sessions: sessions on * > that is there > end at once with a logout, the user, the password or the organisation"
        ),
        citus: onCitus("ends sessions of users, by each way"),
        pgbouncer: behind("ends sessions with their organisation, and purges what has ended")
      },
      "a code of a second factor is good once": {
        ...onServers(
          "accounts/second-factor/SecondFactors: second factors on * > that is there > accept each code once, also of concurrent logins"
        ),
        citus: modelOn("citus"),
        pgbouncer: behind("logs users in by password and by a second factor")
      },
      "an invitation is good once": {
        ...onServers(
          "accounts/invitations/Invitations: invitations on * > that is there > let one of several concurrent acceptances win"
        ),
        citus: modelOn("citus"),
        pgbouncer: behind("invites users, and refuses domains and logins of other organisations")
      },
      "a link for a new password is good once, and ends all sessions": {
        ...onServers(
          "accounts/login/UserLinks: links of users on * > that is there > set a new password, once, and end all sessions"
        ),
        citus: onCitus("ends sessions of users, by each way"),
        pgbouncer: behind("sets passwords by links, ends sessions, and changes addresses")
      },
      "keys end with their user, and use at most the scopes of its present role": {
        ...onServers(
          "accounts/people/UserChanges: changes of users on * > that is available > give keys the scopes of the role, and delete them with the user"
        ),
        citus: onCitus("keeps users, keys and records of organisations, with their events"),
        pgbouncer: behind("limits keys to the role of their creator, and ends them with it"),
        redis: serverTest(
          "console/Users: keys of a user on two servers with one Redis > lose scopes with the role, and end with the user: at once here, within a second there"
        )
      },
      "a user of an OpenID provider is created once, in the organisation of the domain": {
        embedded: modelOn("pglite"),
        postgres: serverTest(
          "accounts/identity/OpenIdLogins: a login by OpenID Connect > creates one user for concurrent first logins"
        ),
        citus: modelOn("citus"),
        pgbouncer: behind("creates and finds users of a provider, and links them")
      },
      "a digest is sent once, after a failure too": {
        ...onServers(
          "digest/DigestFailures: failed digests with * > are > tried again while the mail server refuses them, and sent once"
        ),
        citus: onCitus("sends a digest once, also after a failure"),
        pgbouncer: behind("sends digests, and ends them by their link")
      },
      "an import stores all rows, once, or none": {
        embedded: modelOn("pglite"),
        postgres: modelOn("postgres"),
        citus: modelOn("citus"),
        pgbouncer: modelOn("pgbouncer"),
        redis: modelOn("instances")
      }
    }
  }
]
