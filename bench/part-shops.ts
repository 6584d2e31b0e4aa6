/** The shop portal's reads and writes, compared with one row read or written. */
import type { Bench } from './bench.ts'
import { createTrial, type Trial } from './load.ts'
import { rateRow, type Row } from './report.ts'
import { compare } from './rounds.ts'

const connections = 8

export async function measureShops(bench: Bench): Promise<Row[]> {
  const select = trial(bench, 'one row by its key', `/select/${bench.sample.product.itemId}`)
  const insert = createTrial('one row written', tools(bench), {
    ports: [bench.limits.port],
    requests: [{ method: 'POST', path: '/insert', body: 'item=1&quantity=4' }],
    connections,
  })
  const compared = await compare(
    [
      { what: "a day of a shop's calendar", trial: trial(bench, 'day', '/shop-day'), limit: select, goal: 0.2 },
      { what: 'the month one shop offers', trial: trial(bench, 'month', '/shop-month'), limit: select, goal: 0.2 },
      { what: 'an own job entered and canceled', trial: trial(bench, 'own job', '/own-job'), limit: insert, goal: 0.1 },
    ],
    bench.pace,
    bench.say,
  )
  return compared.map(rateRow)
}

function tools({ client, clock, limits }: Bench) {
  return { client, clock, processes: [limits.measured] }
}

function trial(bench: Bench, name: string, path: string): Trial {
  return createTrial(name, tools(bench), { ports: [bench.limits.port], requests: [{ path }], connections })
}
