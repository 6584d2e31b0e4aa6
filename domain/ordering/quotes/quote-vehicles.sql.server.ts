/** Queries for quotes with several vehicles. Each vehicle is a row of `sales_quote`. */
import type { Database, Tx } from '#platform/db.ts'
import { newId } from '#platform/ids.ts'
import { selectQuote, type Quote } from './quotes.sql.server.ts'

/** Returns a quote's vehicles in their order. Empty unless `id` is its first row. */
export async function selectVehicles(db: Database, id: number): Promise<Quote[]> {
  const quotes: Quote[] = []
  for (const row of await rowsOf(db, id).execute()) {
    const quote = await selectQuote(db, row.id)
    if (quote) quotes.push(quote)
  }
  return quotes[0]?.mainId === null ? quotes : []
}

/** Locks a quote's vehicles until the transaction ends, and returns them as `selectVehicles` does. */
export async function lockVehicles(tx: Tx, id: number): Promise<Quote[]> {
  await rowsOf(tx, id).forUpdate().execute()
  return selectVehicles(tx, id)
}

function rowsOf(db: Database, id: number) {
  return db
    .selectFrom('sales_quote')
    .select('id')
    .where(({ or, eb }) => or([eb('id', '=', id), eb('main_id', '=', id)]))
    .orderBy('position')
}

/** Inserts another vehicle into a draft, and returns its id. `updateDraft` fills it in. */
export async function insertVehicle(
  tx: Tx,
  main: Pick<Quote, 'id' | 'version' | 'name' | 'email'> & { goodThrough: Temporal.PlainDate },
  { position, by, at }: { position: number; by: string; at: Temporal.Instant },
): Promise<number> {
  const { id } = await tx
    .insertInto('sales_quote')
    .values({
      form_key: newId(),
      main_id: main.id,
      position,
      version: main.version,
      name: main.name,
      email: main.email,
      good_through_on: main.goodThrough.toString(),
      created_at: at,
      created_by: by,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Deletes a draft's vehicles after the first `count`. */
export async function deleteVehiclesAfter(tx: Tx, mainId: number, count: number): Promise<void> {
  await tx.deleteFrom('sales_quote').where('main_id', '=', mainId).where('position', '>', count).execute()
}

/** Returns whether one of these vehicles was ordered after `draftId` was started. */
export async function selectOrderedSince(
  tx: Tx,
  vehicles: readonly Pick<Quote, 'id'>[],
  draftId: number,
): Promise<boolean> {
  const row = await tx
    .selectFrom('sales_quote_event')
    .select('id')
    .where(
      'quote_id',
      'in',
      vehicles.map(({ id }) => id),
    )
    .where('to_state', '=', 'ordered')
    // Ids grow in the order of the locks that both events need.
    .where('id', '>', ({ selectFrom }) =>
      selectFrom('sales_quote_event as started')
        .select(({ fn }) => fn.min<number>('started.id').as('id'))
        .where('started.quote_id', '=', draftId),
    )
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes quotes without an order that were last changed before `before`; returns how many. */
export async function deleteOver(db: Database, before: Temporal.Instant): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sales_quote')
    .where('main_id', 'is', null)
    .where('state', 'in', ['draft', 'needs-approval', 'expired', 'withdrawn', 'replaced'])
    .where('updated_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sales_quote as other')
            .select('other.id')
            .whereRef('other.main_id', '=', 'sales_quote.id')
            .where('other.state', '=', 'ordered'),
        ),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
