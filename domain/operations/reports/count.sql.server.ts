/** The statements that count one day of the store from the ledger, the orders and the parcels. */
import { sql, type RawBuilder } from 'kysely'
import type { Database, Tx } from '#platform/db.ts'
import type { FigureKind } from './figures.sql.server.ts'
import { figuresFrom, type Span } from './entries.sql.server.ts'
import { cashEntries, parcelEntries, refundEntries } from './money-entries.sql.server.ts'
import { cartEntries, shopEntries, supplierEntries } from './operation-entries.sql.server.ts'
import { saleEntries, type SaleKind } from './sale-entries.sql.server.ts'

/** Marks a day as counted at `at`, and locks it until the transaction ends. */
export async function markCounted(tx: Tx, day: string, at: Temporal.Instant): Promise<void> {
  await sql`
    insert into report_day (day, counted_at) values (${day}::date, ${at}::timestamptz)
    on conflict (day) do update set counted_at = excluded.counted_at`.execute(tx)
}

/** Removes the figures of a day that is counted again. */
export async function deleteFigures(tx: Tx, day: string): Promise<void> {
  await sql`delete from report_figure where day = ${day}::date`.execute(tx)
}

/** A day in the store's time zone. `isOver` is true once the next day has started. */
export type CountedDay = Span & { day: string; isOver: boolean }

const saleKinds: readonly SaleKind[] = ['sale', 'brand', 'promotion', 'authority']

type Source = {
  kinds: readonly FigureKind[]
  entries(day: CountedDay, kinds: readonly FigureKind[]): RawBuilder<unknown>
}

/** Where the figures of each kind are from. */
const sources: readonly Source[] = [
  {
    kinds: saleKinds,
    entries: (day, kinds) =>
      saleEntries(
        day,
        saleKinds.filter((kind) => kinds.includes(kind)),
      ),
  },
  { kinds: ['parcel'], entries: parcelEntries },
  { kinds: ['refund'], entries: refundEntries },
  { kinds: ['cash'], entries: cashEntries },
  { kinds: ['job', 'no-show', 'shop-cancellation', 'rating'], entries: shopEntries },
  { kinds: ['cart'], entries: cartEntries },
  { kinds: ['supplier-ordered', 'supplier-filled', 'supplier-short', 'supplier-parcel'], entries: supplierEntries },
]

/** The entries of a day that figures of some kinds are summed from, and of kinds counted together with them. */
export function entriesOf(day: CountedDay, kinds: readonly FigureKind[]): RawBuilder<unknown> | null {
  const needed = sources.filter((source) => source.kinds.some((kind) => kinds.includes(kind)))
  if (needed.length === 0) return null
  return sql.join(
    needed.map(({ entries }) => sql`(${entries(day, kinds)})`),
    sql` union all `,
  )
}

/** Adds the figures of a day. */
export async function insertFigures(tx: Tx, day: CountedDay): Promise<void> {
  for (const { kinds, entries } of sources) await figuresFrom(day.day, entries(day, kinds)).execute(tx)
}

/** Returns the time of the oldest ledger entry; undefined for an empty ledger. */
export async function selectFirstEntry(db: Database): Promise<Temporal.Instant | undefined> {
  const first = await db.selectFrom('ledger_entry').select('at').orderBy('id').limit(1).executeTakeFirst()
  return first?.at
}

/** The days from `from` to `to` that are not counted yet. */
export async function selectUncounted(db: Database, from: string, to: string): Promise<string[]> {
  const { rows } = await sql<{ day: string }>`
    select day::text from (select generate_series(${from}::date, ${to}::date, interval '1 day')::date as day) as every_day
    where not exists (select from report_day where report_day.day = every_day.day) order by every_day.day`.execute(db)
  return rows.map(({ day }) => day)
}
