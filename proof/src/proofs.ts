import { amplification } from "./amplification/amplification.ts"
import { driver } from "./driver/driver.ts"
import { faults } from "./faults/faults.ts"
import { fuzz } from "./fuzz/fuzz.ts"
import { load } from "./load/load.ts"
import { model } from "./model/model.ts"
import { mutation } from "./mutation/mutation.ts"
import type { Proof } from "./Proof.ts"
import { promisesOf } from "./promises/promises.ts"
import { storage } from "./storage/storage.ts"
import { timing } from "./timing/timing.ts"

const others: ReadonlyArray<Proof> = [model, driver, storage, faults, fuzz, amplification, timing, load, mutation]

/** In the order in which they run. */
export const proofs: ReadonlyArray<Proof> = [...others, promisesOf(others)]
