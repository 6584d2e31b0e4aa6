/**
 * Whole orders over HTTP with the documented calls, for a guest who pays by card at the sandbox and for a company on
 * net terms. Web, worker, sandbox, and PostgreSQL all work. The limit is as many requests that each write one row.
 */
import type { Bench } from './bench.ts'
import type { Store } from './environment.ts'
import { inTurns } from './in-turns.ts'
import { sample, type Trial } from './load.ts'
import { rateRow, type Row } from './report.ts'
import { compare } from './rounds.ts'
import { openBuyers, placeInThreeCalls, placeOnTerms, placeOrder, stockUp } from './whole-order.ts'

/** Requests to the store for an order, without the shopper's own to the payment provider. */
const requestsPerOrder = 8
/** At a time, in the second half. */
const most = 8

export async function measureJourneys(bench: Bench): Promise<Row[]> {
  const { clock, limits, databaseUrl, pace, say } = bench
  await using parts = new AsyncDisposableStack()
  await stockUp(bench)
  const sandbox = parts.use(await bench.startSandbox())
  const store = await bench.startStore(databaseUrl)
  parts.use(store.measured)
  const worker = parts.use(await bench.startWorker(databaseUrl, store))
  const shopping = { store, sandboxOrigin: bench.sandboxOrigin, itemIds: bench.sample.itemIds }
  let number = 0

  const buyers = await openBuyers(store, most)
  const orders: Record<string, () => Promise<void>> = {
    'of a guest by card': () => placeOrder(shopping, number++),
    'of a guest by card in three calls': () => placeInThreeCalls(shopping, number++),
    'of a company on terms': async () => {
      const buyer = buyers.pop()
      if (!buyer) throw new Error('There are more orders at a time than buyers.')
      await placeOnTerms(shopping, buyer, number++)
      buyers.push(buyer)
    },
  }

  const rowsTrial = (clients: number): Trial => ({
    name: `${requestsPerOrder} rows written`,
    run: (milliseconds) =>
      sample({ processes: [limits.measured], clock }, () => inTurns(clients, milliseconds, () => writeRows(limits))),
  })
  const processes = [store.measured, worker, sandbox]
  const compared = await compare(
    [1, most].flatMap((clients) => {
      const limit = rowsTrial(clients)
      return Object.entries(orders).map(([whose, place]) => ({
        what: `whole order ${whose}, ${clients} at a time`,
        trial: {
          name: `whole order ${whose}`,
          run: (milliseconds: number) => sample({ processes, clock }, () => inTurns(clients, milliseconds, place)),
        },
        limit,
      }))
    }),
    pace,
    say,
  )
  return compared.map(rateRow)
}

async function writeRows({ origin }: Store): Promise<void> {
  for (let request = 0; request < requestsPerOrder; request++) {
    const answer = await fetch(`${origin}/insert`, { method: 'POST', body: 'item=1&quantity=4' })
    if (!answer.ok) throw new Error(`A row was not written: ${answer.status}`)
    await answer.arrayBuffer()
  }
}
