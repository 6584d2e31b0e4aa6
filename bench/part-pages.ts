/** Documents from the page cache, rendered, and from two processes. */
import { paths } from '#content/paths.ts'
import type { Bench } from './bench.ts'
import { createTrial, type Trial } from './load.ts'
import type { LoadRequest } from './load-client.ts'
import { rateRow, type Row } from './report.ts'
import { compare, type Comparison } from './rounds.ts'

/** An empty cookie that bypasses the page cache, and one with a ZIP code, which also reads shops, totals, and times. */
const known = { cookie: 'sw_recent=[]' }
const inChicago = { cookie: 'sw_zip=60614' }

type NamedPage = { name: string; path: string }

export async function measurePages(bench: Bench): Promise<Row[]> {
  const pages = [
    { name: 'listing', path: `/tire-sizes/${bench.sample.sizes[0]}` },
    { name: 'product page', path: bench.sample.product.path },
  ]
  const comparisons = pages.flatMap((each): Comparison[] => [
    cached(bench, each),
    afresh(bench, each),
    {
      what: `${each.name}, afresh with ZIP`,
      trial: page(bench, 'store', each.name, each.path, inChicago),
      limit: page(bench, 'limits', `render of the ${each.name} with ZIP`, `/render${each.path}`, inChicago),
      goal: 0.5,
    },
  ])
  return (await compare(comparisons, bench.pace, bench.say)).map(rateRow)
}

/** The kinds of pages shoppers browse. */
export async function measureBrowsing(bench: Bench): Promise<Row[]> {
  const { product, shop } = bench.sample
  const pages = [
    { name: 'reviews of a tire', path: paths.lineReviews(product.brand, product.line) },
    { name: 'deals', path: paths.deals() },
    { name: 'comparison of three', path: paths.compare([product.itemId, ...product.others].map(String)) },
    { name: 'article', path: paths.article('learn/care-and-safety/tire-rotation') },
    { name: 'brand', path: paths.brand(product.brand) },
    { name: 'tire shop', path: paths.tireShop(shop.slug, shop.code) },
  ]
  const comparisons = pages.flatMap((each) => [cached(bench, each), afresh(bench, each)])
  return (await compare(comparisons, bench.pace, bench.say)).map(rateRow)
}

function cached(bench: Bench, { name, path }: NamedPage): Comparison {
  return {
    what: `${name}, cached`,
    trial: page(bench, 'store', name, path, {}),
    limit: page(bench, 'limits', `bytes of the ${name}`, `/bytes${path}`, {}),
    goal: 0.8,
  }
}

function afresh(bench: Bench, { name, path }: NamedPage): Comparison {
  return {
    what: `${name}, afresh`,
    trial: page(bench, 'store', name, path, known),
    limit: page(bench, 'limits', `render of the ${name}`, `/render${path}`, known),
    goal: 0.5,
  }
}

function page(
  { client, clock, store, limits }: Bench,
  from: 'store' | 'limits',
  name: string,
  path: string,
  headers: Record<string, string>,
): Trial {
  const { measured, port } = from === 'store' ? store : limits
  const requests: LoadRequest[] = [{ path, headers }]
  return createTrial(name, { client, clock, processes: [measured] }, { ports: [port], requests, connections: 20 })
}

/** Listings rendered fresh by two processes on two ports, next to one. */
export async function measureTwoProcesses(bench: Bench): Promise<Row[]> {
  const { client, clock, store, databaseUrl, sample } = bench
  const second = await bench.startStore(databaseUrl)
  const requests = sample.sizes.map((size) => ({ path: `/tire-sizes/${size}`, headers: known }))
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
