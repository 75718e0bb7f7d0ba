/**
 * Regular expressions of sources that `check` does not judge: those whose input is short or does not
 * come from outside.
 */

/** The expression in `file` whose spelling starts with `start`. */
export interface Exception {
  readonly file: string
  readonly start: string
  readonly reason: string
}

const address = "an address that the host configures, read once"
const cut = "a text cut to 600 characters"

export const exceptions: ReadonlyArray<Exception> = [
  {
    file: "apps/reference-server/src/accounts/identity/LoginDomains.ts",
    start: "/^([a-z0-9]([a-z0-9-]{0,61}",
    reason: "a text of at most 253 characters, in parts of at most 63"
  },
  { file: "packages/adapter-filesystem/src/FilesystemOptions.ts", start: "/\\/+$/", reason: address },
  {
    file: "packages/core/src/documents/FilePolicy.ts",
    start: "new RegExp(`^(text|application|message)",
    reason: "the names in it repeat nothing"
  },
  { file: "packages/core/src/input/Redaction.ts", start: "/\\?\\S*", reason: cut },
  { file: "packages/core/src/input/Redaction.ts", start: "/[^\\s@<>", reason: cut },
  { file: "packages/core/src/input/Redaction.ts", start: "/(signature|token", reason: cut },
  { file: "packages/core/src/input/Redaction.ts", start: "/[\\w+=-]{40,}", reason: cut },
  { file: "packages/core/src/input/SettingSchemas.ts", start: "/\\/+$/", reason: address },
  {
    file: "packages/core/src/input/Timestamp.ts",
    start: "new RegExp(rfc3339)",
    reason: "its parts have fixed lengths, except for the digits of a fraction, which no other part can match"
  },
  { file: "packages/http-node/src/client/Transport.ts", start: "/\\/+$/", reason: address },
  {
    file: "packages/http-node/src/handlers/ApiReference.ts",
    start: "/<script>",
    reason: "the page of the API reference, which the package makes itself"
  },
  {
    file: "packages/http-node/src/node/KernelQueues.ts",
    start: "/^\\s*\\d+: ",
    reason: "a table of the kernel"
  },
  {
    file: "packages/http-node/src/pipeline/Routing.ts",
    start: `new RegExp(\`^\${path`,
    reason: "each part of a path ends at a slash, which it does not match"
  }
]
