/**
 * Refuses new passwords that attackers try first: 49,000 common ones, and those made of them, of
 * repetitions, sequences, rows of keys, and names of the user and the organisation.
 */
import { Duration, Effect, Exit, Redacted } from "effect"
import { type Password, PasswordRefused } from "./Password.ts"

// Bounds the time of the estimate to about 20 ms. A password with a weak beginning is refused.
const estimatedCharacters = 32
/** Least accepted score of 0 to 4: from here an attacker needs 10^8 guesses. */
const leastScore = 3

const refused = new PasswordRefused({
  reason: "must not be easy to guess: it is a common password, or made of common words, sequences or names"
})

// Loaded on demand: the dictionary takes 30 MB. A failure, as one without descriptors, is not kept.
const estimator = Effect.cachedWithTTL(
  Effect.promise(async () => {
    const [{ ZxcvbnFactory }, { adjacencyGraphs, dictionary }] = await Promise.all([
      import("@zxcvbn-ts/core"),
      import("@zxcvbn-ts/language-common")
    ])
    return new ZxcvbnFactory({ dictionary: { passwords: dictionary["passwords-common"] }, graphs: adjacencyGraphs })
  }),
  (exit) => (Exit.isSuccess(exit) ? Duration.infinity : 0)
)

const wordsOf = (names: ReadonlyArray<string>): Array<string> =>
  names.flatMap((name) => {
    const words = name.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
    return [...words, words.join("")]
  })

/** For a new password. `names` are those of the user, the organisation and the service. */
export const makeRequireUncommon = Effect.map(
  estimator,
  (estimator) =>
    (password: Password, names: ReadonlyArray<string>): Effect.Effect<void, PasswordRefused> =>
      Effect.flatMap(estimator, (estimate) => {
        const start = Redacted.value(password).slice(0, estimatedCharacters)
        const { score } = estimate.check(start, wordsOf([...names, "Solar Sites"]))
        return score < leastScore ? Effect.fail(refused) : Effect.void
      })
)
