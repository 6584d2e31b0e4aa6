/** Writes: adding a line to a cart over HTTP, and complete orders in one transaction. */
import type { Bench } from './bench.ts'
import { createTrial, sample, type Trial } from './load.ts'
import type { LoadResult } from './load-client.ts'
import type { OrderJob } from './orders.ts'
import type { Measured } from './processes.ts'
import { rateRow, type Row } from './report.ts'
import { compare } from './rounds.ts'

const clients = 8

export async function measureOrders(bench: Bench): Promise<Row[]> {
  const { client, clock, store, limits, databaseUrl, pace } = bench
  const orders = await bench.startOrders(databaseUrl)
  // Half a run to warm up, and one run per round. No known machine places more than 2,000 orders a second.
  await orders.ask(
    message({ kind: 'prepare', count: Math.ceil((pace.rounds + 0.5) * (pace.milliseconds / 1000) * 2_000) }),
    'result',
  )
  const compared = await compare(
    [
      {
        what: 'add to cart',
        trial: createTrial(
          'add to cart',
          { client, clock, processes: [store.measured] },
          { ports: [store.port], requests: addRequests(bench), connections: 20 },
        ),
        limit: createTrial(
          'one row written',
          { client, clock, processes: [limits.measured] },
          {
            ports: [limits.port],
            requests: [{ method: 'POST', path: '/insert', body: 'item=1&quantity=4' }],
            connections: 20,
          },
        ),
        goal: 0.5,
      },
      {
        what: 'place an order, 8 clients',
        trial: orderTrial('order', bench, orders),
        limit: orderTrial('tpc-b', bench, orders),
        goal: 0.2,
      },
    ],
    pace,
    bench.say,
  )
  await orders[Symbol.asyncDispose]()
  return compared.map(rateRow)
}

/** The form of the product page, sent by shoppers without a cart, each from a different network. */
function addRequests({ store, sample: { itemIds } }: Bench) {
  return Array.from({ length: 10_000 }, (_, index) => ({
    method: 'POST' as const,
    path: '/cart',
    headers: {
      origin: store.origin,
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `10.1.${index >> 8}.${index & 255}`,
    },
    body: `item=${itemIds[index % itemIds.length]}&quantity=4`,
    expect: 303,
  }))
}

function orderTrial(kind: 'order' | 'tpc-b', { clock }: Bench, orders: Measured): Trial {
  return {
    name: kind === 'order' ? 'place an order' : 'TPC-B',
    run: (milliseconds) =>
      sample({ processes: [orders], clock }, async () => {
        const { result } = await orders.ask<{ result: LoadResult }>(message({ kind, milliseconds, clients }), 'result')
        if (result.failed > 0)
          throw new Error(`${kind}: ${result.failed} of ${result.answered} failed: ${result.firstFailure}`)
        return result
      }),
  }
}

function message(orderJob: OrderJob): { orderJob: OrderJob } {
  return { orderJob }
}
