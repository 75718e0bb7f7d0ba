/**
 * Clusters of pins that lie close together, for a zoom and a section of the map.
 */
import Supercluster from "supercluster"

export interface Position {
  readonly latitude: number
  readonly longitude: number
}

/** A labelled position. */
export interface Pin extends Position {
  readonly id: string
  /** Name of the site. */
  readonly label: string
}

interface PinMarker extends Position {
  readonly key: string
  readonly pin: Pin
}

export interface ClusterMarker extends Position {
  readonly key: string
  readonly count: number
  /** The zoom at which the cluster splits; above the maximum when all pins have one position. */
  readonly expandsAt: number
  readonly ids: () => ReadonlyArray<string>
}

/** West, south, east, north. */
type Bounds = [number, number, number, number]

export interface Clusters {
  readonly within: (bounds: Bounds, zoom: number) => ReadonlyArray<PinMarker | ClusterMarker>
}

interface Properties {
  readonly pin: Pin
}

// Size of a Leaflet tile in pixels, the unit of the radius.
const tile = 256

export const clusterPins = (pins: ReadonlyArray<Pin>): Clusters => {
  const index = new Supercluster<Properties>({ radius: 60, extent: tile, maxZoom: 16 })
  index.load(
    pins.map((pin) => ({
      type: "Feature",
      geometry: { type: "Point", coordinates: [pin.longitude, pin.latitude] },
      properties: { pin }
    }))
  )
  return {
    within: (bounds, zoom) =>
      index.getClusters(bounds, Math.round(zoom)).map(({ geometry, properties }) => {
        const [longitude = 0, latitude = 0] = geometry.coordinates
        if (!("cluster" in properties)) return { key: properties.pin.id, pin: properties.pin, latitude, longitude }
        const { cluster_id: id, point_count: count } = properties
        return {
          key: `cluster ${id}`,
          count,
          latitude,
          longitude,
          expandsAt: index.getClusterExpansionZoom(id),
          ids: () => index.getLeaves(id, Number.POSITIVE_INFINITY).map(({ properties }) => properties.pin.id)
        }
      })
  }
}
