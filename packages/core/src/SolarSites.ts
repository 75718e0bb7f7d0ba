/**
 * Solar Sites for applications that do not use Effect: promises of plain
 * objects. Refusals reject as they are, told apart by `error._tag` or
 * `error.code`; so do failures and bugs.
 *
 * @since 0.1.0
 */
import { Effect, Layer, Redacted } from "effect"
import { ApiKeys } from "./api-keys/ApiKeys.ts"
import { Documents } from "./documents/Documents.ts"
import { Organisations } from "./organisations/Organisations.ts"
import { actionsOf } from "./promises/CallerActions.ts"
import * as Input from "./promises/Input.ts"
import type { CallOptions, PlainCaller } from "./promises/PlainModels.ts"
import { makeRunner, type Runner } from "./promises/Runner.ts"
import type { OrganisationPromises, SolarSitesForCaller } from "./promises/SolarSitesForCaller.ts"
import {
  layerFrom,
  type ProvidesAllPorts,
  type SolarSitesPorts,
  type SolarSitesServices,
  layer as services
} from "./SolarSitesServices.ts"

/**
 * Built once and kept for the life of the process; `dispose`, or the end of the
 * block that is `using` it, releases what its layer holds.
 *
 * @category models
 * @since 0.1.0
 */
export interface SolarSites extends AsyncDisposable {
  /**
   * What a caller can do whom your application has authenticated. `userId` is the
   * user behind the call. Further members, as an application's own user has them,
   * are not looked at. A caller that cannot be one is told by every promise.
   */
  readonly as: (caller: {
    readonly organisationId: string
    readonly userId?: string | null | undefined
    readonly apiKeyId?: string | null | undefined
  }) => SolarSitesForCaller

  /** For the operator: nothing of this belongs in the hands of a caller. */
  readonly organisations: OrganisationPromises

  /** The caller behind a presented API key, for `as`. */
  readonly authenticate: (apiKey: string, options?: CallOptions) => Promise<PlainCaller>

  /** To be called when storage reports that something has arrived at a path; repeatedly, late and wrongly too. */
  readonly objectArrived: (path: string, options?: CallOptions) => Promise<void>

  /**
   * The same adapters and services once more, for a binding beside the promises
   * (`toNodeListener(solar.layer)`). Close the binding first: this ends with
   * `dispose`, and never before.
   */
  readonly layer: Layer.Layer<SolarSitesPorts | SolarSitesServices, unknown>

  readonly dispose: () => Promise<void>
}

const organisationPromises = ({ read, write }: Runner<SolarSitesServices>): OrganisationPromises => ({
  create: (input, options) =>
    write(
      Effect.flatMap(Input.createOrganisation(input), (organisation) =>
        Organisations.use(({ create }) => create(organisation))
      ),
      options
    ),
  get: (organisationId, options) =>
    read(
      Effect.flatMap(Input.organisationId(organisationId), (id) => Organisations.use(({ get }) => get(id))),
      options
    ),
  list: (query, options) =>
    read(
      Effect.flatMap(Input.listOrganisations(query), (page) => Organisations.use(({ list }) => list(page))),
      options
    ),
  update: (organisationId, changes, options) => {
    const inputs = Effect.all([Input.updateOrganisation(changes), Input.organisationId(organisationId)])
    return write(
      Effect.flatMap(inputs, ([members, id]) => Organisations.use(({ update }) => update(id, members))),
      options
    )
  },
  delete: (organisationId, options) =>
    write(
      Effect.flatMap(Input.organisationId(organisationId), (id) =>
        Organisations.use((organisations) => organisations.delete(id))
      ),
      options
    )
})

const checkLayer = (layer: unknown): void => {
  if (Layer.isLayer(layer)) return
  throw new TypeError("layer: give a layer of adapters, such as Layer.mergeAll(database, storage, inProcess)")
}

function make<Provided, E>(layer: Layer.Layer<Provided, E> & ProvidesAllPorts<Provided>): SolarSites
function make<E>(layer: Layer.Layer<SolarSitesPorts, E>): SolarSites {
  checkLayer(layer)
  const runner = makeRunner(services.pipe(Layer.provideMerge(layer)))
  return {
    as: (caller) => actionsOf(runner, Input.caller(caller)),
    organisations: organisationPromises(runner),
    authenticate: (apiKey, options) => {
      const presented = Redacted.make(Input.textOf(apiKey), { label: "API key" })
      return runner.read(
        ApiKeys.use(({ authenticate }) => authenticate(presented)),
        options
      )
    },
    objectArrived: (path, options) =>
      runner.write(
        Documents.use(({ objectArrived }) => objectArrived(Input.textOf(path))),
        options
      ),
    layer: layerFrom(runner.context),
    dispose: runner.dispose,
    [Symbol.asyncDispose]: runner.dispose
  }
}

/**
 * `make` takes a layer of adapters and composes the rules inside. It throws a
 * `TypeError` when it is given no layer; the error of a layer that cannot be
 * built, or that lacks ports, rejects every promise.
 *
 * @category constructors
 * @since 0.1.0
 */
export const SolarSites: { readonly make: typeof make } = { make }
