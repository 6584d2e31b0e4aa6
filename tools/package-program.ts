import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const project = fileURLToPath(new URL('../', import.meta.url))

export type Finished = { code: number | null; output: string }

/** Returns the Node arguments that run an installed package's program: its file, then `args`. */
export function packageProgram(name: string, args: string[], program = name): string[] {
  const folder = join(project, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: Record<string, string> }
  const file = bin[program]
  if (file === undefined) throw new Error(`The package ${name} has no program ${program}.`)
  return [join(folder, file), ...args]
}

type RunOptions = { env?: NodeJS.ProcessEnv; signal?: AbortSignal; cwd?: string }

/** Runs this Node with `args` in the project's folder, and returns how it ended and its output. */
export async function runNode(args: string[], options: RunOptions = {}): Promise<Finished> {
  return run(process.execPath, args, options)
}

/** Runs npm similarly, with the one that started this process, or else the machine's. */
export async function runNpm(args: string[], options: RunOptions = {}): Promise<Finished> {
  const { npm_execpath: npm } = process.env
  return npm?.endsWith('npm-cli.js') ? runNode([npm, ...args], options) : run('npm', args, options)
}

async function run(program: string, args: string[], options: RunOptions): Promise<Finished> {
  const child = spawn(program, args, { cwd: project, ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const code = await new Promise<number | null>(
    (done, fail) => void child.once('error', fail).once('close', (status) => done(status)),
  )
  return { code, output }
}
