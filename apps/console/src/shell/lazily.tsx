/**
 * A component with code of its own, loaded when it is first shown.
 */
import { type ComponentType, lazy, type ReactNode, Suspense } from "react"
import { PageNotLoaded } from "./ErrorPages.tsx"

/** `before` is shown until the code is loaded; by default nothing is. */
export const lazily = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  before: (props: Props) => ReactNode = () => null
): ComponentType<Props> => {
  const Loaded = lazy(() =>
    load().then(
      (component) => ({ default: component }),
      (cause: unknown) => {
        throw new PageNotLoaded("the code of a part of the page could not be loaded", { cause })
      }
    )
  )
  return (props) => (
    <Suspense fallback={before(props)}>
      <Loaded {...props} />
    </Suspense>
  )
}
