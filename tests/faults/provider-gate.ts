/**
 * A proxy between the store and its payment provider's API, where a test controls API calls. Everything else passes
 * through.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

/**
 * `silent`: the call never reaches the provider and gets no response. `failing`: it gets a 500 without effect.
 * `cutting`: it takes effect, but the connection breaks before the response. `twice`: each call is delivered twice.
 */
export type ProviderFault = 'none' | 'silent' | 'failing' | 'cutting' | 'twice'

export type ProviderGate = AsyncDisposable & {
  origin: string
  /** Sets the provider's origin. */
  leadTo(origin: string): void
  become(fault: ProviderFault): void
}

export async function openProviderGate(): Promise<ProviderGate> {
  let target = ''
  let fault: ProviderFault = 'none'

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const met = incoming.url?.startsWith('/v1/') ? fault : 'none'
    const body = await buffer(incoming)
    if (met === 'silent') return
    if (met === 'failing')
      return void outgoing
        .writeHead(500, { 'content-type': 'application/json' })
        .end('{"error":{"type":"api_error","message":"Out of order."}}')
    if (met === 'twice') await passOn(incoming, body)
    const { status, headers, answer } = await passOn(incoming, body)
    if (met !== 'cutting') return void outgoing.writeHead(status, headers).end(answer)
    outgoing.writeHead(200, { 'content-length': '1000' })
    outgoing.write('{', () => outgoing.destroy())
  }

  function passOn({ method, url, headers }: IncomingMessage, body: Buffer) {
    return new Promise<{ status: number; headers: IncomingMessage['headers']; answer: Buffer }>((resolve, reject) => {
      const call = request(new URL(url ?? '/', target), { method, headers, agent: false }, (response) => {
        buffer(response).then(
          (answer) => resolve({ status: response.statusCode ?? 502, headers: response.headers, answer }),
          reject,
        )
      })
      call.once('error', reject)
      call.end(body)
    })
  }

  const server = createServer((incoming, outgoing) => void handle(incoming, outgoing).catch(() => outgoing.destroy()))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  return {
    origin: `http://localhost:${typeof address === 'object' && address ? address.port : 0}`,
    leadTo(origin) {
      target = origin
    },
    become(next) {
      fault = next
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
