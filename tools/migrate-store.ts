import type { Config } from '#platform/config.ts'
import { migrate } from '#platform/migrate.ts'
import { roleOf } from '#platform/role-limits.ts'

/**
 * Migrates the database of a store. Where pages come to it through a pooler, the role they come as gets their limits.
 */
export function migrateStore({ url, directUrl, pooler, patience }: Config['database']): Promise<{ applied: string[] }> {
  return migrate(directUrl, { limits: pooler ? { role: roleOf(url), patience } : undefined })
}
