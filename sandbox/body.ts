import type { Context } from 'hono'

/**
 * The HTTP status with which to refuse a request's body: 413 if it is larger than `maxBytes`, 411 if it declares no
 * length. Null if it may be read. Node's server never reads past the declared length.
 */
export function bodyRefusal(c: Context, maxBytes: number): 411 | 413 | null {
  const length = c.req.header('content-length')
  if (length === undefined) return c.req.header('transfer-encoding') === undefined ? null : 411
  return Number(length) <= maxBytes ? null : 413
}

/** The text fields of a posted form, each cut to 300 characters; empty for an unreadable form. */
export async function formFields(c: Context): Promise<Map<string, string>> {
  const form = await c.req.parseBody().catch(() => ({}))
  return new Map(
    Object.entries(form).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value.slice(0, 300)]] : [])),
  )
}
