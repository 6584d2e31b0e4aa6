import { defineConfig } from 'vitest/config'

const sources = '{platform,domain,adapters,sandbox,app,api,widget,db}'
const postgres = './tests/support/postgres.setup.ts'

export default defineConfig({
  test: {
    setupFiles: ['./tests/support/fail-on-console-error.ts'],
    projects: [
      { extends: true, test: { name: 'unit', include: [`${sources}/**/*.test.{ts,tsx}`], exclude: ['**/*.db.test.ts'] } },
      { extends: true, test: { name: 'db', include: ['**/*.db.test.ts'], globalSetup: postgres, testTimeout: 30_000, hookTimeout: 120_000 } },
      { extends: true, test: { name: 'tools', include: ['{tools,tests/support}/**/*.test.ts'], exclude: ['**/*.db.test.ts'], testTimeout: 120_000 } },
      { extends: true, test: { name: 'http', include: ['tests/http/**/*.test.ts'], globalSetup: postgres, testTimeout: 30_000, hookTimeout: 120_000 } },
      // Browsers are heavy: one file at a time.
      {
        extends: true,
        test: { name: 'e2e', include: ['tests/e2e/**/*.test.ts'], globalSetup: postgres, testTimeout: 120_000, hookTimeout: 120_000, fileParallelism: false },
      },
    ],
  },
})
