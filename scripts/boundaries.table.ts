/**
 * Allowed imports: `docs/architecture.md` as a table. The first row whose `files` matches a source
 * applies; a source without a row is a fault.
 */

/**
 * `may` lists the allowed modules (`*` at the end matches any rest), `within` the folders of
 * relative imports. With `across` relative imports may leave the package.
 */
export interface Zone {
  readonly files: RegExp
  readonly may: ReadonlyArray<string>
  readonly within?: ReadonlyArray<string>
  readonly across?: true
  readonly why: string
}

const core = ["effect", "@solar-sites/core", "@solar-sites/core/model", "@solar-sites/core/options"]
const ownNode = "core needs nothing but the root of effect; node:crypto is for secrets and ids alone"
const adapter = "an adapter stands on core and on its own driver"

export const zones: ReadonlyArray<Zone> = [
  {
    files: /^packages\/core\/src\/(api-keys\/ApiKeySecret|ids\/IdGenerator|webhooks\/WebhookSigning)\.ts$/,
    may: ["effect", "node:crypto"],
    why: ownNode
  },
  { files: /^packages\/core\/src\//, may: ["effect"], why: ownNode },
  {
    files: /^packages\/adapter-postgres\/src\/pglite\//,
    may: [...core, "postgres", "@electric-sql/pglite*", "node:*"],
    why: adapter
  },
  {
    files: /^packages\/adapter-postgres\/src\//,
    may: [...core, "postgres", "node:*"],
    why: `${adapter}; PGlite is optional and belongs under pglite/`
  },
  {
    files: /^packages\/adapter-filesystem\/src\//,
    may: [...core, "effect/http", "node:*"],
    why: `${adapter}, here the file system`
  },
  {
    files: /^packages\/adapter-s3\/src\/(SignatureV4|SnsMessages)\.ts$/,
    may: [...core, "node:crypto"],
    why: `${adapter}; node:crypto is for signatures alone`
  },
  {
    files: /^packages\/adapter-s3\/src\//,
    may: [...core, "@aws-sdk/*", "@smithy/*"],
    why: adapter
  },
  {
    files: /^packages\/adapter-redis\/src\//,
    may: [...core, "ioredis"],
    why: adapter
  },
  {
    files: /^packages\/http-node\/src\/contract\//,
    may: ["effect", "effect/http", "effect/http-api", "@solar-sites/core/model"],
    within: ["packages/http-node/src/contract/"],
    why: "the contract runs in a browser: models and the HTTP schema, no server"
  },
  {
    files: /^packages\/http-node\/src\/client\//,
    may: ["effect", "@solar-sites/core/model"],
    within: ["packages/http-node/src/client/", "packages/http-node/src/contract/"],
    why: "the client runs in a browser: the contract and the models, no server"
  },
  {
    files: /^packages\/http-node\/src\/webhooks\//,
    may: [...core, "ipaddr.js", "node:*"],
    within: ["packages/http-node/src/webhooks/"],
    why: "the webhook sender stands on core, Node and ranges of addresses, so that its entry loads no server"
  },
  {
    files: /^packages\/http-node\/src\//,
    may: [...core, "effect/http*", "effect/net", "effect/observability/*", "@effect/platform-node*", "node:*"],
    why: "the HTTP binding stands on core and on Effect's HTTP, addresses and metrics"
  },
  {
    files: /^packages\/testing\/src\/harness\//,
    may: [...core, "effect/*", "node:assert*", "@solar-sites/http-node"],
    why: "the harness stands on core and http-node, never on a test runner"
  },
  {
    files: /^packages\/testing\/src\//,
    may: [...core, "effect/*", "node:assert*", "node:crypto", "node:util"],
    why: "testing stands on core, never on a test runner; http-node is for the harness alone"
  },
  {
    files: /^apps\/console\/src\/api\/ask\.ts$/,
    may: [],
    across: true,
    why: "the requests of the console have the types of the server's contract, and load nothing of it"
  },
  {
    files: /^apps\/console\/src\//,
    may: [
      "react",
      "react-dom/client",
      "react-router*",
      "@mantine/*",
      "@tabler/icons-react*",
      "@tanstack/react-query",
      "leaflet*",
      "qrcode.react",
      "topojson-*",
      "world-atlas/*",
      "@solar-sites/core/model",
      "@solar-sites/http-node/client"
    ],
    why: "the console runs in a browser: components, the models and the client, nothing of Node or of the server"
  },
  {
    files: /^apps\/reference-server\/src\/import\//,
    may: [...core, "effect/*", "csv-parse", "saxes", "yauzl", "node:*"],
    within: ["apps/reference-server/src/import/", "apps/reference-server/src/Failure.ts"],
    why: "the import stands on core and on its readers of files, so that command line and console share it"
  },
  {
    files: /^apps\/[^/]+\/src\//,
    may: [
      ...core,
      "effect/*",
      "@effect/platform-node*",
      "@solar-sites/adapter-*",
      "@solar-sites/http-node*",
      "@electric-sql/pglite",
      "@node-rs/argon2",
      "@zxcvbn-ts/*",
      "openid-client",
      "nodemailer",
      "tar-stream",
      "node:*"
    ],
    why: "an application composes the packages; testing is for tests"
  },
  {
    files:
      /^apps\/reference-server\/test\/(Citus\.integration\.test|Imports\.test|Pooler|Prepared|archive\/SiteFieldProgram)\.ts$|^docs\/test\/Data\.test\.ts$/,
    may: ["*"],
    across: true,
    why: "the tests use the databases that the tests of the adapter make, and imports that fail as those of http-node"
  },
  {
    files: /^packages\/adapter-postgres\/test\/(PgCommitTexts|Rules\.integration)\.test\.ts$/,
    may: ["*"],
    across: true,
    why: "the promises of core's commands run on memory and on Postgres, and belong to no adapter"
  },
  {
    files: /^apps\/console\/test\/(prepareOrganisations|(api\/people|texts\/mails)\.test)\.ts$/,
    may: ["*"],
    across: true,
    why: "the tests prepare organisations as the tests of the server do, and compare roles and mails with those of the server"
  },
  {
    files: /^(proof|benchmarks|scripts\/rehearsal)\//,
    may: ["*"],
    across: true,
    why: "proofs, benchmarks and the rehearsal of a release start what the tests of the packages start"
  },
  {
    files: /^examples\//,
    may: ["*"],
    why: "an example is an application of somebody else"
  },
  {
    files: /^(packages|apps)\/[^/]+\/(test\/|[^/]+\.ts$)|^docs\/|^scripts\/|^[^/]+\.ts$/,
    may: ["*"],
    why: "tests and tools use what they need"
  }
]

/** A slice of core may import earlier levels only. */
export const coreSlices: ReadonlyArray<ReadonlyArray<string>> = [
  ["input", "tracing"],
  ["ids", "lists", "repositories", "versions"],
  ["organisations"],
  ["caller"],
  ["events"],
  ["records", "operators"],
  ["storage"],
  ["sites"],
  ["api-keys"],
  ["portfolios", "documents"],
  ["webhooks"],
  ["requirements"],
  [
    "HostFunctions.ts",
    "HostOrganisations.ts",
    "Operations.ts",
    "OrganisationRemoval.ts",
    "Ports.ts",
    "ReachedPorts.ts",
    "RecordKinds.ts"
  ],
  ["SolarSitesServices.ts"],
  ["Adapters.ts"],
  ["promises"],
  ["SolarSites.ts"],
  ["model.ts", "options.ts"],
  ["index.ts"]
]

/** Entry points for browsers: no module that they reach imports a module of Node. */
export const browserSafe: ReadonlyArray<string> = [
  "packages/core/src/model.ts",
  "packages/http-node/src/contract/index.ts",
  "packages/http-node/src/client/index.ts"
]

/** Text that certain files must not contain. */
export const forbidden: ReadonlyArray<{ readonly files: RegExp; readonly text: RegExp; readonly why: string }> = [
  {
    // A case of a conformance suite sets the time zone of its process.
    files: /^packages\/(?!testing\/src\/conformance\/TimeZone\.ts)[^/]+\/src\//,
    text: /Date\.now\(|Math\.random\(|process\.env/,
    why: "nothing is ambient: time from Clock, ids from IdGenerator, settings from Config"
  },
  {
    files: /^packages\/adapter-postgres\/src\//,
    text: /\.(begin|reserve)\(/,
    why: "one port method is one statement; the driver's transactions are not safe"
  },
  {
    files: /^(packages\/http-node|apps\/reference-server)\/src\//,
    text: /import (?!type\b)[^"]*"node:http"/,
    why: 'an import of node:http reads all its exports, which loads Node\'s fetch (14 MB): process.getBuiltinModule("node:http")'
  },
  {
    files: /^apps\/console\/src\/api\/ask\.ts$/,
    text: /import (?!type\b)[^"]*"\.\.\/\.\.\//,
    why: "schemas of the contract are kilobytes that no page needs: import types"
  },
  { files: /(?:)/, text: /sk_live_[A-Za-z0-9]{10,}/, why: "a key is made at run time, never written down" },
  { files: /(^|\/)package\.json$/, text: /"packageManager"/, why: "pnpm would try to switch to that version" }
]

/** Maximum number of lines of a TypeScript file. */
export const maximumLines = 250
