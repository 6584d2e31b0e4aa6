import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readPlan } from './plan.ts'

const root = new URL('../../', import.meta.url).pathname
const { files: copies, rotating } = readPlan()
const mutated = new Map(Object.entries(copies))

/**
 * Quick tests first, because mutants they kill need no slow tests. Database tests come after property tests. Rotating
 * tests come last, because their kills count least.
 */
class QuickFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isRotating = ({ moduleId }: TestSpecification) => rotating.includes(relative(root, moduleId))
    const slowness = (file: TestSpecification) => {
      if (isRotating(file)) return 4
      if (file.moduleId.includes('/tests/')) return 3
      return file.moduleId.includes('.db.') ? 2 : file.moduleId.includes('laws') ? 1 : 0
    }
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
