/**
 * `npm run month -- --orders 1000 --seed 7` simulates a month of the store over HTTP, with 10,000 orders by default,
 * and writes a report to `.data/months`. See docs/scale.md. libfaketime moves the clock of all its processes.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { PlainError } from '#platform/plain-error.ts'
import { runCommand } from './command.ts'
import { findFaketime } from './faketime-library.ts'
import { packageProgram, project } from './package-program.ts'

await runCommand(async () => {
  const number = (fallback: string) => ({ type: 'string', default: fallback }) as const
  const { values } = parseArgs({ options: { orders: number('10000'), seed: number('1'), days: { type: 'string' } } })
  const { orders, seed, days } = values
  for (const [name, value] of Object.entries({ orders, seed, days }))
    if (value !== undefined && !/^[1-9]\d{0,5}$/.test(value)) throw new PlainError(`--${name} is a number from 1.`)
  if ((await findFaketime()) === undefined)
    throw new PlainError(
      'libfaketime is not installed, which moves the time of a month (Debian: apt install libfaketime).',
    )
  const vitest = ['run', '--project', 'faults', 'tests/simulation/month']
  const run = spawn(process.execPath, packageProgram('vitest', vitest), {
    cwd: project,
    env: {
      ...process.env,
      NODE_ENV: 'test',
      MONTH_ORDERS: orders,
      MONTH_SEED: seed,
      ...(days !== undefined && { MONTH_DAYS: days }),
    },
    stdio: 'inherit',
  })
  const [code] = (await once(run, 'exit')) as [number | null]
  process.exitCode = code ?? 1
})
