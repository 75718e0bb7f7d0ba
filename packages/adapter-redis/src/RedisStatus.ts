/** Status of Redis, for monitoring. The service works without Redis. */
import { Context, type Effect } from "effect"

export class RedisStatus extends Context.Service<
  RedisStatus,
  {
    /**
     * Sends the command of a request with its timeout; false without sending while the circuit is
     * open.
     */
    readonly isUp: Effect.Effect<boolean>
  }
>()("@solar-sites/adapter-redis/RedisStatus") {}
