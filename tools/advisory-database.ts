/**
 * Known vulnerabilities of npm packages from a folder of records in the Open Source Vulnerability format: what
 * https://osv-vulnerabilities.storage.googleapis.com/npm/all.zip unpacks to, or a checkout of github/advisory-database.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { PlainError } from '#platform/plain-error.ts'
import { countOf } from '#platform/count-text.ts'
import type { AffectedVersions } from './affected-versions.ts'

/** A package's advisory with all its IDs. `severity` is a word. */
export type Advisory = {
  ids: readonly string[]
  title: string
  severity: string
  packageName: string
  versions: AffectedVersions
}

/** Advisories by name of package, how many records of npm packages there are, and when the last one was changed. */
export type AdvisoryDatabase = { advisories: Map<string, Advisory[]>; records: number; newest: Temporal.Instant }

const instant = z.string().transform((text) => Temporal.Instant.from(text))
const version = z.string().min(1).optional()
const affectedPackage = z.object({
  package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
  ranges: z
    .array(
      z.object({
        type: z.string(),
        events: z.array(z.object({ introduced: version, fixed: version, last_affected: version, limit: version })),
      }),
    )
    .default([]),
  versions: z.array(z.string()).default([]),
  database_specific: z.object({ last_known_affected_version_range: z.string().optional() }).optional(),
})
const record = z.object({
  id: z.string().min(1),
  modified: instant,
  withdrawn: z.string().optional(),
  aliases: z.array(z.string()).default([]),
  summary: z.string().optional(),
  affected: z.array(affectedPackage).default([]),
  database_specific: z.object({ severity: z.string().optional() }).optional(),
})

/** More files than all ecosystems together have, and more text than a record. */
const mostFiles = 2_000_000
const mostCharacters = 8_000_000
const readAtOnce = 64

/**
 * Reads every advisory of an npm package below `folder`. Refuses an empty folder, an unreadable record, and a folder
 * with no record newer than `days` at `now`, unless `days` is undefined.
 */
export async function readAdvisoryDatabase(
  folder: string,
  { days, now }: { days: number | undefined; now: Temporal.Instant },
): Promise<AdvisoryDatabase> {
  const advisories = new Map<string, Advisory[]>()
  let records = 0
  let newest: Temporal.Instant | undefined
  const files = await recordFiles(folder)
  for (let start = 0; start < files.length; start += readAtOnce) {
    const read = await Promise.all(files.slice(start, start + readAtOnce).map(readRecord))
    for (const each of read) {
      if (each === undefined) continue
      records++
      if (newest === undefined || Temporal.Instant.compare(each.modified, newest) > 0) newest = each.modified
      for (const advisory of advisoriesOf(each))
        advisories.set(advisory.packageName, [...(advisories.get(advisory.packageName) ?? []), advisory])
    }
  }
  if (newest === undefined)
    throw new PlainError(`${folder} has no record of an npm package: unpack OSV’s npm/all.zip there.`)
  const age = ageInDays(newest, now)
  if (days !== undefined && age > days)
    throw new PlainError(
      `The newest of ${countOf(records, 'record')} in ${folder} is ${countOf(age, 'day')} old, more than ${days}: download them again, or say --any-age.`,
    )
  return { advisories, records, newest }
}

/** Whole days from `newest` to `now`. */
export function ageInDays(newest: Temporal.Instant, now: Temporal.Instant): number {
  return Math.floor(newest.until(now).total('hours') / 24)
}

async function recordFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new PlainError(`${folder} cannot be read as a folder of records: ${String(error)}`)
  })
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
  if (files.length > mostFiles)
    throw new PlainError(`${folder} has ${countOf(files.length, 'file')}, more than any database.`)
  return files.map(({ parentPath, name }) => join(parentPath, name))
}

/** The record in a file if it concerns an npm package. */
async function readRecord(file: string): Promise<z.infer<typeof record> | undefined> {
  const text = await readFile(file, 'utf8')
  // A checkout has ten times as many records of other ecosystems.
  if (!text.includes('"npm"')) return undefined
  if (text.length > mostCharacters) throw new PlainError(`${file} is too long for a record.`)
  try {
    return record.parse(JSON.parse(text))
  } catch (error) {
    throw new PlainError(`${file} is no record that can be read: ${String(error).slice(0, 300)}`)
  }
}

function advisoriesOf(found: z.infer<typeof record>): Advisory[] {
  if (found.withdrawn !== undefined) return []
  return found.affected.flatMap(({ package: of, ranges, versions, database_specific: specific }) => {
    if (of?.ecosystem !== 'npm') return []
    const narrowed = specific?.last_known_affected_version_range
    return [
      {
        ids: [found.id, ...found.aliases],
        title: found.summary ?? 'no title',
        severity: found.database_specific?.severity?.toLowerCase() ?? 'not rated',
        packageName: of.name,
        versions: { ranges, versions, ...(narrowed === undefined ? {} : { narrowed }) },
      },
    ]
  })
}
