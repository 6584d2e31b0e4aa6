import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { migrate } from '#platform/migrate.ts'
import { startTestPostgres } from '#tests/support/test-postgres.ts'
import { describeSchema } from './database-schema.ts'
import { packageProgram, project, runNode } from './package-program.ts'

/** The generated types of all tables and columns. */
export const typesFile = join(project, 'db/types.ts')

/** Nor parts of tables, which come and go by month. */
const notOurs = '{graphile_worker.*,public.schema_migration,public.email_copy_*,public.provider_event_body_*}'

/** platform/db.ts reads and writes these types differently from pg's defaults. */
const corrections: [RegExp, string][] = [
  [
    /export type Timestamp = .*/,
    'export type Timestamp = ColumnType<Temporal.Instant, Temporal.Instant | string, Temporal.Instant | string>;',
  ],
  [/export type Int8 = .*/, 'export type Int8 = number;'],
  [/export type Numeric = .*/, 'export type Numeric = number;'],
  [/(on|week): Timestamp/g, '$1: string'],
]

/** The generated schema. */
export const schemaFile = join(project, 'db/schema.sql')

/**
 * Returns the texts of db/types.ts and db/schema.sql for the migrations, from a temporary database on the server at
 * `serverUrl`, or on a temporary server.
 */
export async function generateDatabaseFiles(serverUrl?: string): Promise<{ types: string; schema: string }> {
  const server = serverUrl === undefined ? await startTestPostgres() : undefined
  const folder = await mkdtemp(join(tmpdir(), 'sidewall-types-'))
  try {
    const url = await migrateBlank(serverUrl ?? server?.url ?? '')
    const file = join(folder, 'types.ts')
    const flags = ['--url', url, '--out-file', file, '--default-schema', 'public', '--exclude-pattern', notOurs]
    const { code, output } = await runNode(packageProgram('kysely-codegen', flags))
    if (code !== 0) throw new Error(`The types of the database could not be generated:\n${output}`)
    const types = corrections.reduce((text, [wrong, right]) => text.replace(wrong, right), await readFile(file, 'utf8'))
    return { types, schema: await describeSchema(url) }
  } finally {
    await server?.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function migrateBlank(serverUrl: string): Promise<string> {
  const name = 'sidewall_types'
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`drop database if exists ${name} with (force)`)
  await client.query(`create database ${name}`)
  await client.end()
  const url = Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  await migrate(url)
  return url
}
