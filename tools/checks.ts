/** The static checks of `npm run check` and `npm test`. Each check has a name and returns complaints. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { cacheFolder } from './cache-folder.ts'
import { readChangedPaths } from './changed-paths.ts'
import { readChangedSources } from './changed-sources.ts'
import { checkDocs } from './check-docs.ts'
import { checkEnglish } from './check-english.ts'
import { clientTypesFile, generateClientTypes } from './client-types.ts'
import { checkNames } from './check-names.ts'
import { checkMigrations } from './contract-steps.ts'
import { generateDatabaseFiles, schemaFile, typesFile } from './database-types.ts'
import { packageProgram, project, runNode } from './package-program.ts'
import { generateSettings, settingsFile } from './settings.ts'
import { readPassedChecks } from './passed-checks.ts'
import { rotationOf } from './rotation.ts'
import { reviewAccepted, reviewLock, type ReviewedLock } from './dependency-review.ts'
import { checkTestOnlyCode } from './test-only-code.ts'
import { generateThirdParties, thirdPartyFile } from './third-party.ts'

/** The files that passed the linter and the type checker, by their hashes, in any clone. */
const lintPassed = join(cacheFolder(), 'lint.json')

export type CheckResult = { name: string; passed: boolean; seconds: number }

/**
 * Returns the problems as readable text, or an empty string. A result that depends on more than the files isn't
 * recorded.
 */
type Check = { name: string; run: () => Promise<string>; isRecorded?: false }

/** The folders that the rules of .dependency-cruiser.mjs cover. */
const bordered = [
  'app',
  'api',
  'mcp',
  'ucp',
  'cxml',
  'content',
  'http',
  'widget',
  'domain',
  'pictures',
  'adapters',
  'platform',
  'sandbox',
  'db',
  'tools',
  'tests',
  'bench',
  'application.ts',
  'server.ts',
  'worker.ts',
  'worker-tasks.ts',
  'timetable.ts',
]

/**
 * Runs every check that hasn't passed on these files before, in parallel by processor. Prints one line per check, with
 * its problems.
 */
export async function runChecks(print: (line: string) => void): Promise<CheckResult[]> {
  const passed = await readPassedChecks(project)
  // Type checking and type-aware lint need the generated route types.
  await program('@react-router/dev', ['typegen'], 'react-router')
  const checks: Check[] = [
    await typesAndLint(),
    { name: 'database types', run: checkDatabaseTypes },
    { name: 'client types', run: checkClientTypes },
    {
      name: 'borders',
      run: () =>
        program('dependency-cruiser', [
          '--output-type',
          'err-long',
          ...bordered.filter((path) => existsSync(join(project, path))),
        ]),
    },
    { name: 'dead code', run: () => program('knip', []) },
    { name: 'test-only code', run: checkTestOnlyCode },
    { name: 'format', run: () => program('oxfmt', ['--check']) },
    { name: 'names', run: async () => (await checkNames(project)).join('\n') },
    { name: 'migrations', run: async () => (await checkMigrations(project)).join('\n') },
    { name: 'licenses', run: checkLicenses },
    // It depends on dates.
    { name: 'dependencies', run: checkDependencies, isRecorded: false },
    { name: 'settings', run: checkSettings },
    { name: 'docs', run: async () => (await checkDocs(project)).join('\n') },
    { name: 'English', run: async () => (await checkEnglish(project)).join('\n') },
  ]
  const results: CheckResult[] = []
  const workers = Array.from({ length: availableParallelism() }, async () => {
    for (let check = checks.shift(); check !== undefined; check = checks.shift()) {
      const { name, isRecorded = true } = check
      const result = await runCheck(passed.has(name) ? { name, run: async () => '' } : check, print)
      results.push(result)
      if (result.passed && isRecorded) await passed.add(name)
    }
  })
  await Promise.all(workers)
  return results
}

async function runCheck({ name, run }: Check, print: (line: string) => void): Promise<CheckResult> {
  const start = performance.now()
  const complaints = await run()
  const seconds = (performance.now() - start) / 1000
  print(`  ${complaints === '' ? 'ok ' : 'NO '} ${name} (${seconds.toFixed(1)} s)`)
  if (complaints !== '') print(complaints.trimEnd().replaceAll(/^/gm, '      '))
  return { name, passed: complaints === '', seconds }
}

/**
 * Checks the types of files that changed since all files passed, and of files that import them. In a new clone, a
 * rotation of `npm test` checks those affected by its change, and a tenth of the others. Rules that need types use what
 * the type checker found.
 */
async function typesAndLint(): Promise<Check> {
  const changed = readChangedPaths(env)
  const rotation = rotationOf(env)
  const since = rotation === 'all' || changed === null ? undefined : { changed, rotation }
  const { affected, isPart, keep } = await readChangedSources(project, lintPassed, since)
  const run = async () => {
    const complaints =
      affected?.length === 0
        ? ''
        : await program('oxlint', affected ?? [], 'oxlint', { ...env, ...withoutCollecting() })
    if (complaints === '') await keep().catch(() => {})
    return complaints
  }
  return isPart
    ? { name: 'types and lint of changes and a tenth', run, isRecorded: false }
    : { name: 'types and lint', run }
}

/** The type checker is a Go program and ends soon, so it frees memory only above half of the available memory. */
function withoutCollecting(): NodeJS.ProcessEnv {
  const available = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  return { GOGC: 'off', GOMEMLIMIT: String(Math.floor(available / 2)) }
}

async function checkDatabaseTypes(): Promise<string> {
  const { types, schema } = await generateDatabaseFiles(env.DATABASE_TEST_URL)
  const different = [
    ...(types === (await readFile(typesFile, 'utf8')) ? [] : ['db/types.ts']),
    ...(schema === (await readFile(schemaFile, 'utf8')) ? [] : ['db/schema.sql']),
  ]
  return different
    .map((file) => `${file} is not what db/migrations come to: run \`npm run generate-types\`.`)
    .join('\n')
}

async function checkLicenses(): Promise<string> {
  const same = (await generateThirdParties(project)) === (await readFile(join(project, thirdPartyFile), 'utf8'))
  return same ? '' : `${thirdPartyFile} is not what package-lock.json comes to: run \`npm run generate-types\`.`
}

async function checkDependencies(): Promise<string> {
  const lock = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8')) as ReviewedLock
  return [...reviewLock(lock), ...reviewAccepted(Temporal.Now.plainDateISO('UTC'))].join('\n')
}

async function checkSettings(): Promise<string> {
  const same = generateSettings() === (await readFile(settingsFile, 'utf8'))
  return same ? '' : 'docs/settings.md is not what platform/config-variables.ts says: run `npm run generate-types`.'
}

async function checkClientTypes(): Promise<string> {
  const same = (await generateClientTypes()) === (await readFile(clientTypesFile, 'utf8'))
  return same ? '' : 'api/client/operations.ts is not what the API says of itself: run `npm run generate-types`.'
}

async function program(
  packageName: string,
  args: string[],
  name = packageName,
  environment: NodeJS.ProcessEnv = env,
): Promise<string> {
  const { code, output } = await runNode(packageProgram(packageName, args, name), { env: environment })
  return code === 0 ? '' : output.trim() || `${packageName} exited with code ${code} and no output.`
}
