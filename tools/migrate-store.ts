import type { Config } from '#platform/config.ts'
import { migrate } from '#platform/migrate.ts'
import { roleOf } from '#platform/role-limits.ts'

/** Migrates a store's database. If pages reach it through a pooler, sets their limits on its role. */
export function migrateStore({ url, directUrl, pooler, patience }: Config['database']): Promise<{ applied: string[] }> {
  return migrate(directUrl, { limits: pooler ? { role: roleOf(url), patience } : undefined })
}
