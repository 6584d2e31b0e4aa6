/** Docker or Podman, as a drill drives it. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { PlainError } from '#platform/plain-error.ts'

const run = promisify(execFile)

/** `said` is what it printed for programs to read, `output` that and its complaints. */
export type Finished = { code: number | string; said: string; output: string }

export type Engine = {
  name: 'docker' | 'podman'
  /** Runs it, and returns what it printed; throws that if it failed. */
  run(...args: string[]): Promise<string>
  /** Runs it, and returns how that ended. */
  try(...args: string[]): Promise<Finished>
}

/** The engine that CONTAINER_ENGINE names, else the first that answers. */
export async function findEngine(): Promise<Engine> {
  const named = process.env['CONTAINER_ENGINE']
  for (const name of named ? [named] : ['docker', 'podman']) {
    if (name !== 'docker' && name !== 'podman') throw new PlainError('CONTAINER_ENGINE is docker or podman.')
    const engine = engineOf(name)
    if ((await engine.try('ps', '--quiet')).code === 0) return engine
  }
  throw new PlainError(
    'This drill needs a container engine: install Podman (`apt-get install podman`) or start Docker. `podman ps` or `docker ps` must succeed.',
  )
}

function engineOf(name: Engine['name']): Engine {
  const attempt = async (...args: string[]): Promise<Finished> => {
    try {
      const { stdout, stderr } = await run(name, args, { maxBuffer: 1 << 26 })
      return { code: 0, said: stdout, output: stdout + stderr }
    } catch (error) {
      const { code, stdout = '', stderr = '' } = error as { code: number | string; stdout?: string; stderr?: string }
      return { code, said: stdout, output: stdout + stderr }
    }
  }
  return {
    name,
    try: attempt,
    async run(...args) {
      const { code, said, output } = await attempt(...args)
      if (code !== 0) throw new Error(`${name} ${args.slice(0, 3).join(' ')} … ended with ${code}:\n${output}`)
      return said
    },
  }
}

export type Container = AsyncDisposable & {
  name: string
  /** Whether its own health check passes now, or within the engine's patience. */
  isHealthy(): Promise<boolean>
  /** Runs a program in it with more variables, and returns how that ended. */
  exec(env: Readonly<Record<string, string>>, ...command: string[]): Promise<Finished>
  /** Stops it with this timeout in seconds. Returns its exit code. */
  stop(seconds: number): Promise<number>
  logs(): Promise<string>
}

/** As deploy/README.md and compose.yaml run it, in the network of this machine. */
export const confined = '--network host --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges'.split(
  ' ',
)

/** Variables as an engine takes them. */
export function given(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
}

/** Starts a container in the background. */
export async function startContainer(engine: Engine, name: string, args: readonly string[]): Promise<Container> {
  await engine.run('run', '--detach', '--name', name, ...args)
  const state = (what: string) =>
    engine.run('inspect', '--format', `{{.State.${what}}}`, name).then((said) => said.trim())
  return {
    name,
    // Podman leaves the schedule to systemd, which need not be there.
    isHealthy: async () =>
      engine.name === 'podman'
        ? (await engine.try('healthcheck', 'run', name)).code === 0
        : (await state('Health.Status')) === 'healthy',
    exec: (env, ...command) => engine.try('exec', ...given(env), name, ...command),
    logs: () => engine.run('logs', name),
    async stop(seconds) {
      await engine.run('stop', '--time', String(seconds), name)
      return Number(await state('ExitCode'))
    },
    [Symbol.asyncDispose]: async () => void (await engine.try('rm', '--force', '--volumes', name)),
  }
}
