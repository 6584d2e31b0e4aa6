import type { Context } from 'hono'

/**
 * Why a request's body is not taken, as an HTTP status: it is larger than `maxBytes` (413), or does not say how large
 * it is (411). Null when it may be read. Node's server never reads past the length a request declares.
 */
export function bodyRefusal(c: Context, maxBytes: number): 411 | 413 | null {
  const length = c.req.header('content-length')
  if (length === undefined) return c.req.header('transfer-encoding') === undefined ? null : 411
  return Number(length) <= maxBytes ? null : 413
}

/** The text fields of a posted form, each cut to 300 characters; an unreadable form has none. */
export async function formFields(c: Context): Promise<Map<string, string>> {
  const form = await c.req.parseBody().catch(() => ({}))
  return new Map(
    Object.entries(form).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.slice(0, 300)]] : [])),
  )
}
