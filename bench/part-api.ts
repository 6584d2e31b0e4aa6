/**
 * The documented API as used by a program, 20 requests at a time: a list with facets, one item, and a new cart with
 * tires. The limits are a row read by its key, and written rows. Returns the rows for comparison with other stores'
 * APIs.
 */
import type { Bench } from './bench.ts'
import { createTrial, type Trial } from './load.ts'
import type { LoadRequest } from './load-client.ts'
import { rateRow, type Row } from './report.ts'
import { compare } from './rounds.ts'

const connections = 20

export async function measureApi(bench: Bench): Promise<Row[]> {
  const { client, clock, limits, store, sample, pace, say } = bench
  const trial = (name: string, requests: LoadRequest[], { measured, port } = store): Trial =>
    createTrial(name, { client, clock, processes: [measured] }, { ports: [port], requests, connections })
  const select = trial(
    'one row by its key',
    sample.itemIds.map((id) => ({ path: `/select/${id}` })),
    limits,
  )
  const insert = trial('one row written', [{ method: 'POST', path: '/insert', body: 'item=1&quantity=4' }], limits)
  // The two filters that the API names otherwise than the page does are left out.
  const lists = sample.queries
    .filter(({ query }) => !/^(?:max|page)=/.test(query))
    .map(({ size, query }) => ({ path: `/api/tires?size=${size}&${query}` }))
  const articles = sample.itemIds.map((id) => ({ path: `/api/tires/${id}` }))
  const carts = sample.itemIds.map((id, index) => ({
    method: 'POST' as const,
    path: '/api/cart',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': `10.3.${(index >> 8) & 255}.${index & 255}`,
    },
    body: JSON.stringify({ lines: [{ itemId: id, quantity: 4 }] }),
    expect: 201,
  }))
  const compared = await compare(
    [
      { what: 'GET /api/tires, with facets', trial: trial('list', lists), limit: select },
      { what: 'GET /api/tires/{itemId}', trial: trial('article', articles), limit: select },
      { what: 'POST /api/cart with four tires', trial: trial('cart', carts), limit: insert },
    ],
    pace,
    say,
  )
  return compared.map(rateRow)
}
