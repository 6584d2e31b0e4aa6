/** The processes of started stores, either new or reused from earlier test files. */
import { spawn, type ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

/** A process that runs one of the store's programs. */
export type StoreProcess = {
  child: ChildProcess
  /** What it wrote since it started the program, log and complaints. */
  output: string[]
  /** Whether another store may take the process over. */
  isKept: boolean
}

type Environment = Record<string, string | undefined>

const project = new URL('../../', import.meta.url)
/** Preloaded into every process by the supervisor, so that they stop on request. */
const supervisedChild = new URL('tools/supervised-child.ts', project).href
const keptProgram = fileURLToPath(new URL('./kept-program.ts', import.meta.url))

/** Starts a program in a new process, as the supervisor does. Resolves when it is ready. */
export async function startProcess(script: string, env: Environment): Promise<StoreProcess> {
  const child = open([script], env)
  const output = record(child)
  await next(child, 'ready', script, output)
  return { child, output, isKept: false }
}

const idle = new Map<string, ChildProcess[]>()

/**
 * Starts a program in a process that already ran it for an earlier store, or in a new one. The modules are the same
 * objects, so state that leaks between runs is detected.
 */
export async function startInKeptProcess(script: string, env: Environment): Promise<StoreProcess> {
  const child = idle.get(script)?.pop() ?? openKept(script)
  const output = record(child)
  child.send({ start: env })
  await next(child, 'ready', script, output)
  return { child, output, isKept: true }
}

/** Does not keep this process alive, and ends with it. */
function openKept(script: string): ChildProcess {
  const child = open([keptProgram, new URL(script, project).href], process.env)
  child.unref()
  child.channel?.unref()
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref()
  return child
}

/** Stops the program. A reusable process is ready for the next store, and others end. */
export async function endProcess(script: string, { child, output, isKept }: StoreProcess): Promise<void> {
  if (hasEnded(child)) return
  const isLate = setTimeout(() => child.kill('SIGKILL'), 10_000)
  if (isKept) {
    child.send('stop')
    const stopped = await next(child, 'stopped', script, output).then(
      () => true,
      () => false,
    )
    for (const stream of [child.stdout, child.stderr]) stream?.removeAllListeners('data').resume()
    if (stopped) idle.set(script, [...(idle.get(script) ?? []), child])
  } else {
    child.kill('SIGTERM')
    await exitOf(child)
  }
  clearTimeout(isLate)
}

/** Resolves when the process has ended. */
export function exitOf(child: ChildProcess | undefined): Promise<void> {
  if (!child || hasEnded(child)) return Promise.resolve()
  return new Promise((resolve) => child.once('exit', () => resolve()))
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function open(args: string[], env: Environment): ChildProcess {
  return spawn(process.execPath, ['--import', supervisedChild, ...args], {
    env,
    cwd: fileURLToPath(project),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
}

function record(child: ChildProcess): string[] {
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => output.push(bytes.toString()))
  return output
}

/** Resolves with the child's next message of this type; rejects with what it wrote if it ends before. */
async function next(child: ChildProcess, type: string, script: string, output: string[]): Promise<void> {
  let stopListening = () => {}
  try {
    await new Promise<void>((resolve, reject) => {
      const onMessage = (message: unknown) => {
        if (typeof message === 'object' && message !== null && 'type' in message && message.type === type) resolve()
      }
      const onExit = (code: number | null) =>
        reject(new Error(`${script} ended with ${code} before it was ${type}:\n${output.join('').slice(-4_000)}`))
      child.on('message', onMessage)
      child.once('exit', onExit)
      stopListening = () => void child.off('message', onMessage).off('exit', onExit)
    })
  } finally {
    stopListening()
  }
}
