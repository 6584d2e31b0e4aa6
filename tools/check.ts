/**
 * `npm run check` runs the static checks, such as format, lint, types, borders, dead and test-only code, file length, and
 * documents.
 */
import { runChecks } from './checks.ts'

const results = await runChecks(console.log)
const failed = results.filter((result) => !result.passed).length
console.log(`${results.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
