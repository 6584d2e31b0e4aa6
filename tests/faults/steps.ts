/**
 * A step is a store process's external interaction. It is a statement (including transaction control) or a call to the
 * payment provider, the carrier, or the mail server. Statements are counted on the wire, so new ones are included
 * automatically. At each step a test can end the process or do something else first.
 */
import { createServer, connect, type Socket } from 'node:net'

/**
 * `asked`: the step is about to reach the outside. `answered`: it has taken effect there, but the process does not know
 * yet.
 */
export type Moment = 'asked' | 'answered'

/** `writes`: it may change or lock something. `isOpen`: it was answered within a transaction. */
export type Step = { number: number; moment: Moment; what: string; writes: boolean; isOpen: boolean }

/** Called at both moments of every step; throwing ends the process there. */
export type AtStep = (step: Step) => Promise<void> | void

/** The external services of one process. */
export type Watched = AsyncDisposable & {
  /** The database through this proxy. */
  url: string
  /** Wraps a port so that its calls are steps. Parsing a received message isn't a step. */
  watch<Port extends object>(port: Port): Port
  /** Whether the process was ended. */
  isEnded(): boolean
}

/** The process ended at a step. Thrown by the test, and by every later interaction. */
export class ProcessEnded extends Error {}

/** Watches a process that uses the database at `url`. */
export async function watchSteps(url: string, atStep: AtStep): Promise<Watched> {
  const sockets = new Set<Socket>()
  let count = 0
  let isEnded = false

  function end(): void {
    isEnded = true
    for (const socket of sockets) socket.destroy()
  }

  async function pass(step: Step): Promise<void> {
    try {
      if (isEnded) throw new ProcessEnded('The process has ended.')
      await atStep(step)
    } catch (error) {
      end()
      throw error
    }
  }

  const server = createServer((client) => {
    if (isEnded) return void client.destroy()
    const target = new URL(url)
    const postgres = connect(Number(target.port), target.hostname)
    for (const socket of [client, postgres]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        postgres.destroy()
      })
    }
    relay(client, postgres, () => {
      count += 1
      const number = count
      return (step) => pass({ number, ...step })
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  const through = new URL(url)
  if (typeof address === 'object' && address) [through.hostname, through.port] = ['127.0.0.1', String(address.port)]

  return {
    url: through.href,
    isEnded: () => isEnded,
    watch: <Port extends object>(port: Port) =>
      new Proxy(port, {
        get(outside, name, receiver) {
          const call: unknown = Reflect.get(outside, name, receiver)
          if (typeof call !== 'function' || insideOnly.has(String(name))) return call
          return async (...input: unknown[]): Promise<unknown> => {
            count += 1
            const number = count
            const step = { number, what: String(name), writes: true, isOpen: false }
            await pass({ ...step, moment: 'asked' })
            const answer: unknown = await call(...input)
            await pass({ ...step, moment: 'answered' })
            return answer
          }
        },
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}

/** Internal calls. They parse messages or close connections. */
const insideOnly: ReadonlySet<string> = new Set(['readEvent', 'refBefore', 'close'])

type Pass = (step: Omit<Step, 'number'>) => Promise<void>

/** Matches statements that can change or lock data, including reads with such a statement or a queued job. */
const writing = /\b(?:insert|update|delete|truncate|commit|share|lock|pg_advisory\w+|graphile_worker)\b/i

/**
 * Relays complete requests and responses. A request ends with Query or Sync, a response with ReadyForQuery (PostgreSQL,
 * "Frontend/Backend Protocol"); one at a time. Everything before the first response is the login, not a step.
 */
function relay(client: Socket, postgres: Socket, begin: () => Pass): void {
  let step: Pass | undefined
  let writes = false
  let isLoggedIn = false
  const request = frames({ untypedFirst: true })
  const answer = frames({ untypedFirst: false })
  let asking: Buffer[] = []
  let answering: Buffer[] = []

  /** Pipelined requests wait for the previous response. */
  let turn = Promise.resolve()
  let hasAnswered = () => {}

  async function forward(bytes: Buffer): Promise<void> {
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    hasAnswered = resolve
    step = begin()
    writes = writing.test(bytes.toString('latin1'))
    await step({ moment: 'asked', what: wordsOf(bytes), writes, isOpen: false })
    postgres.write(bytes)
    await answered
  }

  async function giveBack(): Promise<void> {
    const bytes = Buffer.concat(answering)
    answering = []
    const answered = step
    step = undefined
    // ReadyForQuery ends with the transaction's state, where I means idle.
    const isOpen = bytes.at(-1) !== 'I'.charCodeAt(0)
    if (answered) await answered({ moment: 'answered', what: 'answer', writes, isOpen })
    isLoggedIn = true
    client.write(bytes)
    hasAnswered()
  }

  const hangUp = () => void client.destroy()
  client.on('data', (bytes: Buffer) => {
    for (const frame of request(bytes)) {
      if (!isLoggedIn || frame.type === 'X') postgres.write(frame.bytes)
      else asking.push(frame.bytes)
      if (isLoggedIn && (frame.type === 'Q' || frame.type === 'S')) {
        const whole = Buffer.concat(asking)
        asking = []
        turn = turn.then(() => forward(whole)).catch(hangUp)
      }
    }
  })
  postgres.on('data', (bytes: Buffer) => {
    for (const frame of answer(bytes)) {
      if (!isLoggedIn && frame.type !== 'Z') client.write(frame.bytes)
      else answering.push(frame.bytes)
      if (frame.type === 'Z') giveBack().catch(hangUp)
    }
  })
}

/** Splits a stream into protocol messages; a client's first has no type byte. */
function frames({ untypedFirst }: { untypedFirst: boolean }): (bytes: Buffer) => { type: string; bytes: Buffer }[] {
  let rest: Buffer = Buffer.alloc(0)
  let isFirst = untypedFirst
  return (bytes) => {
    rest = Buffer.concat([rest, bytes])
    const found: { type: string; bytes: Buffer }[] = []
    for (;;) {
      const header = isFirst ? 0 : 1
      if (rest.length < header + 4) return found
      const length = header + rest.readInt32BE(header)
      if (rest.length < length) return found
      found.push({ type: isFirst ? '' : String.fromCharCode(rest[0] ?? 0), bytes: rest.subarray(0, length) })
      rest = rest.subarray(length)
      isFirst = false
    }
  }
}

/** The statement's text, to name a failing step. */
function wordsOf(request: Buffer): string {
  return request
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, 120)
}
