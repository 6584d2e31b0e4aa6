/**
 * `npm test` runs everything in CI, with a tenth of the rotating tests. `npm run test:full` runs all tests. `npm test
 * -- booking` runs the test files with "booking" in their name, without checks. `SHARD=1/3 npm test` runs a third, for
 * hosts that split it across machines. The last line contains only the totals. docs/testing.md describes each stage.
 */
import { spawn } from 'node:child_process'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { otherZone, rotationOf, rotations, unitTestZone } from './rotation.ts'
import { affectedFiles } from './rotation.testing.ts'
import { startTestPostgres } from '#tests/support/test-postgres.ts'
import configuration from '../vitest.config.ts'
import { buildIfStale } from './build.ts'
import { git, readChangedPaths } from './changed-paths.ts'
import { runChecks } from './checks.ts'
import { runCommand } from './command.ts'
import { datedTests } from './dated-tests.ts'
import { faultsOfList, judgeFlaky } from './known-flaky.ts'
import { packageProgram, project } from './package-program.ts'
import { addUp, failedFiles, listFailures, readReport, replaceFiles, slowestFiles, type Totals } from './test-report.ts'

/** `report` is Vitest's output, if it ran. `flaky` are tests that failed next to other stages and passed separately. */
type Stage = {
  name: string
  totals: Totals
  failures: string[]
  flaky: string[]
  seconds: number
  project?: string
  report?: string | undefined
}

/**
 * All stages in the order of execution, longest first, so that the lanes end at about the same time. Stages with
 * `parts` are split by files. Browser tests and crash tests run one file at a time and mostly wait. The others use the
 * remaining processors.
 */
const queue = [
  { name: 'faults' },
  { name: 'e2e' },
  { name: 'check' },
  { name: 'tools' },
  { name: 'http', parts: 2 },
  { name: 'db' },
  { name: 'unit' },
  { name: 'contract' },
  { name: 'dates' },
].flatMap(({ name, parts = 1 }) => Array.from({ length: parts }, (_, index) => ({ name, part: index + 1, parts })))

type Part = (typeof queue)[number]

/** Stages that test the built store. */
const ofBuiltStore = ['faults', 'e2e', 'http']

const lanes = 3

/** Stages that start processes, and so can fail because a machine is busy. The others say the same each time. */
const withProcesses = ['faults', 'e2e', 'db', 'http', 'tools', 'contract']
/** The maximum number of files to run again. More failures aren't a coincidence. */
const mostAgain = 3
/** Files named at the end with the seconds they took. */
const slowShown = 30

