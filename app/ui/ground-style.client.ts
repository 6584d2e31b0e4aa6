import type { LayerSpecification, StyleSpecification } from 'maplibre-gl'

const groundSources = 'Natural Earth, US Census, GeoNames'

type Color = (name: string) => string

/** The map with our data, showing land, lakes, main roads and city names in the store's colors. */
export function groundStyle(tokens: CSSStyleDeclaration): StyleSpecification {
  const color: Color = (name) => tokens.getPropertyValue(name).trim()
  return {
    version: 8,
    sources: {
      neighbors: { type: 'geojson', data: '/map/neighbors.json', attribution: groundSources },
      ground: { type: 'geojson', data: '/map/ground.json' },
      lakes: { type: 'geojson', data: '/map/lakes.json' },
      roads: { type: 'geojson', data: '/map/roads.json' },
      places: { type: 'geojson', data: '/map/places.json' },
    },
    layers: [...landLayers(color), ...placeLayers(color)],
  }
}

/** Land and its borders. */
function landLayers(color: Color): LayerSpecification[] {
  return [
    { id: 'sea', type: 'background', paint: { 'background-color': color('--map-water') } },
    {
      id: 'neighbors',
      type: 'fill',
      source: 'neighbors',
      paint: { 'fill-color': color('--map-land') },
    },
    // The neighboring countries' border is coarser than ours, so this closes gaps of up to a mile along it.
    {
      id: 'neighbors-edge',
      type: 'line',
      source: 'neighbors',
      layout: { 'line-join': 'round' },
      paint: {
        'line-color': color('--map-land'),
        'line-width': ['interpolate', ['exponential', 2], ['zoom'], 3, 0.2, 13, 100],
      },
    },
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
  ]
}

/** Lakes, roads and city names on land. */
function placeLayers(color: Color): LayerSpecification[] {
  return [
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
  ]
}
