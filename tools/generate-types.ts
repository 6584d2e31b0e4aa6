/** `node tools/generate-types.ts URL`: writes db/types.ts from a migrated database. The drift check in `npm run check` runs the same. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'

const url = process.argv[2]
const out = process.argv[3] ?? 'db/types.ts'
if (!url) throw new Error('Give the address of a migrated database.')

execFileSync(process.execPath, ['node_modules/kysely-codegen/dist/cli/bin.js', '--url', url, '--out-file', out, '--default-schema', 'public', '--exclude-pattern', '{graphile_worker.*,schema_migration}'], { stdio: ['ignore', 'ignore', 'inherit'] })

// What platform/db.ts reads and writes differs from pg's defaults for these four types.
const types = readFileSync(out, 'utf8')
  .replace(/export type Timestamp = .*/, 'export type Timestamp = ColumnType<Temporal.Instant, Temporal.Instant | string, Temporal.Instant | string>;')
  .replace(/export type Int8 = .*/, 'export type Int8 = number;')
  .replace(/export type Numeric = .*/, 'export type Numeric = number;')
  .replace(/(on|week): Timestamp/g, '$1: string')
writeFileSync(out, types)