await runCommand(async () => {
  const filters = process.argv.slice(2)
  const [fault] = faultsOfList()
  if (fault) throw new Error(`tools/known-flaky.ts: ${fault}`)
  if (filters.length === 0) {
    env.TEST_ROTATION ??= String(rotationOfCommit())
    // Affected tests run in every rotation.
    env.CHANGED_TESTS ??= affectedFiles(readChangedPaths(env) ?? []).join(' ')
  }
  const rotation = rotationOf(env)
  const what =
    rotation === 'all'
      ? 'All tests'
      : `Rotation ${rotation} of 0 to ${rotations - 1}, chosen by the commit (TEST_ROTATION=${rotation} npm test repeats it, npm run test:full runs all)`
  if (filters.length === 0) console.log(what)
  await using postgres = await startPostgres()
  env.DATABASE_TEST_URL = postgres.url
  // A store, a sandbox and a worker start hundreds of times, and half of what that takes is compiling the same modules.
  await using compiled = await createTemporaryFolder()
  env.NODE_COMPILE_CACHE ??= compiled.path
  const stages = (filters.length > 0 ? [await runVitest('tests', filters, { isShown: true })] : await runAll()).map(
    failWhereOnlyAlone,
  )
  const totals = addUp(stages.map((stage) => stage.totals))

  printSummary(stages, filters.length === 0 ? what : null)
  process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1
  console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`)
})

/** Counts tests that passed only separately as failed, except known ones. */
function failWhereOnlyAlone(stage: Stage): Stage {
  const { known, unknown } = judgeFlaky(stage.flaky)
  const { passed, failed, skipped } = stage.totals
  return {
    ...stage,
    flaky: known,
    failures: [...stage.failures, ...unknown.map((test) => `passed only alone: ${test}`)],
    totals: { passed: passed - unknown.length, failed: failed + unknown.length, skipped },
  }
}

/** Prints the totals of each stage and the names of what failed; for a whole run also which tests rotated and the slowest files. */
function printSummary(stages: readonly Stage[], rotation: string | null): void {
  console.log(rotation === null ? '\nSummary' : `\nSummary. ${rotation}`)
  for (const { name, totals, seconds } of stages) {
    const counts = `${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`
    console.log(`  ${name.padEnd(24)} ${counts.padEnd(40)} ${seconds.toFixed(1)} s`)
  }
  const reports = rotation === null ? [] : stages.map(({ report }) => report)
  for (const { file, seconds } of slowestFiles(reports, project, slowShown))
    console.log(`  ${String(seconds).padStart(5)} s  ${file}`)
  for (const { name, flaky } of stages) for (const test of flaky) console.log(`  passed only alone, ${name}: ${test}`)
  for (const { name, failures } of stages) for (const failure of failures) console.log(`  failed, ${name}: ${failure}`)
}

/** The tenth of a commit, so that a second run of it repeats the first. The tenth 0 outside a repository. */
function rotationOfCommit(): number {
  const commit = git(['rev-parse', 'HEAD'])?.[0] ?? '0'
  return Number.parseInt(commit.slice(0, 8), 16) % rotations
}

async function startPostgres(): Promise<AsyncDisposable & { url: string }> {
  const { url, stop } = await startTestPostgres()
  return { url, [Symbol.asyncDispose]: stop }
}

async function runAll(): Promise<Stage[]> {
  const missing = projects().flatMap(({ name }) => (queue.some((part) => part.name === name) ? [] : [name]))
  if (missing.length > 0) throw new Error(`No lane runs ${missing.join(', ')}.`)
  // Other stages run during the build.
  const built = buildIfStale()
  const waiting = [...queue]
  const done = await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      const stages: Stage[] = []
      for (let part = waiting.shift(); part; part = waiting.shift()) {
        if (ofBuiltStore.includes(part.name)) await built
        stages.push(...(await runPart(part, { TEST_LANE: String(lane) })))
      }
      return stages
    }),
  )
  return runFailedAgain(done.flat())
}

/**
 * Runs the files with failed tests again, without other stages. Tests that then pass depend on concurrent load, as the
 * summary explains. That is a fault of the test or a race in the store, so it also fails the run.
 */
async function runFailedAgain(stages: readonly Stage[]): Promise<Stage[]> {
  const failing = stages.flatMap(({ report }) => failedFiles(report))
  if (failing.length === 0 || failing.length > mostAgain) return [...stages]
  const settled: Stage[] = []
  for (const stage of stages) settled.push(await runStageAgain(stage))
  return settled
}

async function runStageAgain(stage: Stage): Promise<Stage> {
  const { name, project: tests = '', report } = stage
  const files = failedFiles(report)
  if (!withProcesses.includes(tests) || report === undefined || files.length === 0) return stage
  const again = await runVitest(`${name}, again`, ['--project', tests, ...files])
  if (again.report === undefined || again.totals.failed > 0) return stage
  const totals = readReport(replaceFiles(report, again.report), 0)
  return { ...stage, totals, failures: [], flaky: stage.failures, seconds: stage.seconds + again.seconds }
}

async function runPart(part: Part, lane: NodeJS.ProcessEnv): Promise<Stage[]> {
  if (part.name === 'check') return runCheckStage()
  if (part.name === 'dates') return rotationOf(env) === 'all' ? [await runDatedTests()] : []
  const otherTime = part.name === 'unit' ? unitTestZone(rotationOf(env)) : undefined
  const zone = otherTime === undefined ? {} : { TZ: otherTime }
  const name = [part.parts === 1 ? part.name : `${part.name} ${part.part}/${part.parts}`, ...Object.values(zone)].join(
    ', ',
  )
  const ran = await runVitest(name, ['--project', part.name, ...shard(part)], { env: { ...lane, ...zone } })
  return [{ ...ran, project: part.name }]
}

/** As vitest.config.ts has them: none can be forgotten here. */
function projects(): { name: string; include?: string[]; exclude?: string[] }[] {
  return (configuration.test?.projects ?? []).flatMap((entry) => {
    const project = typeof entry === 'object' && 'test' in entry ? entry.test : undefined
    return typeof project?.name === 'string' ? [{ ...project, name: project.name }] : []
  })
}

/** Skipped on the second and later machines because checks aren't split. */
async function runCheckStage(): Promise<Stage[]> {
  if (env.SHARD && !env.SHARD.startsWith('1/')) return []
  const lines = ['\nCheck']
  const start = performance.now()
  const results = await runChecks((line) => void lines.push(line))
  console.log(lines.join('\n'))
  const failures = results.filter((result) => !result.passed).map((result) => result.name)
  const totals = { passed: results.length - failures.length, failed: failures.length, skipped: 0 }
  return [{ name: 'check', totals, failures, flaky: [], seconds: (performance.now() - start) / 1000 }]
}

async function runDatedTests(): Promise<Stage> {
  const { include = [], exclude = [] } = projects().find(({ name }) => name === 'unit') ?? {}
  const all = await Array.fromAsync(glob(include, { cwd: project, exclude }))
  const files = await datedTests(project, all)
  return runVitest(`dates, ${otherZone}`, ['--project', 'unit', ...shard(), ...files], { env: { TZ: otherZone } })
}

/** Returns this part's files on this machine, within its `SHARD`. */
function shard({ part, parts } = { part: 1, parts: 1 }): string[] {
  const [machine = 1, machines = 1] = (env.SHARD ?? '1/1').split('/').map(Number)
  const all = machines * parts
  return all === 1 ? [] : [`--shard=${(machine - 1) * parts + part}/${all}`]
}

/** Runs Vitest. Prints the output as it arrives, or at the end if other stages run concurrently. */
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
  const text = await readFile(report, 'utf8').catch(() => undefined)
  await rm(folder, { recursive: true })
  const seconds = (performance.now() - start) / 1000
  return {
    name,
    totals: readReport(text, code),
    failures: listFailures(text, project),
    flaky: [],
    seconds,
    report: text,
  }
}
