/**
 * Steps of migrations that a release before would not survive, while both serve or after going back
 * (docs/runbooks/upgrades.md).
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Written before there was a release to be kept alive. */
const firstGuarded = '20261127'

const name = String.raw`(?:"[^"]+"|[\w.]+)`
const steps: readonly [what: string, pattern: RegExp][] = [
  [
    'drops a table',
    new RegExp(String.raw`\bdrop\s+(?:table|view|materialized\s+view)\s+(?:if\s+exists\s+)?(${name})`, 'g'),
  ],
  [
    'drops a column',
    new RegExp(
      String.raw`\bdrop\s+(?:column\s+)?(?!(?:column|constraint|default|not|expression|identity|table|view|materialized|index|trigger|function|procedure|policy|sequence|type|schema|role|extension|rule|domain|statistics|event|owned)\b)(?:if\s+exists\s+)?(${name})`,
      'g',
    ),
  ],
  ['drops a type', new RegExp(String.raw`\bdrop\s+(?:type|domain)\s+(?:if\s+exists\s+)?(${name})`, 'g')],
  ['renames a table', new RegExp(String.raw`\balter\s+table\s+(${name})\s+rename\s+to\b`, 'g')],
  [
    'renames a column',
    new RegExp(String.raw`\brename\s+(?:column\s+)?(?!(?:constraint|column|to)\b)(${name})\s+to\b`, 'g'),
  ],
  ['changes a type', new RegExp(String.raw`\balter\s+(?:column\s+)?(${name})\s+(?:set\s+data\s+)?type\b`, 'g')],
  ['takes no null any more', new RegExp(String.raw`\balter\s+(?:column\s+)?(${name})\s+set\s+not\s+null`, 'g')],
]
const addedColumn = new RegExp(
  String.raw`\badd\s+(?:column\s+)(?:if\s+not\s+exists\s+)?(${name})([^;]*?)(?=,\s*(?:add|drop|alter)\b|;|$)`,
  'g',
)

/** The contract steps of a migration, such as `drops a column: note`. */
export function contractSteps(migration: string): string[] {
  const sql = migration
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
  const isNew = (table: string) =>
    new RegExp(String.raw`\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?${table}\b`).test(sql)
  const hasDefault = (column: string) =>
    new RegExp(String.raw`\balter\s+(?:column\s+)?${column}\s+set\s+default\b`).test(sql)
  const found = steps.flatMap(([what, pattern]) =>
    [...sql.matchAll(pattern)]
      .map(([, named = '']) => named)
      // Excludes tables replaced by another one of that name or created only for the migration.
      .filter((named) => !(what.endsWith('a table') && isNew(named)))
      .filter((named) => !(what === 'takes no null any more' && hasDefault(named)))
      .map((named) => `${what}: ${named}`),
  )
  const added = [...sql.matchAll(addedColumn)]
    .filter(([, , rest = '']) => /\bnot\s+null\b/.test(rest) && !/\bdefault\b|\bgenerated\b/.test(rest))
    .map(([, named = '']) => `adds a column that must be given: ${named}`)
  return [...found, ...added]
}

/** Returns the release since which the contracted parts are unused, from the migration's first comment. */
export function contractedSince(migration: string): string | undefined {
  const head = /^(?:--[^\n]*\n?)+/.exec(migration)?.[0] ?? ''
  return /^-- Contract: .+ unused since v(\d+\.\d+\.\d+)\.?$/m.exec(head)?.[1]
}

/** A line for each migration under `root` that contracts without saying since when that is safe. */
export async function checkMigrations(root: string): Promise<string[]> {
  const folder = join(root, 'db/migrations')
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  const complaints: string[] = []
  for (const file of (await readdir(folder)).filter((each) => each >= firstGuarded).sort()) {
    const text = await readFile(join(folder, file), 'utf8')
    const found = contractSteps(text)
    const since = contractedSince(text)
    if (found.length === 0 || (since !== undefined && isEarlier(since, version))) continue
    complaints.push(
      `db/migrations/${file} ${found.join(', ')}. The release before may still use it: see docs/runbooks/upgrades.md.`,
    )
  }
  return complaints
}

/** Whether a release is one that this one comes after. */
function isEarlier(release: string, current: string): boolean {
  const [a, b] = [release, current].map((version) => version.split('.').map(Number))
  const differs = a?.findIndex((part, at) => part !== b?.[at]) ?? -1
  return differs >= 0 && (a?.[differs] ?? 0) < (b?.[differs] ?? 0)
}
