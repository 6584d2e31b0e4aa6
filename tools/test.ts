/**
 * `npm test`: everything CI runs. `npm test -- booking`: the tests whose file names contain "booking", and no checks.
 * `SHARD=1/3 npm test`: a third of it, for hosts that share it among machines. The last line has the totals and nothing
 * else. docs/testing.md says what each stage proves.
 */
import { spawn } from 'node:child_process'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { startTestPostgres } from '#tests/support/test-postgres.ts'
import configuration from '../vitest.config.ts'
import { buildIfStale } from './build.ts'
import { runChecks } from './checks.ts'
import { runCommand } from './command.ts'
import { datedTests } from './dated-tests.ts'
import { packageProgram, project } from './package-program.ts'
import { addUp, readReport, type Totals } from './test-report.ts'

type Stage = { name: string; totals: Totals; seconds: number }

/**
 * Rules of time must hold wherever the process runs: what looks at dates runs on the other side of the date line, too.
 */
const otherZone = 'Pacific/Auckland'

/**
 * What runs one after the other, beside the other rows. Browsers, and stores that are killed and started again, wait
 * for most of their time, and have one file at a time; the rest takes the processors that they leave.
 */
const lanes = [['check', 'unit', 'dates', 'contract', 'tools', 'db', 'http'], ['faults'], ['e2e']]

await runCommand(async () => {
  const filters = process.argv.slice(2)
  await using postgres = await startPostgres()
  env.DATABASE_TEST_URL = postgres.url
  const stages = filters.length > 0 ? [await runVitest('tests', filters, { isShown: true })] : await runAll()
  const totals = addUp(stages.map((stage) => stage.totals))

  console.log('\nSummary')
  for (const { name, totals, seconds } of stages) {
    const counts = `${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`
    console.log(`  ${name.padEnd(24)} ${counts.padEnd(40)} ${seconds.toFixed(1)} s`)
  }
  process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
})

async function startPostgres(): Promise<AsyncDisposable & { url: string }> {
  const { url, stop } = await startTestPostgres()
  return { url, [Symbol.asyncDispose]: stop }
}

async function runAll(): Promise<Stage[]> {
  const missing = projects().flatMap(({ name }) => (lanes.flat().includes(name) ? [] : [name]))
  if (missing.length > 0) throw new Error(`No lane runs ${missing.join(', ')}.`)
  // Three stages need it; one of them would build, and the others wait.
  await buildIfStale()
  const done = await Promise.all(lanes.map((names, lane) => runOneByOne(names, { TEST_LANE: String(lane) })))
  return done.flat()
}

async function runOneByOne(names: readonly string[], lane: NodeJS.ProcessEnv): Promise<Stage[]> {
  const stages: Stage[] = []
  for (const name of names) {
    if (name === 'check') stages.push(...(await runCheckStage()))
    else if (name === 'dates') stages.push(await runDatedTests())
    else stages.push(await runVitest(name, ['--project', name, ...shard()], { env: lane }))
  }
  return stages
}

/** As vitest.config.ts has them: none can be forgotten here. */
function projects(): { name: string; include?: string[]; exclude?: string[] }[] {
  return (configuration.test?.projects ?? []).flatMap((entry) => {
    const project = typeof entry === 'object' && 'test' in entry ? entry.test : undefined
    return typeof project?.name === 'string' ? [{ ...project, name: project.name }] : []
  })
}

/** Looks at nothing on the second and later machines: the checks are not to be shared out. */
async function runCheckStage(): Promise<Stage[]> {
  if (env.SHARD && !env.SHARD.startsWith('1/')) return []
  const lines = ['\nCheck']
  const start = performance.now()
  const results = await runChecks((line) => void lines.push(line))
  console.log(lines.join('\n'))
  const failed = results.filter((result) => !result.passed).length
  const totals = { passed: results.length - failed, failed, skipped: 0 }
  return [{ name: 'check', totals, seconds: (performance.now() - start) / 1000 }]
}

async function runDatedTests(): Promise<Stage> {
  const { include = [], exclude = [] } = projects().find(({ name }) => name === 'unit') ?? {}
  const all = await Array.fromAsync(glob(include, { cwd: project, exclude }))
  const files = await datedTests(project, all)
  return runVitest(`dates, ${otherZone}`, ['--project', 'unit', ...shard(), ...files], { env: { TZ: otherZone } })
}

function shard(): string[] {
  return env.SHARD ? [`--shard=${env.SHARD}`] : []
}

/** Runs Vitest. What it says is shown as it comes, or, beside other stages, when it has ended. */
async function runVitest(
  name: string,
  args: readonly string[],
  { isShown = false, env: more = {} }: { isShown?: boolean; env?: NodeJS.ProcessEnv } = {},
): Promise<Stage> {
  console.log(`\nTests: ${name}${isShown ? '' : ' began'}`)
  const folder = await mkdtemp(join(tmpdir(), 'sidewall-report-'))
  const report = join(folder, 'report.json')
  const start = performance.now()
  const flags = ['run', '--passWithNoTests', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn(process.execPath, packageProgram('vitest', [...flags, ...args]), {
    cwd: project,
    env: { ...env, NODE_ENV: 'test', ...more },
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', isShown ? 'inherit' : 'pipe'],
  })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => void output.push(bytes))
  const code = await new Promise<number | null>(
    (done, fail) => void child.once('error', fail).once('close', (status) => done(status)),
  )
  if (!isShown) console.log(`\nTests: ${name}\n${Buffer.concat(output).toString()}`)
  const totals = readReport(await readFile(report, 'utf8').catch(() => undefined), code)
  await rm(folder, { recursive: true })
  return { name, totals, seconds: (performance.now() - start) / 1000 }
}
