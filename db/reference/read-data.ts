import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'

/**
 * The rows of `db/data/{name}` by column name. Files ending in .br are decompressed first. Sources:
 * THIRD-PARTY-DATA.md.
 */
export function readRows<Column extends string>(name: string): Record<Column, string>[] {
  const bytes = readFileSync(join(import.meta.dirname, '../data', name))
  return parse<Record<Column, string>>(name.endsWith('.br') ? brotliDecompressSync(bytes) : bytes, { columns: true })
}
