/**
 * A component with code of its own, loaded when it is first shown. Nothing is shown until then.
 */
import { type ComponentType, lazy, Suspense } from "react"
import { PageNotLoaded } from "./ErrorPages.tsx"

export const lazily = <Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> => {
  const Loaded = lazy(() =>
    load().then(
      (component) => ({ default: component }),
      (cause: unknown) => {
        throw new PageNotLoaded("the code of a part of the page could not be loaded", { cause })
      }
    )
  )
  return (props) => (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  )
}
