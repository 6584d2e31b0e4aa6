/**
 * Measures the web process's cost for uncached documents. Twenty visitors request each concurrently, and a crawler
 * requests each once, which must not affect memory and other visitors' pages.
 */
import { paths } from '#content/paths.ts'
import { createDatabase } from '#platform/db.ts'
import type { Bench } from './bench.ts'
import { sendLoad } from './load.ts'
import type { LoadRequest } from './load-client.ts'
import { amountRow, type Row } from './report.ts'

const atOnce = 20
const pagesAtOnce = 20
const mostCpuMs = 20
/** What a visitor's browser sends. With the empty cookie, the document is this visitor's own. */
const guest = { 'accept-encoding': 'gzip, deflate, br' }
const known = { ...guest, cookie: 'sw_recent=[]' }

/**
 * Each product page is requested in only one of the measurements. The crawler requests `walked` pages, and then as many
 * more.
 */
export async function measureKept(bench: Bench, walked: number): Promise<Row[]> {
  const { client, databaseUrl, sample, startStore, say } = bench
  const products = await readProductPaths(databaseUrl)
  const { measured, port } = await startStore(databaseUrl)
  const send = (name: string, requests: LoadRequest[], connections: number) =>
    sendLoad(name, client, { ports: [port], requests, connections, milliseconds: 600_000, count: requests.length })
  const take = (count: number) => products.splice(0, count)
  /** Returns the CPU time in milliseconds per page, each requested by twenty visitors concurrently. */
  async function cpuOf(name: string, pages: string[], headers: Record<string, string>): Promise<number> {
    const before = await measured.usage()
    await send(
      name,
      pages.flatMap((path) => Array.from({ length: atOnce }, () => ({ path, headers }))),
      atOnce,
    )
    const cpu = ((await measured.usage()).cpuMilliseconds - before.cpuMilliseconds) / pages.length
    say(`${name}: ${cpu.toFixed(1)} ms of CPU a page`)
    return cpu
  }

  await cpuOf('warming up', take(pagesAtOnce), known)
  await cpuOf('warming up', take(2 * pagesAtOnce), guest)
  const each = await cpuOf('drawn for each', take(pagesAtOnce), known)
  const together = await cpuOf('twenty at once', take(2 * pagesAtOnce), guest)

  const hot = sample.sizes.map((size): LoadRequest => ({ path: `/tire-sizes/${size}`, headers: guest }))
  const readHot = () => send('hot pages', Array.from({ length: 100 }, () => hot).flat(), atOnce)
  await readHot()
  const hotBefore = await readHot()
  const walk = (paths: string[]) =>
    send(
      'the walk',
      paths.map((path) => ({ path, headers: guest })),
      1,
    )
  // The first half fills the process's catalog cache.
  await walk(take(walked))
  const before = await measured.usage()
  await walk(take(walked))
  const after = await measured.usage()
  // Pages are kept for a minute, so some are rendered again whether or not there was a walk.
  await readHot()
  const hotAfter = await readHot()
  await measured[Symbol.asyncDispose]()
  const walkCpu = (after.cpuMilliseconds - before.cpuMilliseconds) / walked
  say(`the walk: ${before.residentMb.toFixed(0)} MB, then ${after.residentMb.toFixed(0)} MB`)
  say(`hot pages: p99 ${hotBefore.p99.toFixed(2)}, then ${hotAfter.p99.toFixed(2)} ms`)
  const cpu = (amount: number) => `${amount.toFixed(1)} ms of CPU`
  return [
    amountRow('a page asked for by 20 at once', together, mostCpuMs, cpu, { name: 'drawn for each', amount: each }),
    amountRow(`${walked.toLocaleString('en-US')} more pages walked once, each`, walkCpu, mostCpuMs, cpu),
    amountRow('memory after the walk', after.residentMb, before.residentMb * 1.1, (mb) => `${Math.round(mb)} MB`, {
      name: 'before',
      amount: before.residentMb,
    }),
    amountRow('hot pages after the walk, p99', hotAfter.p99, hotBefore.p99 * 1.5, (ms) => `${ms.toFixed(2)} ms`, {
      name: 'before',
      amount: hotBefore.p99,
    }),
  ]
}

/** Returns product page URLs, with the same model's pages far apart. */
async function readProductPaths(databaseUrl: string): Promise<string[]> {
  const db = createDatabase(databaseUrl, { size: 1 })
  const items = await db
    .selectFrom('item')
    .innerJoin('product_line as line', 'line.id', 'item.product_line_id')
    .innerJoin('brand', 'brand.id', 'line.brand_id')
    .select(['item.id', 'line.slug as line', 'brand.slug as brand'])
    .where('item.active', '=', true)
    .orderBy((eb) => eb.fn('md5', [eb.cast<string>('item.id', 'text')]))
    .execute()
  await db.destroy()
  return items.map(({ id, line, brand }) => paths.item(brand, line, id))
}
