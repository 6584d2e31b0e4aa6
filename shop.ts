/**
 * Composition: one plain object that holds what the use cases are given. Web, worker, tests and scripts make it from a configuration;
 * tests replace parts. Nothing starts on import.
 */
import type { Hono } from 'hono'
import { systemClock, type Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { createDatabase, type Database } from '#platform/db.ts'
import { createLog, type Log } from '#platform/log.ts'

export type Shop = {
  config: Config
  clock: Clock
  log: Log
  db: Database
  /** Parts of the web that answer for themselves, with their own body handling: webhooks, pictures. */
  webMounts: { path: string; app: Hono }[]
  close(): Promise<void>
}

/** Builds the store. `overrides` replace parts before anything that depends on them is made. */
export function createShop(config: Config, overrides: Partial<Pick<Shop, 'clock' | 'db' | 'log'>> = {}): Shop {
  const clock = overrides.clock ?? systemClock
  const log = overrides.log ?? createLog(config.log.level, 'sidewall')
  const db = overrides.db ?? createDatabase(config.database.url, { size: config.database.poolSize })
  return { config, clock, log, db, webMounts: [], close: () => db.destroy() }
}
