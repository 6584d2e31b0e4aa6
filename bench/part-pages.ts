/** Documents: from the page cache, rendered afresh, and from two processes. */
import type { Bench } from './bench.ts'
import { createTrial, type Trial } from './load.ts'
import type { LoadRequest } from './load-client.ts'
import { rateRow, type Row } from './report.ts'
import { compare, type Comparison } from './rounds.ts'

/** A cookie that says nothing but keeps the page out of the cache, and one that names a ZIP: then shops, totals and times are read as well. */
const known = { cookie: 'sw_recent=[]' }
const inChicago = { cookie: 'sw_zip=60614' }

export async function measurePages(bench: Bench): Promise<Row[]> {
  const pages = [
    { name: 'listing', path: `/tire-sizes/${bench.shelf.sizes[0]}` },
    { name: 'product page', path: bench.shelf.product.path },
  ]
  const comparisons = pages.flatMap(({ name, path }): Comparison[] => {
    const limit = (kind: string, headers: Record<string, string>) =>
      page(bench, 'limits', `${kind} of the ${name}${headers === inChicago ? ' with ZIP' : ''}`, `/${kind}${path}`, headers)
    const store = (headers: Record<string, string>) => page(bench, 'store', name, path, headers)
    return [
      { what: `${name}, cached`, trial: store({}), limit: limit('bytes', {}), goal: 0.8 },
      { what: `${name}, afresh`, trial: store(known), limit: limit('render', known), goal: 0.5 },
      { what: `${name}, afresh with ZIP`, trial: store(inChicago), limit: limit('render', inChicago), goal: 0.5 },
    ]
  })
  return (await compare(comparisons, bench.pace, bench.say)).map(rateRow)
}

function page({ client, clock, store, limits }: Bench, from: 'store' | 'limits', name: string, path: string, headers: Record<string, string>): Trial {
  const { measured, port } = from === 'store' ? store : limits
  const requests: LoadRequest[] = [{ path, headers }]
  return createTrial(name, { client, clock, processes: [measured] }, { ports: [port], requests, connections: 20 })
}

/** Listings rendered afresh by two processes on two ports, beside one of them. */
export async function measureTwoProcesses(bench: Bench): Promise<Row[]> {
  const { client, clock, store, databaseUrl, shelf } = bench
  const second = await bench.startStore(databaseUrl)
  const requests = shelf.sizes.map((size) => ({ path: `/tire-sizes/${size}`, headers: known }))
  const trial = (name: string, stores: (typeof store)[]) =>
    createTrial(
      name,
      { client, clock, processes: stores.map(({ measured }) => measured) },
      { ports: stores.map(({ port }) => port), requests, connections: 20 },
    )
  const comparison = {
    what: 'two web processes, listings afresh',
    trial: trial('two processes', [store, second]),
    limit: trial('one process', [store]),
    goal: 1.6,
  }
  const rows = (await compare([comparison], bench.pace, bench.say)).map(rateRow)
  await second.measured[Symbol.asyncDispose]()
  return rows
}
