/**
 * `npm run drill -- backup` simulates a failure with real components, measures its cost, and writes a report. See
 * docs/scale.md. `-- upgrade --from <commit>` sets the previous release. Everything it starts runs on this machine and
 * is removed at the end. Without a name, it lists the drills.
 */
import { readdir } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { PlainError } from '#platform/plain-error.ts'
import { runCommand } from './command.ts'
import { packageProgram, project } from './package-program.ts'

const folder = 'tests/faults/drills'

await runCommand(async () => {
  const names = (await readdir(join(project, folder))).flatMap((file) =>
    file.endsWith('.test.ts') ? [basename(file, '.test.ts')] : [],
  )
  const {
    positionals: [name = ''],
    values: { from },
  } = parseArgs({ allowPositionals: true, options: { from: { type: 'string' } } })
  if (!names.includes(name)) throw new PlainError(`Say which drill: ${names.join(', ')}.`)
  const vitest = ['run', '--project', 'faults', `${folder}/${name}`]
  const run = spawn(process.execPath, packageProgram('vitest', vitest), {
    cwd: project,
    env: { ...process.env, NODE_ENV: 'test', DRILLS: '1', ...(from && { UPGRADE_FROM: from }) },
    stdio: 'inherit',
  })
  const [code] = (await once(run, 'exit')) as [number | null]
  process.exitCode = code ?? 1
})
