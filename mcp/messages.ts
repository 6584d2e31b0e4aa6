/** What of a message is read before the library reads it, and refusals that come before it. */

export const mcpPath = '/mcp'

/** The part of a message needed to admit it. It isn't trusted. */
export type Message = {
  readonly body: unknown
  readonly tool: string | undefined
  readonly cartKey: string | undefined
}

export function messageOf(body: unknown): Message {
  const { method, params } = recordOf(body)
  const { name, arguments: sent } = recordOf(params)
  const { cartKey } = recordOf(sent)
  return {
    body,
    tool: method === 'tools/call' && typeof name === 'string' ? name : undefined,
    cartKey: typeof cartKey === 'string' ? cartKey : undefined,
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

/** `code` is the JSON-RPC code. */
export type Refusal = {
  readonly status: number
  readonly message: string
  readonly code?: number
  readonly headers?: Readonly<Record<string, string>>
}

export function refusalResponse(
  { status, message, code = -32000, headers }: Refusal,
  always: Readonly<Record<string, string>>,
): Response {
  return new Response(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }), {
    status,
    headers: { ...always, 'cache-control': 'private, no-store', 'content-type': 'application/json', ...headers },
  })
}
