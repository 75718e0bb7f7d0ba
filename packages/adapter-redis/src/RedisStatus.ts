/**
 * Whether Redis answers, for those who watch over a service that goes on without
 * it.
 *
 * @since 0.1.0
 */
import { Context, type Effect } from "effect"

/**
 * @category services
 * @since 0.1.0
 */
export class RedisStatus extends Context.Service<
  RedisStatus,
  {
    /** Asks what a request would ask, and waits no longer than one. Says no without asking while no request asks. */
    readonly isUp: Effect.Effect<boolean>
  }
>()("@solar-sites/adapter-redis/RedisStatus") {}
