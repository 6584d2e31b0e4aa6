/**
 * `npm run drill -- backup`: plays a loss through with real parts, measures what it costs, and ends with a report; see
 * docs/scale.md. Everything it starts is on this machine and is removed at the end. Without a name it lists the drills.
 */
import { readdir } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename, join } from 'node:path'
import { PlainError } from '#platform/plain-error.ts'
import { runCommand } from './command.ts'
import { packageProgram, project } from './package-program.ts'

const folder = 'tests/faults/drills'

await runCommand(async () => {
  const names = (await readdir(join(project, folder))).flatMap((file) =>
    file.endsWith('.test.ts') ? [basename(file, '.test.ts')] : [],
  )
  const [name = ''] = process.argv.slice(2)
  if (!names.includes(name)) throw new PlainError(`Say which drill: ${names.join(', ')}.`)
  const vitest = ['run', '--project', 'faults', `${folder}/${name}`]
  const run = spawn(process.execPath, packageProgram('vitest', vitest), {
    cwd: project,
    env: { ...process.env, NODE_ENV: 'test', DRILLS: '1' },
    stdio: 'inherit',
  })
  const [code] = (await once(run, 'exit')) as [number | null]
  process.exitCode = code ?? 1
})
