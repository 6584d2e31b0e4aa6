/** The web process's memory after a tenth of the requests, and after all of them. */
import type { Bench } from './bench.ts'
import { sendLoad } from './load.ts'
import type { LoadRequest } from './load-client.ts'
import type { Row } from './report.ts'

const goal = 1.2

export async function measureMemory(
  { client, databaseUrl, sample, startStore, say }: Bench,
  total: number,
): Promise<Row[]> {
  const { measured, origin, port } = await startStore(databaseUrl)
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
  const send = (count: number) =>
    sendLoad('memory', client, { ports: [port], requests, connections: 20, milliseconds: 600_000, count })
  await send(total / 10)
  const { residentMb: early } = await measured.usage()
  await send(total - total / 10)
  const { residentMb: late } = await measured.usage()
  say(`memory: ${Math.round(early)} MB, then ${Math.round(late)} MB`)
  await measured[Symbol.asyncDispose]()
  const ratio = late / early
  return [
    {
      what: `memory after ${total.toLocaleString('en-US')} requests`,
      figure: `${Math.round(late)} MB`,
      limit: `after ${(total / 10).toLocaleString('en-US')}: ${Math.round(early)} MB`,
      ratio,
      goal: `≤ ${goal}`,
      isMet: ratio <= goal,
    },
  ]
}
