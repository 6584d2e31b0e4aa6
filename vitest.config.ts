import { env } from 'node:process'
import { defineConfig } from 'vitest/config'
import { filesOutOfTurn } from './tools/rotation.testing.ts'
import { rotationOf } from './tools/rotation.ts'

const pure = '{platform,domain,pictures,content,http,app,api,cxml,mcp,ucp,widget,db}'
const postgres = './tests/support/postgres.setup.ts'
const outOfTurn = filesOutOfTurn(rotationOf(env), env.CHANGED_TESTS?.split(' '))
const build = './tests/support/build.setup.ts'

export default defineConfig({
  test: {
    // Reloading modules for each file took longer than many files' tests: 80 s of CPU time instead of 47 for the
    // adapters. Modules cache state by database, and each file has its own store.
    isolate: false,
    setupFiles: ['./tests/support/fail-on-console-error.ts', './tests/support/temporal-equality.ts'],
    // For what hangs. A machine that is slow, or busy with something else, is no fault.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [`${pure}/**/*.test.{ts,tsx}`],
          exclude: ['**/*.db.test.ts', ...outOfTurn],
        },
      },
      {
        extends: true,
        test: {
          name: 'db',
          include: ['**/*.db.test.ts'],
          // The protocol's schemas are not part of this repository.
          exclude: ['**/node_modules/**', ...outOfTurn, ...(env.UCP_SCHEMAS ? [] : ['ucp/specification.db.test.ts'])],
          globalSetup: postgres,
        },
      },
      // Adapters against the sandbox, both over real wires.
      {
        extends: true,
        test: {
          name: 'contract',
          include: ['{adapters,sandbox}/**/*.test.ts'],
          exclude: [
            '**/*.db.test.ts',
            ...outOfTurn,
            ...(env.STRIPE_MOCK ? [] : ['adapters/payments/stripe-mock.test.ts']),
            ...(env.PAYPAL_OPENAPI ? [] : ['adapters/payments/paypal-openapi.test.ts']),
            ...(env.CXML_DTDS ? [] : ['adapters/purchasing/dtd.test.ts']),
            ...(env.RESOLVE_OPENAPI ? [] : ['adapters/payments/resolve-openapi.test.ts']),
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'tools',
          include: ['{tools,tests/support}/**/*.test.ts'],
          exclude: [
            '**/*.db.test.ts',
            ...outOfTurn,
            // Installs all packages twelve times.
            ...(env.NPM_CLONES ? [] : ['tools/npm-clones.test.ts']),
            ...(env.PROMTOOL ? [] : ['tools/promtool.test.ts']),
            ...(env.KUBE_APISERVER && env.ETCD && env.HELM ? [] : ['tools/chart.test.ts']),
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'http',
          include: ['tests/http/**/*.test.ts'],
          exclude: outOfTurn,
          globalSetup: [build, postgres],
        },
      },
      // Browsers are heavy, so one file runs at a time.
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: outOfTurn,
          globalSetup: [build, postgres],
          testTimeout: 240_000,
          fileParallelism: false,
        },
      },
      // Races, crashes, and hostile input. Each file creates its own load, so one file runs at a time.
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['tests/faults/**/*.test.ts', 'tests/simulation/month/*.test.ts'],
          // Excludes tests of third-party programs that may be missing, and drills and months, which take minutes.
          exclude: [
            ...outOfTurn,
            ...(env.MONTH_ORDERS ? [] : ['tests/simulation/month/month.test.ts']),
            ...(env.PGBOUNCER ? [] : ['tests/faults/pgbouncer.test.ts']),
            ...(env.DRILLS ? [] : ['tests/faults/drills/**']),
            // `npm run test:long` reports a missing container engine.
            ...(env.CONTAINER_ENGINE === '' ? ['tests/faults/drills/container.test.ts'] : []),
          ],
          globalSetup: [build, postgres],
          testTimeout: 240_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
