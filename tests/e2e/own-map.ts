/** An operator's map for tests, with a style and a PMTiles file (version 3) that has one empty tile. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

const tile = Buffer.from([0x1a, 8, 0x0a, 1, 0x78, 0x28, 0x80, 0x20, 0x78, 2])
const directory = Buffer.from([1, 0, 1, tile.length, 1])
const metadata = Buffer.from('{}')

function pmtiles(): Buffer {
  const header = Buffer.alloc(127)
  header.write('PMTiles')
  header[7] = 3
  const parts = [directory, metadata, Buffer.alloc(0), tile]
  let offset = header.length
  for (const [index, { length }] of parts.entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + index * 16)
    header.writeBigUInt64LE(BigInt(length), 16 + index * 16)
    offset += length
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(1n, at)
  // Clustered; neither directory nor tiles compressed; vector tiles of zoom 0.
  header.set([1, 1, 1, 1, 0, 0], 96)
  for (const [index, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 1e7, 102 + index * 4)
  return Buffer.concat([header, ...parts])
}

/** Serves the map at a separate origin. `asked` contains the requested paths. */
export async function startOwnMap(): Promise<{ styleUrl: string; asked: string[] }> {
  const asked: string[] = []
  const file = pmtiles()
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', 'range')
    if (request.url === '/style.json')
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(style()))
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    const part = file.subarray(Number(from ?? 0), Number(to ?? file.length) + 1)
    response.writeHead(206, { 'content-range': `bytes ${from ?? 0}-${to ?? file.length}/${file.length}` }).end(part)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  afterAll(() => {
    server.close()
    server.closeAllConnections()
  })
  const origin = `http://127.0.0.1:${port}`
  const style = () => ({
    version: 8,
    sources: { streets: { type: 'vector', url: `pmtiles://${origin}/streets.pmtiles` } },
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': '#e8e4da' } },
      { id: 'streets', type: 'line', source: 'streets', 'source-layer': 'x' },
    ],
  })
  return { styleUrl: `${origin}/style.json`, asked }
}
