/**
 * `npm test`: everything CI runs. `npm test -- booking`: the tests whose file names contain "booking", and no checks.
 * The last line has the totals and nothing else.
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestPostgres } from '#tests/support/test-postgres.ts'
import configuration from '../vitest.config.ts'
import { runChecks } from './checks.ts'
import { runCommand } from './command.ts'
import { packageProgram, project } from './package-program.ts'
import { addUp, readReport, type Totals } from './test-report.ts'

type Stage = { name: string; totals: Totals; seconds: number }

/**
 * Rules of time must hold wherever the process runs: the tests that touch nothing outside run on both sides of the date
 * line.
 */
const timeZones = ['UTC', 'Pacific/Auckland']

await runCommand(async () => {
  const filters = process.argv.slice(2)
  await using postgres = await startPostgres()
  process.env.DATABASE_TEST_URL = postgres.url
  const stages = filters.length > 0 ? [await runVitest('tests', filters)] : await runAll()
  const totals = addUp(stages.map((stage) => stage.totals))

  console.log('\nSummary')
  for (const { name, totals, seconds } of stages) {
    console.log(
      `  ${name.padEnd(24)} ${`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`.padEnd(40)} ${seconds.toFixed(1)} s`,
    )
  }
  process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
})

async function startPostgres(): Promise<AsyncDisposable & { url: string }> {
  const { url, stop } = await startTestPostgres()
  return { url, [Symbol.asyncDispose]: stop }
}

async function runAll(): Promise<Stage[]> {
  const stages = [await runCheckStage()]
  for (const name of projectNames()) {
    if (name !== 'unit') stages.push(await runVitest(name, ['--project', name]))
    else
      for (const zone of timeZones) stages.push(await runVitest(`${name}, ${zone}`, ['--project', name], { TZ: zone }))
  }
  return stages
}

/** As vitest.config.ts has them, in its order: none can be forgotten here. */
function projectNames(): string[] {
  return (configuration.test?.projects ?? []).flatMap((entry) =>
    typeof entry === 'object' && 'test' in entry && typeof entry.test?.name === 'string' ? [entry.test.name] : [],
  )
}

async function runCheckStage(): Promise<Stage> {
  console.log('\nCheck')
  const start = performance.now()
  const results = await runChecks(console.log)
  const failed = results.filter((result) => !result.passed).length
  return {
    name: 'check',
    totals: { passed: results.length - failed, failed, skipped: 0 },
    seconds: (performance.now() - start) / 1000,
  }
}

async function runVitest(name: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Stage> {
  console.log(`\nTests: ${name}`)
  const folder = await mkdtemp(join(tmpdir(), 'sidewall-report-'))
  const report = join(folder, 'report.json')
  const start = performance.now()
  const flags = [
    'run',
    '--passWithNoTests',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...args,
  ]
  const child = spawn(process.execPath, packageProgram('vitest', flags), {
    cwd: project,
    env: { ...process.env, NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const code = await new Promise<number | null>(
    (done, fail) => void child.once('error', fail).once('exit', (status) => done(status)),
  )
  const totals = readReport(await readFile(report, 'utf8').catch(() => undefined), code)
  await rm(folder, { recursive: true })
  return { name, totals, seconds: (performance.now() - start) / 1000 }
}
