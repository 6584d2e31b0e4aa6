import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import type { Plan } from './plan.ts'

const root = new URL('../../', import.meta.url).pathname
const { files } = JSON.parse(readFileSync(process.env.MUTATION_PLAN ?? '', 'utf8')) as Plan
const mutated = new Map(Object.entries(files))

/**
 * Quick tests first: mutants they kill need no slow tests. Tests with a database are slowest, then the laws on random
 * cases.
 */
class QuickFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slowness = ({ moduleId }: TestSpecification) =>
      moduleId.includes('.db.') ? 2 : moduleId.includes('laws') ? 1 : 0
    return Promise.resolve(files.toSorted((a, b) => slowness(a) - slowness(b) || a.moduleId.localeCompare(b.moduleId)))
  }
}

/** One process for all files, one test at a time, since mutants are switched there. */
export default defineConfig({
  root,
  plugins: [
    {
      name: 'sidewall-mutants',
      enforce: 'pre',
      transform: (_, id) => {
        const code = mutated.get(relative(root, id.split('?')[0] ?? '').replaceAll('\\', '/'))
        return code === undefined ? null : { code, map: null }
      },
    },
  ],
  test: {
    include: (process.env.MUTATION_TESTS ?? '').split(' '),
    setupFiles: ['./tests/support/fail-on-console-error.ts'],
    globalSetup: './tests/support/postgres.setup.ts',
    runner: './tools/mutation/mutation-runner.ts',
    isolate: false,
    fileParallelism: false,
    maxWorkers: 1,
    // Cached transforms for other mutants must not be reused.
    fsModuleCache: false,
    silent: true,
    sequence: { sequencer: QuickFirst },
    // A test's time includes all mutants it reaches.
    testTimeout: 3_600_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
