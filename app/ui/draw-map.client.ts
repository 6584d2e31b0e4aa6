/**
 * The map itself, loaded after the page and only where a map is shown. Land, lakes, roads and names come from our own
 * data.
 */
import { Map as MapView, Marker, NavigationControl, setWorkerUrl, type StyleSpecification } from 'maplibre-gl'
import 'maplibre-gl/dist/maplibre-gl.css'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'

type Point = { latitude: number; longitude: number }
/**
 * `href` is where the marker leads: an entry in the list, or a page. `letter` and `text` are written on it; `label` is
 * read aloud after them.
 */
export type Pin = Point & { href: string; letter: string; text: string; label: string; isChosen: boolean }

/**
 * Draws `pins`, at least one, and the shopper's location into `element`; returns a function that removes the map.
 * Throws if the browser cannot draw it.
 */
export function drawMap(element: HTMLElement, center: Point | null, pins: readonly Pin[]): () => void {
  setWorkerUrl(workerUrl)
  const points: readonly Point[] = center ? [center, ...pins] : pins
  const map = new MapView({
    container: element,
    style: groundStyle(getComputedStyle(document.documentElement)),
    minZoom: 2,
    maxZoom: 13,
    attributionControl: { compact: true, customAttribution: 'Natural Earth, US Census, GeoNames' },
    cooperativeGestures: true,
    dragRotate: false,
    pitchWithRotate: false,
    locale: {
      'CooperativeGesturesHandler.WindowsHelpText': 'Use Ctrl and scroll to zoom the map',
      'CooperativeGesturesHandler.MacHelpText': 'Use ⌘ and scroll to zoom the map',
      'CooperativeGesturesHandler.MobileHelpText': 'Use two fingers to move the map',
    },
  })
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  map.getCanvas().setAttribute('aria-label', 'Map')

  if (center) new Marker({ element: dot('map-here') }).setLngLat([center.longitude, center.latitude]).addTo(map)
  for (const pin of pins)
    new Marker({ element: label(pin), anchor: 'bottom' }).setLngLat([pin.longitude, pin.latitude]).addTo(map)

  const longitudes = points.map(({ longitude }) => longitude)
  const latitudes = points.map(({ latitude }) => latitude)
  map.fitBounds([Math.min(...longitudes), Math.min(...latitudes), Math.max(...longitudes), Math.max(...latitudes)], {
    padding: 56,
    maxZoom: 12,
    animate: false,
  })
  return () => map.remove()
}

/** A marker links to its entry in the list, so that both are reachable by keyboard. */
function label(pin: Pin): HTMLElement {
  const link = document.createElement('a')
  link.href = pin.href
  link.className = pin.isChosen ? 'map-pin is-chosen' : 'map-pin'
  const letter = document.createElement('span')
  letter.className = 'map-letter'
  letter.textContent = pin.letter
  const more = document.createElement('span')
  more.className = 'visually-hidden'
  more.textContent = ` ${pin.label}`
  link.append(letter, ` ${pin.text}`.trimEnd(), more)
  return link
}

function dot(className: string): HTMLElement {
  const element = document.createElement('span')
  element.className = className
  element.setAttribute('aria-hidden', 'true')
  return element
}

function groundStyle(tokens: CSSStyleDeclaration): StyleSpecification {
  const color = (name: string) => tokens.getPropertyValue(name).trim()
  return {
    version: 8,
    sources: {
      ground: { type: 'geojson', data: '/map/ground.json' },
      lakes: { type: 'geojson', data: '/map/lakes.json' },
      roads: { type: 'geojson', data: '/map/roads.json' },
      places: { type: 'geojson', data: '/map/places.json' },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': color('--map-water') } },
      {
        id: 'land',
        type: 'fill',
        source: 'ground',
        filter: ['==', ['get', 'kind'], 'state'],
        paint: { 'fill-color': color('--map-land') },
      },
      {
        id: 'counties',
        type: 'line',
        source: 'ground',
        filter: ['==', ['get', 'kind'], 'county'],
        minzoom: 6,
        paint: { 'line-color': color('--line'), 'line-width': 1, 'line-dasharray': [2, 2] },
      },
      {
        id: 'states',
        type: 'line',
        source: 'ground',
        filter: ['==', ['get', 'kind'], 'border'],
        paint: { 'line-color': color('--line-strong'), 'line-width': 1 },
      },
      { id: 'lakes', type: 'fill', source: 'lakes', paint: { 'fill-color': color('--map-water') } },
      {
        id: 'road-edges',
        type: 'line',
        source: 'roads',
        layout: { 'line-cap': 'round' },
        paint: {
          'line-color': color('--map-road-edge'),
          'line-width': ['interpolate', ['linear'], ['zoom'], 4, 1, 12, 9],
        },
      },
      {
        id: 'roads',
        type: 'line',
        source: 'roads',
        layout: { 'line-cap': 'round' },
        paint: {
          'line-color': color('--map-road'),
          'line-width': ['interpolate', ['linear'], ['zoom'], 4, 0.5, 12, 6],
        },
      },
      {
        id: 'places',
        type: 'symbol',
        source: 'places',
        layout: {
          'text-field': ['get', 'name'],
          'text-font': ['Inter Variable'],
          'text-size': ['interpolate', ['linear'], ['get', 'rank'], 0, 15, 6, 12],
          'symbol-sort-key': ['get', 'rank'],
          'text-max-width': 8,
        },
        paint: { 'text-color': color('--asphalt'), 'text-halo-color': color('--map-land'), 'text-halo-width': 1.5 },
      },
    ],
  }
}
