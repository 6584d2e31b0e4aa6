/**
 * Vitest global setup, with one PostgreSQL for the whole run. `DATABASE_TEST_URL` selects an existing server instead.
 */
import type { TestProject } from 'vitest/node'
import { startTestPostgres } from '#tests/support/test-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export async function setup(project: TestProject): Promise<(() => Promise<void>) | void> {
  const given = process.env.DATABASE_TEST_URL
  if (given) return project.provide('postgresUrl', given)
  const postgres = await startTestPostgres()
  project.provide('postgresUrl', postgres.url)
  return postgres.stop
}
