/**
 * The folder as a whole: the `DocumentStorage` that signs addresses and the
 * `StorageServer` that serves them, over the same files and the same secret.
 *
 * @since 0.1.0
 */
import { join, resolve } from "node:path"
import { DocumentStorage, RandomBytes, type StorageError } from "@solar-sites/core"
import { Clock, Config, Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { attemptBounded, storageError } from "./FileFailure.ts"
import { makeDocumentStorage } from "./FilesystemDocumentStorage.ts"
import { openFolder } from "./Folder.ts"
import { hostSecret, secretIn } from "./Secret.ts"
import { makeStorageServer, StorageServer } from "./serving/StorageServer.ts"

// No upload that is under way has been silent for so long.
const leftoverAge = Duration.hours(1)

/**
 * `publicUrl` is the base of addresses, such as `https://solar.example.com`; as
 * a function or an effect it may become known after the layer is built. `secret`
 * (at least 32 bytes) is needed when several machines serve one folder that they
 * do not share the secret file of; by default it is made in the folder, with
 * mode 600. `maximumFileBytes` holds for every upload, whatever its address
 * allows. `corsOrigins` are the origins whose pages may use the addresses.
 *
 * @category models
 * @since 0.1.0
 */
export interface FilesystemOptions {
  readonly directory: string
  readonly publicUrl: string | (() => string) | Effect.Effect<string>
  readonly secret?: Redacted.Redacted<string>
  readonly maximumFileBytes?: number
  readonly corsOrigins?: ReadonlyArray<string>
}

const operation = "DocumentStorage.layer"

const isAddress = (text: string): boolean => /^https?:\/\/[^/?#]+[^?#]*$/.test(text) && URL.canParse(text)

const kindOf = (given: unknown): string => {
  if (given === "") return "an empty text"
  if (typeof given === "string") return "another text"
  return given === null ? "null" : typeof given
}

/** What a host without types has left out, or mistaken, in one sentence. */
const refuse = (option: string, needed: string, given: unknown): Effect.Effect<never, StorageError> => {
  const sentence = `${option} of the file storage must be ${needed}; it is ${kindOf(given)}`
  return Effect.fail(storageError(operation, new TypeError(sentence)))
}

const publicUrlOf = (publicUrl: FilesystemOptions["publicUrl"]): Effect.Effect<Effect.Effect<string>, StorageError> => {
  const withoutSlash = (url: string) => url.replace(/\/+$/, "")
  const isKnownLater = typeof publicUrl === "function" || Effect.isEffect(publicUrl)
  if (!isKnownLater) {
    return typeof publicUrl === "string" && isAddress(publicUrl)
      ? Effect.succeed(Effect.succeed(withoutSlash(publicUrl)))
      : refuse("publicUrl", 'an http or https address, such as "https://solar.example.com"', publicUrl)
  }
  const known = Effect.isEffect(publicUrl) ? publicUrl : Effect.sync(publicUrl)
  return Effect.succeed(Effect.map(known, withoutSlash))
}

const open = Effect.fnUntraced(function* (options: FilesystemOptions) {
  if (typeof options.directory !== "string" || options.directory === "") {
    return yield* refuse("directory", 'the path of a folder, such as "./data/files"', options.directory)
  }
  const directory = resolve(options.directory)
  const randomBytes = yield* RandomBytes
  const now = yield* Clock.currentTimeMillis
  const folder = yield* attemptBounded(operation, () =>
    openFolder(directory, {
      leftoversBefore: now - Duration.toMillis(leftoverAge),
      nextName: () => Buffer.from(randomBytes(16)).toString("hex")
    })
  )
  const given = options.secret
  const secret = yield* attemptBounded(operation, async () =>
    given === undefined ? secretIn(directory, folder, randomBytes) : hostSecret(Redacted.value(given))
  )
  return { folder, secret }
})

/**
 * Opens the folder, making it where it is missing. Several processes may work on
 * one folder at once.
 *
 * @category layers
 * @since 0.1.0
 */
export const layer = (options: FilesystemOptions): Layer.Layer<DocumentStorage | StorageServer, StorageError> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const publicUrl = yield* publicUrlOf(options.publicUrl)
      const { folder, secret } = yield* open(options)
      const { corsOrigins = [], maximumFileBytes = Number.MAX_SAFE_INTEGER } = options
      const scope = yield* Effect.scope
      return Context.make(DocumentStorage, makeDocumentStorage({ folder, secret, publicUrl })).pipe(
        Context.add(StorageServer, makeStorageServer({ folder, secret, maximumFileBytes, corsOrigins, scope }))
      )
    })
  )

/**
 * Reads `DATA_DIR` (default `./data`; files go to `files` in it), `PUBLIC_URL`
 * and, optionally, `CORS_ORIGINS` (comma-separated) from the environment.
 *
 * @category layers
 * @since 0.1.0
 */
export const layerConfig: Layer.Layer<DocumentStorage | StorageServer, StorageError | Config.ConfigError> =
  Layer.unwrap(
    Effect.gen(function* () {
      const dataDirectory = yield* Config.String("DATA_DIR").pipe(Config.withDefault("./data"))
      const publicUrl = yield* Config.String("PUBLIC_URL")
      const origins = Option.getOrElse(yield* Config.option(Config.String("CORS_ORIGINS")), () => "")
      return layer({
        directory: join(dataDirectory, "files"),
        publicUrl,
        corsOrigins: origins.split(",").flatMap((origin) => origin.trim() || [])
      })
    })
  )
