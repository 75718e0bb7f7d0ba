import { type AccessChange, AccessChanges } from "@solar-sites/core"
import { accessChangesConformance } from "@solar-sites/testing"
import { Effect } from "effect"
import { notices } from "./breaking.ts"

const once = "has notified a listener, once, when publishing ends"
const slow = "waits for a slow listener"

type Listener = (change: AccessChange) => Effect.Effect<void>

notices(accessChangesConformance, AccessChanges, [
  {
    breakage: "notifies no listener",
    replace: () => ({ publish: () => Effect.void }),
    noticedBy: [once, "notifies every listener", "notifies listeners that everything may have changed"]
  },
  {
    breakage: "ends publishing before listeners have run",
    replace: ({ publish }) => ({
      publish: (change) => Effect.asVoid(Effect.forkDetach(Effect.andThen(Effect.yieldNow, publish(change))))
    }),
    noticedBy: [once, slow]
  },
  {
    breakage: "starts its listeners without waiting for them",
    replace: ({ listen }) => ({
      listen: (listener) =>
        listen((change) => Effect.asVoid(Effect.forkDetach(listener(change), { startImmediately: true })))
    }),
    noticedBy: [slow]
  },
  {
    breakage: "notifies twice",
    replace: ({ publish }) => ({ publish: (change) => Effect.andThen(publish(change), publish(change)) }),
    noticedBy: [once, "delivers every one of many concurrent changes"]
  },
  {
    breakage: "keeps one listener",
    replace: () => {
      let only: Listener = () => Effect.void
      return {
        listen: (listener) =>
          Effect.sync(() => {
            only = listener
          }),
        publish: (change) => only(change)
      }
    },
    noticedBy: ["notifies every listener"]
  },
  {
    breakage: "never lets a listener go",
    replace: () => {
      const listeners: Array<Listener> = []
      return {
        listen: (listener) => Effect.sync(() => void listeners.push(listener)),
        publish: (change) => Effect.forEach(listeners, (listener) => listener(change), { discard: true })
      }
    },
    noticedBy: ["does not notify a listener after its scope has closed"]
  },
  {
    breakage: "forgets which key it is about",
    replace: ({ publish }) => ({
      publish: (change) => publish(change === "everything" ? change : { organisationId: change.organisationId })
    }),
    noticedBy: [once]
  },
  {
    breakage: "keeps it to itself that changes may have been missed",
    replace: ({ publish }) => ({ publish: (change) => (change === "everything" ? Effect.void : publish(change)) }),
    noticedBy: ["notifies listeners that everything may have changed"]
  },
  {
    breakage: "notifies new listeners of earlier changes",
    replace: ({ listen, publish }) => {
      const past: Array<AccessChange> = []
      return {
        publish: (change) =>
          Effect.andThen(
            Effect.sync(() => past.push(change)),
            publish(change)
          ),
        listen: (listener) => Effect.andThen(listen(listener), Effect.forEach(past, listener, { discard: true }))
      }
    },
    noticedBy: ["does not notify a listener of earlier changes"]
  }
])
