/**
 * The base map: states and counties from us-atlas, roads, lakes and the countries around from Natural Earth, place names
 * from GeoNames.
 * Loaded once, on the first request.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { gzip } from 'node:zlib'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import { Hono } from 'hono'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'

type Feature = { type: 'Feature'; properties: Record<string, string | number>; geometry: unknown }
type Layer = { type: 'FeatureCollection'; features: Feature[] }

const require = createRequire(import.meta.url)
const folder = new URL('db/data/map/', `file://${process.cwd()}/`)
const compress = promisify(gzip)

const layers: Record<string, () => Promise<Layer>> = {
  'ground.json': readGround,
  'neighbors.json': async () => JSON.parse(await readFile(new URL('neighbors.geojson', folder), 'utf8')) as Layer,
  'lakes.json': async () => JSON.parse(await readFile(new URL('lakes.geojson', folder), 'utf8')) as Layer,
  'roads.json': async () => JSON.parse(await readFile(new URL('highways.geojson', folder), 'utf8')) as Layer,
  'places.json': readPlaces,
}

export function createMapData(): Hono {
  const kept = new Map<string, Promise<Buffer>>()
  const app = new Hono()
  app.get('/:layer', async (c) => {
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
  return app
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
