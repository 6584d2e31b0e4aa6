/**
 * Scripts, styles and fonts of every release of the last months, in the database that all web processes share. Their
 * names carry a hash of their content, so one name is one content forever (docs/runbooks/upgrades.md).
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
 * Saves the build's files in `folder` for processes of other releases, and deletes those that no release has used for
 * 90 days. Runs during migration, before the first process of a release serves a page.
 */
export async function keepBuiltFiles(db: Database, folder: string, now: Temporal.Instant): Promise<void> {
  const names = (await readdir(folder)).filter((name) => !/\.(?:br|gz|map)$/.test(name))
  const files = await Promise.all(names.map((name) => readBuiltFile(folder, name)))
  await db.transaction().execute(async (tx) => {
    await sql`update built_file set superseded_at = ${now} where superseded_at is null and name <> all(${names})`.execute(
      tx,
    )
    await sql`delete from built_file where superseded_at < ${now.subtract({ hours: keptDays * 24 })}`.execute(tx)
    await sql`
      insert into built_file (name, is_brotli, bytes)
      select * from unnest(${names}::text[], ${files.map(({ isBrotli }) => isBrotli)}::boolean[], ${files.map(({ bytes }) => bytes)}::bytea[])
      on conflict (name) do update set superseded_at = null where built_file.superseded_at is not null`.execute(tx)
  })
}

async function readBuiltFile(folder: string, name: string): Promise<BuiltFile> {
  const path = join(folder, name)
  const isBrotli = existsSync(`${path}.br`)
  return { isBrotli, bytes: await readFile(isBrotli ? `${path}.br` : path) }
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
