/** Listings with two hundred supplier warehouses, next to the same store without them. */
import { createDatabase } from '#platform/db.ts'
import type { Bench } from './bench.ts'
import { fillSuppliers, manySuppliers } from './fill-suppliers.ts'
import { createTrial } from './load.ts'
import { rateRow, type Row } from './report.ts'
import { compare } from './rounds.ts'

/** Cookies that bypass the page cache, without and with a ZIP, to which arrival days depend on every warehouse. */
const visits = [
  { name: 'afresh', headers: { cookie: 'sw_recent=[]' } },
  { name: 'afresh with ZIP', headers: { cookie: 'sw_zip=60614' } },
]
/** At most 1.2 times the cost. */
const goal = 0.83

export async function measureSuppliers(bench: Bench): Promise<Row[]> {
  const { client, clock, sample, store } = bench
  const [size = ''] = sample.sizes
  const databaseUrl = await bench.addDatabase('default', 'suppliers')
  const db = createDatabase(databaseUrl, { size: 2 })
  await fillSuppliers(db, size)
  await db.destroy()
  const supplied = await bench.startStore(databaseUrl)
  const { suppliers, warehousesEach } = manySuppliers
  const comparisons = visits.map(({ name, headers }) => {
    const trial = (label: string, { measured, port }: typeof store) =>
      createTrial(
        `${label}, ${name}`,
        { client, clock, processes: [measured] },
        { ports: [port], requests: [{ path: `/tire-sizes/${size}`, headers }], connections: 20 },
      )
    return {
      what: `listing ${name}, ${suppliers} suppliers × ${warehousesEach} warehouses`,
      trial: trial('with suppliers', supplied),
      limit: trial('without', store),
      goal,
    }
  })
  const rows = (await compare(comparisons, bench.pace, bench.say)).map(rateRow)
  await supplied.measured[Symbol.asyncDispose]()
  return rows
}
