/**
 * The base map, with states and counties from us-atlas, roads, lakes and neighboring countries from Natural Earth, and
 * place names from GeoNames. Loaded once, on the first request.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gzip } from 'node:zlib'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import { Hono } from 'hono'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { placeOnStill, stillGround } from '#app/ui/still-places.ts'
import { readTextFile } from '#platform/text-file.ts'

type Feature = { type: 'Feature'; properties: Record<string, string | number>; geometry: unknown }
type Layer = { type: 'FeatureCollection'; features: Feature[] }

const require = createRequire(import.meta.url)
const folder = new URL('db/data/map/', `file://${process.cwd()}/`)
const compress = promisify(gzip)

/** As `--map-land` and `--line-strong` in app/ui/styles/tokens.css, which a picture cannot read. */
const stillColors = { land: '#f2eee6', border: '#8c8f95' }

const layers: Record<string, () => Promise<Layer>> = {
  'ground.json': readGround,
  'neighbors.json': async () => JSON.parse(await readTextFile(new URL('neighbors.geojson', folder))) as Layer,
  'lakes.json': async () => JSON.parse(await readTextFile(new URL('lakes.geojson', folder))) as Layer,
  'roads.json': async () => JSON.parse(await readTextFile(new URL('highways.geojson', folder))) as Layer,
  'places.json': readPlaces,
}

export function createMapData(): Hono {
  const kept = new Map<string, Promise<Buffer>>()
  const hono = new Hono()
  let still: Promise<Buffer> | undefined
  hono.get(stillGround.href.replace('/map', ''), async (c) => {
    still ??= drawStates().then((svg) => compress(svg))
    return c.body(new Uint8Array(await still), 200, {
      'content-type': 'image/svg+xml',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=86400',
    })
  })
  hono.get('/:layer', async (c) => {
    const name = c.req.param('layer')
    const read = Object.hasOwn(layers, name) ? layers[name] : undefined
    if (!read) return c.notFound()
    const bytes = kept.get(name) ?? read().then((layer) => compress(JSON.stringify(layer)))
    kept.set(name, bytes)
    return c.body(new Uint8Array(await bytes), 200, {
      'content-type': 'application/geo+json',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=86400',
    })
  })
  return hono
}

async function readGround(): Promise<Layer> {
  const atlas = JSON.parse(await readFile(require.resolve('us-atlas/counties-10m.json'), 'utf8')) as Topology<{
    states: GeometryCollection
    counties: GeometryCollection
  }>
  const { states, counties } = atlas.objects
  const line = (kind: string, geometry: unknown): Feature => ({ type: 'Feature', properties: { kind }, geometry })
  return {
    type: 'FeatureCollection',
    features: [
      ...feature(atlas, states).features.map((state): Feature => ({
        type: 'Feature',
        properties: { kind: 'state' },
        geometry: state.geometry,
      })),
      line('border', mesh(atlas, states)),
      line(
        'county',
        mesh(atlas, counties, (a, b) => a !== b),
      ),
    ],
  }
}

/** Renders the states as one image in integer units, the static placeholder shown until the map loads. */
async function drawStates(): Promise<string> {
  const atlas = JSON.parse(await readFile(require.resolve('us-atlas/states-10m.json'), 'utf8')) as Topology<{
    states: GeometryCollection
    nation: GeometryCollection
  }>
  const { states, nation } = atlas.objects
  const land = feature(atlas, nation).features.flatMap(({ geometry }) =>
    geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : [],
  )
  const borders = mesh(atlas, states, (a, b) => a !== b).coordinates
  const { x, y, width, height } = stillGround.box
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}" stroke-linejoin="round">`,
    `<path fill="${stillColors.land}" d="${land.map((line) => outline(line)).join('')}"/>`,
    `<path fill="none" stroke="${stillColors.border}" vector-effect="non-scaling-stroke" d="${borders.map((line) => outline(line)).join('')}"/>`,
    '</svg>',
  ].join('')
}

/** A line through whole units, without the points that fall together. */
function outline(points: readonly (readonly number[])[]): string {
  const places = points.map(([longitude = 0, latitude = 0]) => {
    const { x, y } = placeOnStill({ latitude, longitude })
    return `${Math.round(x)} ${Math.round(y)}`
  })
  const distinct = places.filter((place, index) => place !== places[index - 1])
  return distinct.length > 1 ? `M${distinct.join('L')}` : ''
}

async function readPlaces(): Promise<Layer> {
  const rows: { city: string; population: string; lat: string; lon: string }[] = parse(
    await readFile(new URL('cities.csv', folder)),
    { columns: true },
  )
  return {
    type: 'FeatureCollection',
    features: rows.map((row) => ({
      type: 'Feature',
      // 0 for the largest cities, 6 for towns: which label gives way when names collide.
      properties: {
        name: row.city,
        rank: Math.max(0, Math.min(6, 6 - Math.floor(Math.log2(Number(row.population) / 30_000)))),
      },
      geometry: { type: 'Point', coordinates: [Number(row.lon), Number(row.lat)] },
    })),
  }
}
