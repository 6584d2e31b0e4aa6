/** Supervises a process. Starts it, detects when it's ready, restarts it when it ends, and stops it cleanly. */
import { fork, type ChildProcess } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { PlainError } from '#platform/plain-error.ts'
import { isAccepting } from './ports.ts'

export type Process = {
  name: string
  /** A .ts file, run by this Node. */
  script: string
  env: NodeJS.ProcessEnv
  /** Its output is appended to this file. */
  log: string
  /** Accepting connections here counts as ready, for a process that does not send `process.send({ type: 'ready' })`. */
  port?: number
  /** How long it may take to stop when asked. */
  stopWithin: number
}

export type Supervised = {
  /** Resolves when it is first ready; rejects with a `PlainError` if it ends before. */
  ready: Promise<void>
  /** Signals the process to stop, and kills it if it takes too long. It isn't restarted. */
  stop(): Promise<void>
}

const firstPause = 250
const longestPause = 10_000
/** A process that ran this long started well, so the next pause is short again. */
const longEnough = 30_000

/**
 * Starts the process. After the first ready state, restarts it whenever it ends, with a doubling delay while it
 * continues to fail. Reports each in one line to `say`.
 */
export function supervise(what: Process, say: (line: string) => void): Supervised {
  const ready = Promise.withResolvers<void>()
  const stopping = new AbortController()
  const stopped = keepRunning(what, ready, stopping.signal, say)
  return {
    ready: ready.promise,
    stop() {
      stopping.abort()
      return stopped
    },
  }
}

async function keepRunning(
  what: Process,
  firstReady: PromiseWithResolvers<void>,
  stopping: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  const stopRequest = new Promise<undefined>((done) => stopping.addEventListener('abort', () => done(undefined)))
  let wasReady = false
  for (let failures = 0; ;) {
    const running = await start(what)
    void running.ready.then(() => {
      if (wasReady) say(`${what.name} is running again.`)
      wasReady = true
      firstReady.resolve()
    })
    const end = await Promise.race([running.ended, stopRequest])
    if (end === undefined) return stop(what, running, say)
    if (!wasReady) {
      const reason = findReason((await readFile(what.log)).subarray(running.logStart).toString())
      return firstReady.reject(new PlainError(`${what.name} did not start: ${reason} (see ${what.log})`))
    }
    failures = running.ranFor() > longEnough ? 1 : failures + 1
    const pause = Math.min(firstPause * 2 ** (failures - 1), longestPause)
    say(`${what.name} ended by itself (${end}); it is started again in ${pause / 1000} s. See ${what.log}`)
    await Promise.race([sleep(pause, undefined, { ref: false }), stopRequest])
    if (stopping.aborted) return
  }
}

type Running = {
  child: ChildProcess
  logStart: number
  ready: Promise<void>
  /** Resolves with a description of how it ended. */
  ended: Promise<string>
  ranFor(): number
}

async function start(what: Process): Promise<Running> {
  const log = await open(what.log, 'a')
  const logStart = (await log.stat()).size
  const started = performance.now()
  const child = fork(what.script, {
    env: what.env,
    execArgv: ['--import', new URL('./supervised-child.ts', import.meta.url).href],
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
    // Outside the terminal's process group, because Ctrl-C must reach only the supervisor, which stops processes in
    // order.
    detached: true,
  })
  await log.close()
  const ended = new Promise<string>((done) => {
    child.once('error', (error) => done(error.message))
    child.once('exit', (code, signal) => done(signal === null ? `exit code ${code}` : `killed by ${signal}`))
  })
  const ready = new Promise<void>((done) => {
    child.on('message', (message) => (message as { type?: string }).type === 'ready' && done())
    if (what.port !== undefined) void waitForPort(what.port, child).then((accepting) => accepting && done())
  })
  return { child, logStart, ready, ended, ranFor: () => performance.now() - started }
}

/** Whether the port accepted connections before the process ended. */
async function waitForPort(port: number, child: ChildProcess): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    if (await isAccepting(port)) return true
    await sleep(50)
  }
  return false
}

async function stop(what: Process, { child, ended }: Running, say: (line: string) => void): Promise<void> {
  child.kill('SIGTERM')
  const timer = setTimeout(() => {
    say(`${what.name} did not stop within ${what.stopWithin / 1000} s and was ended.`)
    child.kill('SIGKILL')
  }, what.stopWithin)
  await ended
  clearTimeout(timer)
}

/**
 * Returns why a process ended, from its last output. This is the error's message and innermost cause, or else the last
 * lines.
 */
export function findReason(output: string): string {
  // The last line of an error that is printed with its properties is a bracket, and of its stack a place in the code.
  const lines = output
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => /\w/.test(line) && !line.startsWith('Node.js v') && !/^\s+at /.test(line))
  const start = /^(?:Uncaught )?\[?\w*(?:Error|Exception)(?: \[\w+\])?: /
  const messageOf = (line: string | undefined) =>
    line
      ?.trim()
      .replace(/^\[cause\]: /, '')
      .replace(/ \{$/, '')
      .replace(/^\[(.*)\]$/, '$1')
      .replace(start, '')
  const at = lines.findLastIndex((line) => start.test(line))
  const message = messageOf(lines[at])
  const cause = messageOf(lines.slice(Math.max(at, 0)).findLast((line) => /^\s*\[cause\]: /.test(line)))
  if (message === undefined) return lines.at(-1)?.trim() ?? 'it gave no reason'
  return cause === undefined ? message : `${message} (${cause})`
}
