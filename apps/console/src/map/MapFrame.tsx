/**
 * A map in a page. Its code is loaded when the first map is shown.
 */
import { Center, Loader, Text } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { configurationQuery } from "../api/queries.ts"
import { mapTexts as texts } from "../texts/en/map.ts"
import { shellTexts } from "../texts/en/shell.ts"
import type { Pin } from "./Clusters.ts"
import type { MapHandle, MapOptions } from "./LeafletMap.ts"
import type { HealthOfPin } from "./Markers.ts"
import classes from "./SitesMap.module.css"

interface Props extends Pick<MapOptions, "onMove" | "onPick" | "onSelect" | "onShown"> {
  readonly pins: ReadonlyArray<Pin>
  readonly selected?: ReadonlySet<string>
  /** The same function until a health changes. */
  readonly healthOf?: HealthOfPin
  /** When it changes, the map moves so that all pins can be seen. */
  readonly fit?: string
  readonly className?: string | undefined
}

const nothing: ReadonlySet<string> = new Set()

/** Builds the map once its code and the configuration are there; null until then. */
const useMap = (handlers: Pick<Props, "onMove" | "onPick" | "onSelect" | "onShown">) => {
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
        onSelect: (ids) => latest.current.onSelect?.(ids),
        onShown: (ids) => latest.current.onShown?.(ids),
        onPick: (position) => latest.current.onPick?.(position),
        onMove: (middle) => latest.current.onMove?.(middle)
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

export const MapFrame = ({ className = "", fit = "", healthOf, pins, selected = nothing, ...handlers }: Props) => {
  const { attribution, element, failed, handle } = useMap(handlers)
  const fitted = useRef<{ readonly handle: MapHandle | null; readonly fit: string }>({ handle: null, fit: "" })

  useEffect(() => {
    if (handle === null) return
    handle.show(pins, fitted.current.handle !== handle || fitted.current.fit !== fit)
    if (pins.length > 0) fitted.current = { handle, fit }
  }, [handle, pins, fit])
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
