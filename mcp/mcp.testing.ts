/** The MCP server next to the API, with a copy of the small demo data and the official client, without sockets. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Hono } from 'hono'
import { openApi } from '#api/api.testing.ts'
import { createFakeProvider } from '#domain/customers/accounts/accounts.testing.ts'
import { createMcp } from '#mcp/mcp.ts'

type Sent = { method?: string; body?: unknown; headers?: Record<string, string> }
type Era = 'legacy' | 'auto'

export type Answered = { structuredContent?: unknown; content: { text: string }[]; isError?: boolean }

/** Hold it with `await using`. */
export async function openMcp({ callsPerMinute = 1_000_000 } = {}) {
  const identity = createFakeProvider()
  const api = await openApi({ identity, callsPerMinute })
  const hono = new Hono<{ Variables: { requestId: string } }>()
  hono.use((c, next) => {
    c.set('requestId', 'test-request')
    return next()
  })
  hono.route('/', createMcp(api.app))
  const serve = async (request: Request) => hono.fetch(request, {})

  return { ...api, identity, post, connect, [Symbol.asyncDispose]: () => api[Symbol.asyncDispose]() }

  /** Sends a raw request. */
  function post({ method = 'POST', body, headers = {} }: Sent = {}): Promise<Response> {
    return serve(
      new Request('http://store.example/mcp', {
        method,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
  }

  /** A client of the protocol without sessions (`auto`), or one that begins with the handshake of 2025 (`legacy`). */
  async function connect(mode: Era = 'auto', token?: string) {
    const client = new Client({ name: 'test-agent', version: '1.0.0' }, { versionNegotiation: { mode } })
    const transport = new StreamableHTTPClientTransport(new URL('http://store.example/mcp'), {
      fetch: (url, init) => serve(new Request(url, init)),
      ...(token !== undefined && { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
    })
    await client.connect(transport)
    return {
      client,
      /** Calls a tool. The client validates the result against the tool's schema. */
      call: async (name: string, args: Record<string, unknown> = {}) =>
        (await client.callTool({ name, arguments: args })) as Answered,
      [Symbol.asyncDispose]: () => client.close(),
    }
  }
}

/** Returns a successful tool's result. */
export async function contentOf<Content>(answering: Answered | Promise<Answered>): Promise<Content> {
  const { isError, content, structuredContent } = await answering
  if (isError === true) throw new Error(content.map(({ text }) => text).join('\n'))
  return structuredContent as Content
}
