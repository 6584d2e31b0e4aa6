import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { connectionTimes, createTimedServer } from './timed-server.ts'

const long = 100_000

/** The response to a connection that sends only `words`, up to when the server closes it. */
async function heard(words: string, times: Partial<Parameters<typeof createTimedServer>[2]>): Promise<string> {
  const server = createTimedServer(
    {},
    (request, response) => {
      // Writes until the client stops reading; a POST body is awaited first.
      if (request.method === 'POST') request.resume().on('end', () => response.end('all there'))
      else response.write(Buffer.alloc(64 * 1024 * 1024))
    },
    { headers: long, request: long, silence: long, idle: long, ...times },
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const answer: Buffer[] = []
  if (words.startsWith('GET')) socket.pause()
  else socket.on('data', (bytes: Buffer) => answer.push(bytes))
  // A connection closed mid-request may also be reset.
  socket.on('error', () => undefined)
  const closed = words.startsWith('GET')
    ? once(server, 'connection').then(([served]) => once(served as typeof socket, 'close'))
    : once(socket, 'close')
  socket.write(words)
  await closed
  socket.destroy()
  server.close()
  return Buffer.concat(answer).toString()
}

test.for([
  ['says nothing', '', { headers: 50 }],
  ['never ends its headers', 'POST / HTTP/1.1\r\nhost: store.test\r\nx-slow: 1', { headers: 50 }],
  [
    'never ends its body',
    'POST / HTTP/1.1\r\nhost: store.test\r\ncontent-length: 20\r\n\r\nzip=',
    { headers: 50, request: 50 },
  ],
  [
    'never ends a body of chunks',
    'POST / HTTP/1.1\r\nhost: store.test\r\ntransfer-encoding: chunked\r\n\r\n4\r\nzip=\r\n',
    { headers: 50, request: 50 },
  ],
] as const)('a client that %s gets an error and is disconnected', async ([, words, times]) => {
  expect(await heard(words, times)).toMatch(/^HTTP\/1\.1 408 /)
})

test('a client that does not read is disconnected', async () => {
  expect(await heard('GET / HTTP/1.1\r\nhost: store.test\r\n\r\n', { silence: 50 })).toBe('')
})

test('a connection stays open between requests for longer than proxies keep theirs', async () => {
  // On a busy machine the headers of a request take longer than 50 ms.
  const headers = 500
  const server = createTimedServer({}, (_, response) => response.end('there'), { ...connectionTimes, headers })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const connections: unknown[] = []
  server.on('connection', (socket) => connections.push(socket))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { port } = server.address() as AddressInfo
  const ask = async () => {
    const [answer] = (await once(get({ port, host: '127.0.0.1', agent }), 'response')) as [IncomingMessage]
    await answer.resume().toArray()
    return answer
  }
  expect((await ask()).headers['keep-alive']).toBe('timeout=65')
  // Several checks for late headers run while no request is on the connection.
  for (let checks = 0; checks < 3; checks++) await new Promise((done) => setTimeout(done, headers + 10))
  expect((await ask()).statusCode).toBe(200)
  expect(connections).toHaveLength(1)
  agent.destroy()
  server.close()
})
