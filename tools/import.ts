/**
 * `npm run import -- products FILE` imports a supplier's feed into the catalog at DATABASE_URL, or the one of the store
 * started by `npm start`. See docs/runbooks/import.md for the steps and docs/feeds for the file format. Exit codes: 0
 * done, 1 refused or failed, 2 usage error, 3 awaiting confirmation, 4 published without some rows.
 */
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { feedKinds, type FeedKind, type ImportRun } from '#domain/catalog/catalog-import/catalog-import.ts'
import {
  findImport,
  importFeed,
  listImports,
  reportOf,
  resumeImport,
  rollBackImport,
  type FeedSource,
  type ImportDeps,
  type ImportProgress,
} from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { customerRecords } from '#domain/customers/customers/customers.server.ts'
import { systemClock } from '#platform/clock.ts'
import { createDatabase, createPool } from '#platform/db.ts'
import { PlainError } from '#platform/plain-error.ts'
import { countOf } from '#platform/count-text.ts'
import { commandActor, runCommand } from './command.ts'
import { belowMapLines, explainRollBack, explainStart, lineOfRun, outcomeOfRun, usage } from './import-messages.ts'
import { findStoreDatabase } from './store-database.ts'

const exitCodes = { done: 0, failed: 1, notUnderstood: 2, waiting: 3, partly: 4 } as const
const problemsShown = 10

type Options = ReturnType<typeof readOptions>['values']

// An import produces mostly garbage; collecting it early halves the memory for a tenth more time.
setFlagsFromString('--optimize-for-size')

await runCommand(async () => {
  const { positionals, values } = readOptions()
  const url = await findStoreDatabase()
  const db = createDatabase(url, { size: 2, application: 'sidewall-import' })
  const pool = createPool(url, { size: 1, application: 'sidewall-import' })
  try {
    process.exitCode = await run(
      { db, pool, clock: systemClock, customerRecords, by: commandActor() },
      positionals,
      values,
    )
  } finally {
    await Promise.all([db.destroy(), pool.end()])
  }
})

function readOptions() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        'all-or-nothing': { type: 'boolean', default: false },
        'per-row': { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
        report: { type: 'string' },
      },
    })
  } catch (error) {
    return misunderstood(error instanceof Error ? error.message : '')
  }
}

/** Ends the process before anything has started. */
function misunderstood(why: string): never {
  console.error([why, usage].filter(Boolean).join('\n\n'))
  process.exit(exitCodes.notUnderstood)
}

function run(deps: ImportDeps, [command = '', ...rest]: string[], options: Options): Promise<number> {
  if (options['all-or-nothing'] && options['per-row'])
    misunderstood('--all-or-nothing and --per-row exclude each other.')
  const kind = feedKinds.find((kind) => kind === command)
  if (kind !== undefined && rest.length === 1) return bringIn(deps, kind, rest[0] ?? '', options)
  if (command === 'resume' && (rest.length === 1 || rest.length === 2))
    return goOn(deps, runNumber(rest[0]), rest[1], options)
  if (command === 'rollback' && rest.length <= 1)
    return takeBack(deps, rest[0] === undefined ? undefined : runNumber(rest[0]))
  if (command === 'list' && rest.length === 0) return list(deps)
  return misunderstood('')
}

function runNumber(text = ''): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : misunderstood(`"${text}" is not the number of a run.`)
}

async function bringIn(deps: ImportDeps, kind: FeedKind, path: string, options: Options): Promise<number> {
  const source = await fileSource(path)
  const began = await importFeed(deps, {
    kind,
    source,
    mode: options['per-row'] ? 'per-row' : 'all-or-nothing',
    isDry: options['dry-run'],
    isYes: options.yes,
    say: progress(),
  })
  return began.ok ? tell(deps, began.value, options) : fail(explainStart(began))
}

/** Resumes with the file at its original path; a moved file can be given. */
async function goOn(deps: ImportDeps, runId: number, path: string | undefined, options: Options): Promise<number> {
  const known = await findImport(deps, runId)
  const source = await fileSource(path ?? known?.fileName ?? '', known?.state !== 'reading')
  const resumed = await resumeImport(deps, { runId, source, isYes: options.yes, say: progress() })
  return resumed.ok ? tell(deps, resumed.value, options) : fail(explainStart(resumed))
}

