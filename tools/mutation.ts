/**
 * `npm run mutation`: injects small faults into the code that money and safety depend on, and checks whether a test
 * notices each. `npm run mutation -- pricing booking` runs only some areas, `--sample=100 --seed=7` that many faults of
 * each, drawn by the seed, and `--total=500` that many faults of all areas, shared out by size. Lists the faults that no
 * test noticed; an area below the goal fails. `--rotations` also counts the faults that each rotation of `npm test`
 * notices. See docs/testing.md.
 */
import { glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestPostgres } from '#tests/support/test-postgres.ts'
import { allocate } from '#platform/money.ts'
import { PlainError } from '#platform/plain-error.ts'
import { randomStream } from '#db/seed/random.ts'
import { runCommand } from './command.ts'
import { datedTests } from './dated-tests.ts'
import { mutate, type Mutant } from './mutation/mutants.ts'
import { readNoted, type Noted, type Plan } from './mutation/plan.ts'
import {
  addUpSuites,
  compareSuites,
  isEnough,
  isUnitTest,
  killedIn,
  suitesTable,
  type Kill,
  type Suites,
} from './mutation/suites.ts'
import { areas } from './areas.testing.ts'
import { packageProgram, project, runNode } from './package-program.ts'
import { listProjectFiles } from './project-files.ts'
import { otherZone, rotations } from './rotation.ts'
import { affectedFiles, rotatingFiles } from './rotation.testing.ts'

/** Files without business rules (tests and their helpers, ports, and texts). */
const leftAlone = /\.(?:test|testing|port|arbitrary|example)\.ts$|\/fixtures\/|-words\.ts$|-messages\.server\.ts$/

const goalPercent = 85
/** A process corrupted by a mutant is restarted. */
const mostStarts = 200

type Area = { name: string; sources: { path: string; source: string }[]; mutants: Mutant[] }
/** `survivors`: killed by no test. `sometimes`: killed by `npm run test:full`, but not by every rotation. */
type Score = {
  area: string
  all: number
  tried: number
  unreached: number
  survivors: Mutant[]
  sometimes: Mutant[]
  suites: Suites
}

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sample: { type: 'string' },
      total: { type: 'string' },
      seed: { type: 'string', default: '1' },
      rotations: { type: 'boolean', default: false },
    },
  })
  const unknown = positionals.filter((name) => areas[name] === undefined)
  if (unknown.length > 0)
    throw new PlainError(`There is no area ${unknown.join(', ')}. There are: ${Object.keys(areas).join(', ')}.`)
  await using postgres = await startPostgres()
  const scores: Score[] = []
  for (const { area, sample } of await drawSamples(values)) {
    if (positionals.length > 0 && !positionals.includes(area.name)) continue
    const start = performance.now()
    const score = await measure(area, {
      sample,
      seed: values.seed,
      hasRotations: values.rotations,
      postgresUrl: postgres.url,
    })
    scores.push(score)
    for (const mutant of score.survivors) console.log(`  lived  ${describe(mutant)}`)
    for (const mutant of score.sometimes) console.log(`  killed by some rotations  ${describe(mutant)}`)
    console.log(`${lineOf(score)}  ${((performance.now() - start) / 1000).toFixed(0)} s`)
  }
  console.log(`\nMutants (seed ${values.seed})`)
  for (const score of scores) console.log(lineOf(score))
  if (scores.some((score) => percentOf(score) < goalPercent)) process.exitCode = 1
  if (!values.rotations) return
  console.log(`\n${suitesTable(scores)}`)
  if (!isEnough(addUpSuites(scores.map(({ suites }) => suites)))) process.exitCode = 1
})

/** Returns the number of mutants per area, for all of them or a sample. */
async function drawSamples({ sample, total }: { sample?: string; total?: string }) {
  const found = await Promise.all(Object.keys(areas).map(findMutants))
  const sizes = found.map(({ mutants }) => mutants.length)
  const shares = total === undefined ? sizes : allocate(Number(total), sizes)
  return found.map((area, index) => ({ area, sample: sample === undefined ? (shares[index] ?? 0) : Number(sample) }))
}

function describe({ file, line, was, becomes }: Mutant): string {
  return `${file}:${line}  ${was}  ->  ${becomes}`
}

function lineOf(score: Score): string {
  const { area, all, tried, suites, unreached } = score
  return `  ${area.padEnd(12)} ${`${suites.full} of ${tried} killed`.padEnd(22)} ${percentOf(score).toFixed(1)} %  (${unreached} reached by no test; ${all} in all)`
}

function percentOf({ suites, tried }: Score): number {
  return tried === 0 ? 100 : (suites.full / tried) * 100
}

async function findMutants(name: string): Promise<Area> {
  const paths = (await listProjectFiles(project)).filter(
    (path) =>
      path.split('/')[2] === name && path.startsWith('domain/') && path.endsWith('.ts') && !leftAlone.test(path),
  )
  const sources = await Promise.all(
    paths.map(async (path) => ({ path, source: await readFile(join(project, path), 'utf8') })),
  )
  const mutants: Mutant[] = []
  for (const { path, source } of sources) mutants.push(...mutate(path, source, { firstId: mutants.length + 1 }).mutants)
  return { name, sources, mutants }
}

type Options = { sample: number; seed: string; hasRotations: boolean; postgresUrl: string }

