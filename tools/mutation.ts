/**
 * `npm run mutation`: injects small faults into the code that money and safety depend on, and checks whether a test
 * notices each. `npm run mutation -- pricing booking` runs only some areas, `--sample=100 --seed=7` that many faults of
 * each, drawn by the seed. Lists the faults that no test noticed; an area below the goal fails. See
 * docs/decisions/030-mutation-testing.md.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestPostgres } from '#tests/support/test-postgres.ts'
import { PlainError } from '#platform/plain-error.ts'
import { randomStream } from '#db/seed/random.ts'
import { runCommand } from './command.ts'
import { mutate, type Mutant } from './mutation/mutants.ts'
import { readNoted, type Plan } from './mutation/plan.ts'
import { packageProgram, project, runNode } from './package-program.ts'
import { listProjectFiles } from './project-files.ts'

/** The mutated folders in domain/, and the folders whose tests should notice the faults, besides the folder's own. */
const areas: Readonly<Record<string, readonly string[]>> = {
  pricing: [],
  fitment: ['domain/vehicles/vehicles.test.ts'],
  booking: [],
  checkout: ['domain/orders/place.db.test.ts', 'api/buying.db.test.ts', 'domain/booking/appointments.db.test.ts'],
  payments: [
    'domain/checkout/{place-order,net-terms}.db.test.ts',
    'domain/orders/{cancel,fulfill}.db.test.ts',
    'domain/programs/membership.db.test.ts',
    'domain/retention/retention.db.test.ts',
  ],
  companies: ['domain/checkout/company-orders.db.test.ts'],
}
/** Files without business rules: tests and their support, ports, and texts. */
const leftAlone = /\.(?:test|testing|port|arbitrary|example)\.ts$|\/fixtures\/|-words\.ts$|-messages\.server\.ts$/

const goalPercent = 85
/** A process corrupted by a mutant is restarted. */
const mostStarts = 200

type Score = { area: string; all: number; tried: number; killed: number; unreached: number; survivors: Mutant[] }

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
  })
  const unknown = positionals.filter((name) => areas[name] === undefined)
  if (unknown.length > 0)
    throw new PlainError(`There is no area ${unknown.join(', ')}. There are: ${Object.keys(areas).join(', ')}.`)
  await using postgres = await startPostgres()
  const scores: Score[] = []
  for (const area of positionals.length > 0 ? positionals : Object.keys(areas)) {
    const start = performance.now()
    const score = await measure(area, {
      sample: Number(values.sample ?? Infinity),
      seed: values.seed,
      postgresUrl: postgres.url,
    })
    scores.push(score)
    for (const { file, line, was, becomes } of score.survivors)
      console.log(`  lived  ${file}:${line}  ${was}  ->  ${becomes}`)
    console.log(`${lineOf(score)}  ${((performance.now() - start) / 1000).toFixed(0)} s`)
  }
  console.log(`\nMutants (seed ${values.seed})`)
  for (const score of scores) console.log(lineOf(score))
  if (scores.some((score) => percentOf(score) < goalPercent)) process.exitCode = 1
})

function lineOf(score: Score): string {
  const { area, all, tried, killed, unreached } = score
  return `  ${area.padEnd(12)} ${`${killed} of ${tried} killed`.padEnd(22)} ${percentOf(score).toFixed(1)} %  (${unreached} reached by no test; ${all} in all)`
}

function percentOf({ killed, tried }: Score): number {
  return tried === 0 ? 100 : (killed / tried) * 100
}

async function measure(
  area: string,
  { sample, seed, postgresUrl }: { sample: number; seed: string; postgresUrl: string },
): Promise<Score> {
  const folder = `domain/${area}/`
  const paths = (await listProjectFiles(project)).filter(
    (path) => path.startsWith(folder) && path.endsWith('.ts') && !leftAlone.test(path),
  )
  const sources = await Promise.all(
    paths.map(async (path) => ({ path, source: await readFile(join(project, path), 'utf8') })),
  )
  const all: Mutant[] = []
  for (const { path, source } of sources) all.push(...mutate(path, source, { firstId: all.length + 1 }).mutants)
  const chosen = new Set(
    randomStream(`mutants ${area} ${seed}`)
      .shuffled(all.map(({ id }) => id))
      .slice(0, sample),
  )
  const plan: Plan = { files: Object.fromEntries(sources.map(({ path, source }) => [path, copyOf(path, source)])) }
  const noted = await runTests(plan, [`${folder}**/*.test.ts`, ...(areas[area] ?? [])], postgresUrl)
  const killed = new Set(
    noted.flatMap((each) => ('killed' in each ? [each.killed] : [])).filter((id) => chosen.has(id)),
  )
  const reached = new Set(noted.flatMap((each) => ('reached' in each ? [each.reached] : [])))
  const tried = all.filter(({ id }) => chosen.has(id))
  return {
    area,
    all: all.length,
    tried: tried.length,
    killed: killed.size,
    unreached: tried.filter(({ id }) => !reached.has(id)).length,
    survivors: tried.filter(({ id }) => !killed.has(id)),
  }

  function copyOf(path: string, source: string): string {
    const first = all.find(({ file }) => file === path)?.id ?? 1
    return mutate(path, source, { firstId: first, isChosen: (id) => chosen.has(id) }).code
  }
}

async function runTests(plan: Plan, tests: readonly string[], postgresUrl: string) {
  const folder = await mkdtemp(join(tmpdir(), 'sidewall-mutants-'))
  const [planFile, results] = [join(folder, 'plan.json'), join(folder, 'results.jsonl')]
  await writeFile(planFile, JSON.stringify(plan))
  await writeFile(results, '')
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    DATABASE_TEST_URL: postgresUrl,
    MUTATION_PLAN: planFile,
    MUTATION_RESULTS: results,
    MUTATION_TESTS: tests.join(' '),
  }
  const flags = ['run', '--config=tools/mutation/vitest.config.ts', '--reporter=dot']
  for (let start = 1; start <= mostStarts; start += 1) {
    const before = readNoted(results).length
    const { output } = await runNode(packageProgram('vitest', flags), { env })
    const noted = readNoted(results)
    if (noted.length === 0) throw new Error(`No test reached a mutant.\n${output}`)
    if (noted.slice(before).some((each) => 'spoiledBy' in each)) continue
    await rm(folder, { recursive: true })
    return noted
  }
  throw new Error(`The tests were started as often as allowed, ${mostStarts}.`)
}

async function startPostgres(): Promise<AsyncDisposable & { url: string }> {
  const { url, stop } = await startTestPostgres()
  return { url, [Symbol.asyncDispose]: stop }
}
