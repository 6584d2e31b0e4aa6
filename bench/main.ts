/**
 * `npm run bench`: the store's throughput next to the machine's limits, measured in the same run. Prints tables and
 * writes bench/results/<time>.json; docs/performance.md explains how to read them.
 *
 *   BENCH_SCALE=1m     also a catalog of a million articles (seeding takes two minutes)
 *   BENCH_LONG=1       100,000 requests for the memory of web and worker, instead of 20,000
 *   BENCH_ONLY=orders,memory  only the parts whose names contain one of these
 *   BENCH_SECONDS, BENCH_ROUNDS    length and number of the runs behind each median (2.5 and 3)
 *   BENCH_PORT         the first of 50 ports (7450)
 *   BENCH_PROFILE      a folder for CPU profiles of the measured processes
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { createDatabase } from '#platform/db.ts'
import { buildIfStale } from '../tools/build.ts'
import { runCommand } from '../tools/command.ts'
import { project } from '../tools/package-program.ts'
import { createEnvironment } from './environment.ts'
import { measureAgents } from './part-agents.ts'
import { measureApi } from './part-api.ts'
import { measureBrowser } from './part-browser.ts'
import { measureImport } from './part-import.ts'
import { measureJourneys } from './part-journeys.ts'
import { measureKept } from './part-kept.ts'
import { measureMemory } from './part-memory.ts'
import { measureOffice } from './part-office.ts'
import { measureOrders } from './part-orders.ts'
import { measureBrowsing, measurePages, measureTwoProcesses } from './part-pages.ts'
import { measureReports } from './part-reports.ts'
import { measureMillion, measureSearch } from './part-search.ts'
import { measureShops } from './part-shops.ts'
import { measureSuppliers } from './part-suppliers.ts'
import { startProcess } from './processes.ts'
import { printReport, type Row } from './report.ts'
import { readSampleCatalog } from './sample-catalog.ts'

const {
  BENCH_SCALE,
  BENCH_LONG,
  BENCH_ONLY = '',
  BENCH_SECONDS = '2.5',
  BENCH_ROUNDS = '3',
  BENCH_PORT = '7450',
} = process.env

await runCommand(async () => {
  const began = performance.now()
  const say = (line: string) =>
    console.error(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}`)
  await using started = new AsyncDisposableStack()
  // Ctrl-C stops everything started, in order, before the process exits.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void started.disposeAsync().then(() => process.exit(1)))

  say('building')
  await buildIfStale()
  say('starting PostgreSQL')
  const environment = await createEnvironment(Number(BENCH_PORT), started, say)
  const databaseUrl = await environment.addDatabase('default')
  const client = started.use(await startProcess('bench/load-client.ts', process.env))
  const store = await environment.startStore(databaseUrl)
  const limits = await environment.startLimits(databaseUrl, store)
  const db = createDatabase(databaseUrl, { size: 2 })
  const sample = await readSampleCatalog(db)
  await db.destroy()

  const bench = {
    ...environment,
    client,
    store,
    limits,
    databaseUrl,
    sample,
    say,
    pace: { rounds: Number(BENCH_ROUNDS), milliseconds: Number(BENCH_SECONDS) * 1000 },
  }
  const parts: [name: string, measure: () => Promise<Row[]>][] = [
    ['pages', () => measurePages(bench)],
    ['browsing', () => measureBrowsing(bench)],
    ['search', () => measureSearch(bench)],
    ['api', () => measureApi(bench)],
    ['orders', () => measureOrders(bench)],
    ['journeys', () => measureJourneys(bench)],
    ['agents', () => measureAgents(bench)],
    ['shops', () => measureShops(bench)],
    ['suppliers', () => measureSuppliers(bench)],
    ['import', () => measureImport(bench)],
    ['reports', () => measureReports(bench)],
    ['office', () => measureOffice(bench)],
    ['processes', () => measureTwoProcesses(bench)],
    ['kept', () => measureKept(bench, BENCH_LONG ? 7_000 : 500)],
    ['memory', () => measureMemory(bench, BENCH_LONG ? 100_000 : 20_000)],
    ['browser', () => measureBrowser(bench)],
    ...(BENCH_SCALE === '1m'
      ? [['million', () => measureMillion(bench)] satisfies [string, () => Promise<Row[]>]]
      : []),
  ]
  const rows: Row[] = []
  try {
    for (const [name, measure] of parts.filter(([each]) =>
      BENCH_ONLY.split(',').some((wanted) => each.includes(wanted)),
    )) {
      say(name)
      rows.push(...(await measure()))
    }
  } finally {
    // Even if a part fails, since earlier measurements took minutes.
    await writeReport(rows, (performance.now() - began) / 1000)
  }
})
process.exit()

async function writeReport(rows: readonly Row[], seconds: number): Promise<void> {
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, Node ${process.version}, ${process.platform} ${process.arch}`
  console.log(printReport(rows, machine))
  const folder = join(project, 'bench', 'results')
  const file = join(folder, `${Temporal.Now.instant().toString({ smallestUnit: 'second' }).replaceAll(':', '-')}.json`)
  await mkdir(folder, { recursive: true })
  await writeFile(file, `${JSON.stringify({ machine, seconds: Math.round(seconds), rows }, null, 2)}\n`)
  console.log(`\nWritten to ${file}`)
}
