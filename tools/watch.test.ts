/**
 * Tests deploy/watch against the code. Alerts and dashboards use existing metrics, every alert is in the runbook, and
 * the objectives match the code.
 */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { DB } from '#db/types.ts'
import { objectiveNames, objectives } from '#domain/operations/health/health.ts'
import { createMetrics } from '#platform/metrics.ts'
import { openReplica } from '#platform/replica.ts'
import { project } from './package-program.ts'

const folder = join(project, 'deploy/watch')
const read = (path: string) => readFile(join(project, path), 'utf8')

type Rule = {
  alert?: string
  record?: string
  expr: string
  labels?: { severity?: string }
  annotations?: { summary?: string; runbook?: string }
}
const { groups } = parse(await read('deploy/watch/store.rules.yaml')) as { groups: { rules: Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const alerts = rules.filter((rule) => rule.alert !== undefined)
const recorded = new Set(rules.flatMap(({ record }) => record ?? []))

/** The names of the metrics that a web process or a worker has. */
async function emitted(): Promise<Set<string>> {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: new pg.Pool({ max: 1 }) }) })
  const replica = openReplica(db, { url: 'postgres://localhost:1/none', size: 1, lagSeconds: 5 })
  const metrics = createMetrics({ db, replica })
  metrics.watchProcess()
  metrics.watchPages(() => ({ sent: 1, unchanged: 1, waited: 1, bytes: 1, pages: 2, newPages: 1, evictions: 1 }))
  const text = await metrics.read()
  await replica.close()
  await db.destroy()
  return new Set([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) => seriesOf(name, type)))
}

function seriesOf(name: string, type: string | undefined): string[] {
  if (type === 'histogram') return ['_bucket', '_count', '_sum'].map((ending) => name + ending)
  return type === 'counter' ? [`${name}_total`, name] : [name]
}

/** Returns the metrics in an expression (its words except functions, labels, keywords, and durations). */
function namesIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, '')
  return [...bare.matchAll(/[a-z_:][a-z0-9_:]*(?!\w*\s*\()/gi)]
    .map(([name]) => name)
    .filter((name) => /[_:]/.test(name) && !['histogram_quantile', 'group_left', 'group_right'].includes(name))
}

test('every metric of the rules and dashboards is one that the store has', async () => {
  const known = new Set([...(await emitted()), ...recorded])
  const boards = await readdir(join(folder, 'dashboards'))
  const expressions = rules.map(({ expr }) => expr)
  for (const board of boards) {
    const { panels } = JSON.parse(await read(`deploy/watch/dashboards/${board}`)) as {
      panels: { targets: { expr: string }[] }[]
    }
    expressions.push(...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)))
  }
  const named = expressions.flatMap(namesIn)
  expect(boards.length).toBeGreaterThan(0)
  expect(new Set(named).size).toBeGreaterThan(20)
  expect([...new Set(named.filter((name) => !known.has(name)))]).toEqual([])
})

test('every alert has a severity, a description, and a runbook section', async () => {
  const runbook = await read('docs/runbooks/alerts.md')
  const headings = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, heading = '']) => heading)
  expect(headings).toEqual(alerts.map(({ alert }) => alert))
  for (const { alert, labels, annotations } of alerts) {
    expect(['page', 'ticket']).toContain(labels?.severity)
    expect(annotations?.summary).toMatch(/\.$/)
    expect(annotations?.runbook).toBe(`docs/runbooks/alerts.md#${String(alert).toLowerCase()}`)
  }
})

test('burn rates match the objectives in the code', () => {
  const byObjective = alerts.flatMap(({ expr }) =>
    [...expr.matchAll(/objective="(\w+)"\} > [\d.]+ \* \(1 - ([\d.]+)\)/g)].map(([, name, target]) => [name, target]),
  )
  expect(byObjective.length).toBe(16)
  for (const [name, target] of byObjective) {
    const known = objectiveNames.find((each) => each === name)
    expect(known && objectives[known].targetPpm, name).toBe(Math.round(Number(target) * 1_000_000))
  }
})