async function measure(area: Area, { sample, seed, hasRotations, postgresUrl }: Options): Promise<Score> {
  const { name, sources, mutants } = area
  const chosen = new Set(
    randomStream(`mutants ${name} ${seed}`)
      .shuffled(mutants.map(({ id }) => id))
      .slice(0, sample),
  )
  const plan: Plan = {
    files: Object.fromEntries(sources.map(({ path, source }) => [path, copyOf(path, source)])),
    rotating: hasRotations ? notAlwaysAffected(sources.map(({ path }) => path)) : [],
  }
  const tests = await Array.fromAsync(glob([`domain/*/${name}/**/*.test.ts`, ...(areas[name] ?? [])], { cwd: project }))
  const run = hasRotations ? runInBothZones : runTests
  const { kills: found, reached } = await run(plan, tests, { postgresUrl })
  const sourceOf = new Map(mutants.map(({ id, file }) => [id, file]))
  const kills = found.map((kill): Kill => ({ ...kill, source: sourceOf.get(kill.mutant) ?? '' }))
  const dated = await datedTests(project, tests.filter(isUnitTest))
  const killed = killedIn('all', kills, dated)
  const everyTime = Array.from({ length: rotations }, (_, rotation) => killedIn(rotation, kills, dated))
  const tried = mutants.filter(({ id }) => chosen.has(id))
  return {
    area: name,
    all: mutants.length,
    tried: tried.length,
    unreached: tried.filter(({ id }) => !reached.has(id)).length,
    survivors: tried.filter(({ id }) => !killed.has(id)),
    sometimes: hasRotations ? tried.filter(({ id }) => killed.has(id) && !everyTime.every((one) => one.has(id))) : [],
    suites: compareSuites(kills, dated),
  }

  function copyOf(path: string, source: string): string {
    const first = mutants.find(({ file }) => file === path)?.id ?? 1
    return mutate(path, source, { firstId: first, isChosen: (id) => chosen.has(id) }).code
  }
}

/** The rotating files that don't run after a change in each of the sources. */
function notAlwaysAffected(paths: readonly string[]): string[] {
  const affected = paths.map((path) => new Set(affectedFiles([path])))
  return rotatingFiles.filter((file) => !affected.every((files) => files.has(file)))
}

type FoundKill = Omit<Kill, 'source'>
type Outcome = { kills: FoundKill[]; reached: ReadonlySet<number> }

/**
 * Runs the unit tests in the machine's time zone and in the other one, like different rotations. Mutants killed in both
 * don't need the slower tests.
 */
async function runInBothZones(
  plan: Plan,
  tests: readonly string[],
  { postgresUrl }: { postgresUrl: string },
): Promise<Outcome> {
  const unitTests = tests.filter(isUnitTest)
  const here = await runTests(plan, unitTests, { postgresUrl })
  const there = await runTests(plan, unitTests, { postgresUrl, zone: otherZone })
  const killedThere = new Set(there.kills.map(({ mutant }) => mutant))
  const rest = await runTests(
    plan,
    tests.filter((file) => !isUnitTest(file)),
    { postgresUrl, settled: here.kills.filter(({ mutant }) => killedThere.has(mutant)) },
  )
  return {
    kills: [...here.kills, ...there.kills, ...rest.kills],
    reached: new Set([...here.reached, ...there.reached, ...rest.reached]),
  }
}

/** Runs tests with the mutants that they reach, in a time zone if one is given, without the mutants that are settled. */
async function runTests(
  plan: Plan,
  tests: readonly string[],
  { postgresUrl, zone, settled = [] }: { postgresUrl: string; zone?: string; settled?: readonly FoundKill[] },
): Promise<Outcome> {
  if (tests.length === 0) return { kills: [], reached: new Set() }
  const folder = await mkdtemp(join(tmpdir(), 'sidewall-mutants-'))
  const [planFile, results] = [join(folder, 'plan.json'), join(folder, 'results.jsonl')]
  await writeFile(planFile, JSON.stringify(plan))
  const before = settled.map(({ mutant, file }): Noted => ({ killed: mutant, file, by: file, how: 'failed' }))
  await writeFile(results, before.map((each) => `${JSON.stringify(each)}\n`).join(''))
  const env = {
    ...process.env,
    ...(zone !== undefined && { TZ: zone }),
    NODE_ENV: 'test',
    TEST_ROTATION: 'all',
    DATABASE_TEST_URL: postgresUrl,
    MUTATION_PLAN: planFile,
    MUTATION_RESULTS: results,
    MUTATION_TESTS: tests.join(' '),
  }
  const flags = ['run', '--config=tools/mutation/vitest.config.ts', '--reporter=dot']
  for (let start = 1; start <= mostStarts; start += 1) {
    const known = readNoted(results).length
    const { code, output } = await runNode(packageProgram('vitest', flags), { env })
    const noted = readNoted(results).slice(settled.length)
    if (noted.length === 0 && code !== 0) throw new Error(`No test reached a mutant.\n${output}`)
    if (noted.slice(known - settled.length).some((each) => 'spoiledBy' in each)) continue
    await rm(folder, { recursive: true })
    for (const each of noted) {
      if (!('failed' in each)) continue
      console.log(`  fails without a mutant  ${each.failed}`)
      process.exitCode = 1
    }
    return {
      kills: noted.flatMap((each) => ('killed' in each ? [{ mutant: each.killed, file: each.file, zone }] : [])),
      reached: new Set(noted.flatMap((each) => ('reached' in each ? [each.reached] : []))),
    }
  }
  throw new Error(`The tests were started as often as allowed, ${mostStarts}.`)
}

async function startPostgres(): Promise<AsyncDisposable & { url: string }> {
  const { url, stop } = await startTestPostgres()
  return { url, [Symbol.asyncDispose]: stop }
}
