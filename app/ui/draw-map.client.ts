/**
 * The interactive map with our data or the operator's style (`MAP_STYLE_URL`). Loaded after the page, and only if a map
 * is visible.
 */
import {
  addProtocol,
  Map as MapView,
  Marker,
  NavigationControl,
  setWorkerUrl,
  type StyleSpecification,
} from 'maplibre-gl'
import 'maplibre-gl/dist/maplibre-gl.css'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { groundStyle } from '#app/ui/ground-style.client.ts'
import { showPins } from '#app/ui/show-pins.client.ts'

type Point = { latitude: number; longitude: number }
/**
 * `href` is the marker's link, to an entry in the list, or a page. `letter` and `text` are its visible text; `label` is
 * its additional accessible name. `count` is the number of shops it represents.
 */
export type Pin = Point & {
  href: string
  letter: string
  text: string
  label: string
  count: number
  isChosen: boolean
}

/** `center` is the shopper's location. `styleUrl` is null for the map with our data. */
type Drawn = { center: Point | null; pins: readonly Pin[]; styleUrl: string | null }

/** The maximum zoom of the map with our data. Our data has no streets. */
const groundZoom = 13

/**
 * Renders the pins, at least one, and the shopper's location into `element`; returns a function that removes the map.
 * Throws if the browser can't render it.
 */
export function drawMap(element: HTMLElement, { center, pins, styleUrl }: Drawn): () => void {
  setWorkerUrl(workerUrl)
  if (styleUrl !== null) readPmtiles()
  const points: readonly Point[] = center ? [center, ...pins] : pins
  const map = new MapView({
    container: element,
    style: styleUrl ?? ownGround(),
    minZoom: 2,
    maxZoom: styleUrl === null ? groundZoom : 18,
    attributionControl: { compact: true },
    cooperativeGestures: true,
    dragRotate: false,
    pitchWithRotate: false,
    locale: {
      'CooperativeGesturesHandler.WindowsHelpText': 'Use Ctrl and scroll to zoom the map',
      'CooperativeGesturesHandler.MacHelpText': 'Use ⌘ and scroll to zoom the map',
      'CooperativeGesturesHandler.MobileHelpText': 'Use two fingers to move the map',
    },
  })
  if (styleUrl !== null) fallBackToGround(map)
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.getCanvas().setAttribute('aria-label', 'Map')

  if (center) new Marker({ element: dot('map-here') }).setLngLat([center.longitude, center.latitude]).addTo(map)
  const longitudes = points.map(({ longitude }) => longitude)
  const latitudes = points.map(({ latitude }) => latitude)
  map.fitBounds([Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)], {
    padding: 56,
    maxZoom: 12,
    animate: false,
  })
  showPins(map, pins)
  return () => map.remove()
}

function dot(className: string): HTMLElement {
  const element = document.createElement('span')
  element.className = className
  element.setAttribute('aria-hidden', 'true')
  return element
}

function ownGround(): StyleSpecification {
  return groundStyle(getComputedStyle(document.documentElement))
}

/** An operator's style that cannot be read leaves the shopper our own map, not an empty one. */
function fallBackToGround(map: MapView): void {
  let isDecided = false
  map.once('style.load', () => (isDecided = true))
  map.on('error', () => {
    if (isDecided) return
    isDecided = true
    map.setMaxZoom(groundZoom)
    map.setStyle(ownGround())
  })
}

/**
 * Supports `pmtiles://…` sources in a style. Such a source has all tiles in one file. Its reader is loaded on first
 * use.
 */
function readPmtiles(): void {
  let protocol: Promise<{ tile: Parameters<typeof addProtocol>[1] }> | undefined
  addProtocol('pmtiles', async (request, abort) => {
    protocol ??= import('pmtiles').then(({ Protocol }) => new Protocol())
    return (await protocol).tile(request, abort)
  })
}
