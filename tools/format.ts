/** `npm run format`: formats every source file as the check requires. */
import { packageProgram, runNode } from './package-program.ts'

const { code, output } = await runNode(packageProgram('oxfmt', process.argv.slice(2)))
console.log(output.trim())
process.exitCode = code ?? 1
