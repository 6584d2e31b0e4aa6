/** The processes of a run. Each is ready before it is measured and ends with the run. */
import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { project } from '../tools/package-program.ts'
import type { Usage } from './measured.ts'

export type Started = AsyncDisposable & {
  /** Sends a message, and returns the next reply of type `answer`. */
  ask<Answer>(message: string | object, answer: string): Promise<Answer>
}

export type Measured = Started & { usage(): Promise<Usage> }

/** Starts a project script that sends `{ type: 'ready' }` when ready. Its standard error is passed through. */
export async function startProcess(script: string, env: NodeJS.ProcessEnv, execArgv: string[] = []): Promise<Started> {
  const child = fork(script, { cwd: project, env, execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ended = new Promise<void>((done) => void child.once('exit', () => done()))
  await nextMessage(child, script, 'ready')
  return {
    ask(message, answer) {
      const reply = nextMessage(child, script, answer)
      child.send(message)
      return reply as Promise<never>
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), 60_000)
      await ended
      clearTimeout(late)
    },
  }
}

/**
 * Starts a process and measures its statements, CPU time, and memory. If BENCH_PROFILE is set, writes its CPU profile
 * to that folder.
 */
export async function startMeasured(script: string, env: NodeJS.ProcessEnv): Promise<Measured> {
  const folder = process.env.BENCH_PROFILE
  const profiling = folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : []
  const started = await startProcess(script, env, [
    '--import',
    fileURLToPath(new URL('./measured.ts', import.meta.url)),
    ...profiling,
  ])
  return { ...started, usage: async () => (await started.ask<{ usage: Usage }>('usage', 'usage')).usage }
}

function nextMessage(child: ChildProcess, script: string, type: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`${script} ended with ${code} before it said "${type}".`))
    const onMessage = (message: unknown) => {
      if ((message as { type?: string }).type !== type) return
      child.off('message', onMessage).off('exit', onExit)
      resolve(message)
    }
    child.on('message', onMessage).once('exit', onExit)
  })
}
