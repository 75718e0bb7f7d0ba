/**
 * A map in a page. Its code is loaded when the first map is shown.
 */
import { Center, Loader, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { configurationQuery } from "../api/queries.ts"
import { mapTexts as texts } from "../texts/en/map.ts"
import { shellTexts } from "../texts/en/shell.ts"
import type { MapHandle, MapOptions } from "./LeafletMap.ts"
import type { HealthOfSite } from "./Markers.ts"
import type { Bounds, Mark } from "./Marks.ts"
import classes from "./SitesMap.module.css"

type Handlers = Pick<MapOptions, "onMove" | "onPick" | "onSelect" | "onShown" | "onView">

/** Another object moves the map so that its bounds can be seen; null for none. */
export interface Fit {
  readonly bounds: Bounds | null
}

interface Props extends Handlers {
  readonly marks: ReadonlyArray<Mark>
  readonly selected?: Mark | null
  /** The same function until a health changes. */
  readonly healthOf?: HealthOfSite
  /** Undefined until it is known. */
  readonly fit?: Fit | undefined
  readonly className?: string | undefined
}

/** Builds the map once its code and the configuration are there; null until then. */
const useMap = (handlers: Handlers) => {
  const { data: configuration, error } = useQuery(configurationQuery)
  const element = useRef<HTMLDivElement>(null)
  const [handle, setHandle] = useState<MapHandle | null>(null)
  const [failed, setFailed] = useState(false)
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  // Without the configuration the map shows outlines.
  const tileUrl = configuration === undefined ? (error === null ? undefined : null) : configuration.map.tileUrl

  useEffect(() => {
    if (tileUrl === undefined) return
    let gone = false
    let made: MapHandle | undefined
    const build = async () => {
      const { makeLeafletMap } = await import("./LeafletMap.ts")
      if (gone || element.current === null) return
      made = makeLeafletMap(element.current, {
        tileUrl,
        texts,
        onSelect: (mark) => latest.current.onSelect?.(mark),
        onShown: (ids) => latest.current.onShown?.(ids),
        onPick: (position) => latest.current.onPick?.(position),
        onMove: (middle) => latest.current.onMove?.(middle),
        onView: (section) => latest.current.onView?.(section)
      })
      setHandle(made)
    }
    build().catch(() => setFailed(true))
    return () => {
      gone = true
      made?.remove()
      setHandle(null)
    }
  }, [tileUrl])

  return { element, handle, failed, attribution: configuration?.map.attribution ?? null }
}

export const MapFrame = ({ className = "", fit, healthOf, marks, selected = null, ...handlers }: Props) => {
  const { attribution, element, failed, handle } = useMap(handlers)

  useEffect(() => {
    if (fit !== undefined) handle?.fit(fit.bounds)
  }, [handle, fit])
  useEffect(() => handle?.show(marks), [handle, marks])
  useEffect(() => handle?.select(selected), [handle, selected])
  useEffect(() => {
    if (healthOf !== undefined) handle?.sign(healthOf)
  }, [handle, healthOf])

  return (
    <div className={`${classes.frame} ${className}`}>
      <div ref={element} className={classes.canvas} />
      {handle === null && (
        <Center pos="absolute" inset={0} role="status" aria-label={shellTexts.loading}>
          {failed ? <Text size="sm">{texts.failed}</Text> : <Loader />}
        </Center>
      )}
      {attribution !== null && <div className={classes.attribution}>{attribution}</div>}
    </div>
  )
}