async function takeBack(deps: ImportDeps, runId: number | undefined): Promise<number> {
  const taken = await rollBackImport(deps, { runId })
  if (!taken.ok) return fail(explainRollBack(taken))
  const { run, kept, belowMap } = taken.value
  console.log(`Run ${run.id} is rolled back. All changed rows are restored.`)
  for (const line of belowMapLines(belowMap)) console.log(line)
  if (kept > 0)
    console.log(
      `${countOf(kept, 'row')} it created had to stay, because orders, carts or others refer to them. Tires among them are off sale.`,
    )
  return belowMap?.isRefused ? exitCodes.partly : exitCodes.done
}

async function list(deps: ImportDeps): Promise<number> {
  const runs = await listImports(deps, { limit: 20 })
  console.log(runs.length === 0 ? 'No import has run here yet.' : runs.map(lineOfRun).join('\n'))
  return exitCodes.done
}

async function fileSource(name: string, mayBeGone = false): Promise<FeedSource> {
  const path = fromHere(name)
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile() && !mayBeGone)
    throw new PlainError(`There is no file ${path}. Check the path, or name the file behind the number of the run.`)
  return { name: path, open: () => createReadStream(path) }
}

/** npm runs this in the project's folder and passes the folder it was called from. */
function fromHere(path: string): string {
  return resolve(process.env.INIT_CWD ?? '', path)
}

async function tell(deps: ImportDeps, run: ImportRun, { report }: Options): Promise<number> {
  console.log(`${process.stdout.isTTY ? '\n' : ''}${outcomeOfRun(run)}`)
  if (report !== undefined) {
    await pipeline(Readable.from(reportOf(deps, run.id)), createWriteStream(fromHere(report)))
    console.log(`The report is in ${report}.`)
  } else if (run.refusedCount > 0 || run.state === 'refused') {
    await showProblems(deps, run)
  }
  if (run.state === 'refused') return exitCodes.failed
  if (run.state === 'waiting-for-yes') return exitCodes.waiting
  return run.refusedCount > 0 || run.summary.belowMap?.isRefused ? exitCodes.partly : exitCodes.done
}

async function showProblems(deps: ImportDeps, run: ImportRun): Promise<void> {
  const lines: string[] = []
  for await (const piece of reportOf(deps, run.id)) {
    lines.push(...piece.split('\r\n').filter(Boolean))
    if (lines.length > problemsShown) break
  }
  console.log(lines.slice(0, problemsShown + 1).join('\n'))
  if (lines.length > problemsShown + 1)
    console.log(`And more: run it again with --report ${basename(run.fileName)}.report.csv to see them all.`)
}

function fail(message: string): number {
  console.error(message)
  return exitCodes.failed
}

/** One line that is overwritten on a terminal; in a log, an occasional line. */
function progress(): (progress: ImportProgress) => void {
  const isTerminal = process.stdout.isTTY
  const pause = isTerminal ? 200 : 5_000
  let first: { step: ImportProgress['step']; rows: number; at: number } | undefined
  let last = 0
  return ({ step, rows }) => {
    const now = performance.now()
    // A resumed run starts where it stopped.
    const isNewStep = first?.step !== step
    if (isNewStep) first = { step, rows, at: now }
    if (!isNewStep && now - last < pause) return
    last = now
    const perSecond = first && now > first.at ? Math.round(((rows - first.rows) / (now - first.at)) * 1000) : 0
    const what = step === 'reading' ? 'Reading' : 'Checking and publishing'
    const figures =
      rows > 0
        ? `: ${countOf(rows, 'row')}${perSecond > 0 ? `, ${perSecond.toLocaleString('en-US')} a second` : ''}`
        : ''
    process.stdout.write(
      isTerminal
        ? `${isNewStep && step === 'publishing' ? '\n' : '\r'}${what}${figures}\u001b[K`
        : `${what}${figures}\n`,
    )
  }
}
