/**
 * The memory of the web process and the worker after a tenth of a mixed load, and after all of it: pages, carts, and
 * whole orders with their jobs and mails.
 */
import type { Bench } from './bench.ts'
import { sendLoad } from './load.ts'
import type { LoadRequest } from './load-client.ts'
import type { Row } from './report.ts'
import { placeOrder, stockUp } from './whole-order.ts'

const goal = 1.2
/** Of both together, after all of it. */
const goalMb = 450
/** Requests for a page or a cart that come with each whole order. */
const requestsPerOrder = 100
const ordersAtOnce = 4

export async function measureMemory(bench: Bench, total: number): Promise<Row[]> {
  const { client, databaseUrl, sample, startStore, say } = bench
  await using parts = new AsyncDisposableStack()
  await stockUp(bench)
  parts.use(await bench.startSandbox())
  const store = await startStore(databaseUrl)
  const web = parts.use(store.measured)
  const worker = parts.use(await bench.startWorker(databaseUrl, store))
  const { origin, port } = store
  const form = { origin, 'content-type': 'application/x-www-form-urlencoded' }
  const requests = sample.queries.flatMap(({ size, query }, index): LoadRequest[] => [
    { path: `/tire-sizes/${size}?${query}` },
    { path: `/tire-sizes/${size}`, headers: { cookie: 'sw_recent=[]' } },
    { path: sample.product.path, headers: { cookie: 'sw_zip=60614' } },
    {
      method: 'POST',
      path: '/cart',
      headers: form,
      body: `item=${sample.itemIds[index % sample.itemIds.length]}&quantity=4`,
      expect: 303,
    },
  ])
  const shopping = { store, sandboxOrigin: bench.sandboxOrigin, itemIds: sample.itemIds }
  let number = 0
  const send = async (count: number) => {
    const last = number + count / requestsPerOrder
    const order = async () => {
      while (number < last) await placeOrder(shopping, number++)
    }
    await Promise.all([
      sendLoad('memory', client, { ports: [port], requests, connections: 20, milliseconds: 600_000, count }),
      ...Array.from({ length: ordersAtOnce }, order),
    ])
    const [ofWeb, ofWorker] = [(await web.usage()).residentMb, (await worker.usage()).residentMb]
    say(`memory: web ${Math.round(ofWeb)} MB, worker ${Math.round(ofWorker)} MB`)
    return ofWeb + ofWorker
  }
  const early = await send(total / 10)
  const late = await send(total - total / 10)
  const ratio = late / early
  const what = `memory of web and worker after ${total.toLocaleString('en-US')} requests and ${total / requestsPerOrder} orders`
  const figure = `${Math.round(late)} MB`
  return [
    {
      what,
      figure,
      limit: `after a tenth of them: ${Math.round(early)} MB`,
      ratio,
      goal: `≤ ${goal}`,
      isMet: ratio <= goal,
    },
    { what, figure, limit: '', ratio: null, goal: `≤ ${goalMb} MB`, isMet: late <= goalMb },
  ]
}
