import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{platform,domain,adapters,sandbox,app,db,tools}/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
  },
})
