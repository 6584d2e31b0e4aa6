import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { keepBuiltFiles } from '#platform/built-files.ts'
import { systemClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { createDatabase } from '#platform/db.ts'
import { migrate } from '#platform/migrate.ts'
import { roleOf } from '#platform/role-limits.ts'

const built = fileURLToPath(new URL('../build/client/assets', import.meta.url))

/** Migrates a store's database. If pages reach it through a pooler, sets their limits on its role. */
export function migrateStore({ url, directUrl, pooler, patience }: Config['database']): Promise<{ applied: string[] }> {
  return migrate(directUrl, { limits: pooler ? { role: roleOf(url), patience } : undefined })
}

/** Lets processes of other releases give out the files of this build; without a build there are none. */
export async function keepBuild({ directUrl }: Pick<Config['database'], 'directUrl'>): Promise<void> {
  if (!existsSync(built)) return
  const db = createDatabase(directUrl, { size: 1 })
  try {
    await keepBuiltFiles(db, built, systemClock.now())
  } finally {
    await db.destroy()
  }
}
