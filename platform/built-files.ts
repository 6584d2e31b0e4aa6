/**
 * Scripts, styles and fonts of every release of the last months, in the database that all web processes share. Their
 * names carry a hash of their content, so one name is one content forever (docs/decisions/091-upgrades.md).
 */
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Database } from './db.ts'

export type BuiltFile = { isBrotli: boolean; bytes: Buffer }

/** Pages stay open in tabs, and a release may be gone back to, for about this long. */
const keptDays = 90

/**
 * Puts the files of the build in `folder` where other releases find them, and forgets those of releases that no
 * process was started with for 90 days. To be called before the first page is served: its scripts may be asked of
 * another process.
 */
export async function keepBuiltFiles(db: Database, folder: string, now: Temporal.Instant): Promise<void> {
  const files = await readdir(folder)
  const names = files.filter((name) => !/\.(?:br|gz|map)$/.test(name))
  const { rows } = await sql<{ name: string }>`
    update built_file set released_at = ${now} where name = any(${names}) returning name`.execute(db)
  const known = new Set(rows.map(({ name }) => name))
  for (const name of names.filter((each) => !known.has(each))) {
    const path = join(folder, name)
    const isBrotli = existsSync(`${path}.br`)
    const bytes = await readFile(isBrotli ? `${path}.br` : path)
    await db
      .insertInto('built_file')
      .values({ name, is_brotli: isBrotli, bytes, released_at: now })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ released_at: now }))
      .execute()
  }
  await db
    .deleteFrom('built_file')
    .where('released_at', '<', now.subtract({ hours: keptDays * 24 }))
    .execute()
}

/** The file of that name, of whatever release. */
export async function findBuiltFile(db: Database, name: string): Promise<BuiltFile | undefined> {
  const found = await db
    .selectFrom('built_file')
    .select(['is_brotli', 'bytes'])
    .where('name', '=', name)
    .executeTakeFirst()
  return found && { isBrotli: found.is_brotli, bytes: found.bytes }
}
