import { sql } from 'kysely'
import type { Database } from '#platform/db.ts'

/** Enters stock that a test wrote or moved by SQL as opening stock, so that inventory agrees with it. */
export async function openInventory(db: Database): Promise<void> {
  await sql`select count_inventory('opening', now(), array(select id from item order by id))`.execute(db)
}
