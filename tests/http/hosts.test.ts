/** Other host names and repeated Host headers, over sockets. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type RunningStore } from '#tests/support/store.ts'

let store: RunningStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store[Symbol.asyncDispose]())

/** Sends the lines of a request as they are, and returns the status and the headers of the response. */
async function send(...lines: string[]): Promise<{ status: number; head: string }> {
  const { port } = new URL(store.origin)
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  await once(socket, 'connect')
  // Not `end`, because the server drops half-closed connections.
  socket.write([...lines, 'connection: close', '', ''].join('\r\n'))
  const answer = await text(socket)
  return { status: Number(answer.split(' ')[1]), head: answer.split('\r\n\r\n')[0] ?? '' }
}

test.for(['/', '/brands', '/api/brands', '/assets/x.js', '/healthz'])(
  'rejects a request for %s that names two hosts',
  async (path) => {
    const { host } = new URL(store.origin)
    expect([200, 404]).toContain((await send(`GET ${path} HTTP/1.1`, `host: ${host}`)).status)
    expect(await send(`GET ${path} HTTP/1.1`, `host: ${host}`, 'HOST: evil.example')).toMatchObject({ status: 400 })
    expect(await send(`GET ${path} HTTP/1.1`, `host: ${host}`, `host: ${host}`)).toMatchObject({ status: 400 })
  },
)

test.for(['/', '/brands?page=2', '/account', '/office', '/no-such-page'])(
  'redirects %s at another host name to the store before rendering',
  async (path) => {
    for (const method of ['GET', 'HEAD', 'POST']) {
      const answer = await send(`${method} ${path} HTTP/1.1`, 'host: www.store.example', 'content-length: 0')
      expect(answer.status, method).toBe(308)
      expect(answer.head.toLowerCase()).toContain(`location: ${store.origin}${path}\r\n`)
    }
  },
)

test('accepts a form of a page that hides its address, and no form of a sandboxed frame', async () => {
  const post = async (site: string) => {
    const answer = await fetch(`${store.origin}/zip`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'null', 'sec-fetch-site': site },
      body: new URLSearchParams({ zip: '1' }),
    })
    return answer.status
  }
  expect(await post('same-origin')).toBe(422)
  expect(await post('same-site')).toBe(403)
  expect(await post('cross-site')).toBe(403)
})
