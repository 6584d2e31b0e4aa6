/** Test fixtures for an external endpoint that records requests, and for the use cases' dependencies. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createOutgoing } from '#platform/outgoing-http.ts'

export type Heard = { path: string; headers: IncomingHttpHeaders; body: string }
/** What is answered, by path; 204 otherwise. */
export type Answers = Map<string, number>

/** Starts a receiver that records requests. */
export async function startReceiver() {
  const heard: Heard[] = []
  const answers: Answers = new Map()
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const path = request.url ?? ''
      heard.push({ path, headers: request.headers, body })
      response.writeHead(answers.get(path) ?? 204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    heard,
    answers,
    outgoing: createOutgoing({ trustedOrigin: origin }),
    [Symbol.asyncDispose]() {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
