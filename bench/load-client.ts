/**
 * The load client runs in a separate process. It is a closed loop over a fixed number of keep-alive connections, each
 * sending its next request after a response. It uses plain sockets because a client as expensive as the server would
 * distort the measurement. Any status except the expected one counts as a failure.
 */
import { connect } from 'node:net'

export type LoadRequest = {
  method?: 'GET' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
  expect?: number
}

/**
 * Sends the requests in turn for `milliseconds` or until `count` are answered. Connections are spread over the ports.
 */
export type LoadJob = {
  ports: number[]
  requests: LoadRequest[]
  connections: number
  milliseconds: number
  count?: number
}

/** Latencies in milliseconds. `cpuShare` is the share of one core that the client itself used. */
export type LoadResult = {
  answered: number
  failed: number
  firstFailure: string | null
  seconds: number
  p50: number
  p99: number
  cpuShare: number
}

process.on('message', (message: { job: LoadJob }) => {
  void run(message.job).then((result) => process.send?.({ type: 'result', result }))
})
process.once('disconnect', () => process.exit())
process.send?.({ type: 'ready' })

type Wire = { bytes: Buffer; expect: number; path: string }
type Tally = {
  latencies: number[]
  failed: number
  firstFailure: string | null
  sent: number
  until: number
  count: number
}

async function run(job: LoadJob): Promise<LoadResult> {
  const wires = job.requests.map(wireOf)
  const cpu = process.cpuUsage()
  const began = performance.now()
  const tally: Tally = {
    latencies: [],
    failed: 0,
    firstFailure: null,
    sent: 0,
    until: began + job.milliseconds,
    count: job.count ?? Number.POSITIVE_INFINITY,
  }
  await Promise.all(
    Array.from({ length: job.connections }, (_, index) => loop(job.ports[index % job.ports.length] ?? 0, wires, tally)),
  )
  const milliseconds = performance.now() - began
  const { user, system } = process.cpuUsage(cpu)
  const sorted = Float64Array.from(tally.latencies).sort()
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return {
    answered: sorted.length,
    failed: tally.failed,
    firstFailure: tally.firstFailure,
    seconds: milliseconds / 1000,
    p50: at(0.5),
    p99: at(0.99),
    cpuShare: (user + system) / 1000 / milliseconds,
  }
}

function wireOf({ method = 'GET', path, headers = {}, body, expect = 200 }: LoadRequest): Wire {
  const all = {
    host: 'localhost',
    ...headers,
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return { bytes: Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`), expect, path }
}

/** One connection, until the time or the count is used up. */
function loop(port: number, wires: readonly Wire[], tally: Tally): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const answer = new AnswerReader()
  return new Promise((done) => {
    let wire: Wire | undefined
    let sentAt = 0

    function next(): void {
      wire = wires[tally.sent % wires.length]
      if (wire === undefined || tally.sent >= tally.count || performance.now() >= tally.until)
        return void socket.destroy()
      tally.sent += 1
      sentAt = performance.now()
      socket.write(wire.bytes)
    }
    function fail(what: string): void {
      tally.failed += 1
      tally.firstFailure ??= `${wire?.path}: ${what}`
    }

    socket.once('connect', next)
    socket.on('data', (chunk: Buffer) => {
      const status = answer.read(chunk)
      if (status === undefined) return
      tally.latencies.push(performance.now() - sentAt)
      if (status !== wire?.expect) fail(`answered ${status}`)
      next()
    })
    socket.once('error', (error) => fail(error.message))
    socket.once('close', () => {
      if (!socket.destroyed || answer.isHalfRead) fail('the connection was closed')
      done()
    })
  })
}

/** Reads successive responses from one connection. */
class AnswerReader {
  private at: 'head' | 'body' | 'chunk-size' | 'chunk' | 'last-chunk' = 'head'
  /** Bytes of an incomplete head or size line. */
  private begun: Buffer = Buffer.alloc(0)
  private status = 0
  /** Remaining bytes of the body, or of the chunk and its line ending. */
  private missing = 0

  get isHalfRead(): boolean {
    return this.at !== 'head' || this.begun.length > 0
  }

  /** Returns the status if `bytes` complete a response. */
  read(bytes: Buffer): number | undefined {
    let rest = this.begun.length === 0 ? bytes : Buffer.concat([this.begun, bytes])
    this.begun = Buffer.alloc(0)
    for (;;) {
      if (this.at === 'head' || this.at === 'chunk-size') {
        const mark = this.at === 'head' ? '\r\n\r\n' : '\r\n'
        const end = rest.indexOf(mark)
        if (end < 0) {
          this.begun = rest
          return undefined
        }
        const text = rest.toString('latin1', 0, end)
        rest = rest.subarray(end + mark.length)
        if (this.at === 'head') this.readHead(text)
        else this.readSize(text)
      }
      if (rest.length < this.missing) {
        this.missing -= rest.length
        return undefined
      }
      rest = rest.subarray(this.missing)
      this.missing = 0
      if (this.at === 'chunk') {
        this.at = 'chunk-size'
      } else if (this.at !== 'chunk-size') {
        this.at = 'head'
        return this.status
      }
    }
  }

  private readHead(text: string): void {
    this.status = Number(text.slice(9, 12))
    const isChunked = /\r\ntransfer-encoding: *chunked/i.test(text)
    this.at = isChunked ? 'chunk-size' : 'body'
    this.missing = isChunked ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0)
  }

  private readSize(text: string): void {
    const size = Number.parseInt(text, 16)
    this.at = size === 0 ? 'last-chunk' : 'chunk'
    this.missing = size + 2
  }
}
