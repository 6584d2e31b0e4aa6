import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { installReferenceData, type Installed } from '#db/reference/reference-data.ts'
import { keepBuiltFiles } from '#platform/built-files.ts'
import { systemClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { createDatabase } from '#platform/db.ts'
import { migrate } from '#platform/migrate.ts'
import { roleOf } from '#platform/role-limits.ts'

const built = fileURLToPath(new URL('../build/client/assets', import.meta.url))

/**
 * Migrates a store's database and installs its reference data. If pages reach it through a pooler, sets their limits on
 * its role. Returns the migrations that were applied and the sets of reference data that were new or changed.
 */
export async function migrateStore({
  url,
  directUrl,
  pooler,
  patience,
}: Config['database']): Promise<{ applied: string[]; installed: Installed[] }> {
  const { applied } = await migrate(directUrl, { limits: pooler ? { role: roleOf(url), patience } : undefined })
  return { applied, installed: await installReferenceData(directUrl) }
}

/** Makes this build's files available to other releases' processes. Skipped without a build. */
export async function keepBuild({ directUrl }: Pick<Config['database'], 'directUrl'>): Promise<void> {
  if (!existsSync(built)) return
  const db = createDatabase(directUrl, { size: 1 })
  try {
    await keepBuiltFiles(db, built, systemClock.now())
  } finally {
    await db.destroy()
  }
}
