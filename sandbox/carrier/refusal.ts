import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'

/** A refusal in EasyPost's envelope. https://docs.easypost.com/docs/errors */
export function refuse(
  c: Context,
  status: ContentfulStatusCode,
  code: string,
  message: string,
  errors: object[] = [],
): Response {
  return c.json({ error: { code, message, errors } }, status)
}

export const notFound = (c: Context) => refuse(c, 404, 'NOT_FOUND', 'The requested resource could not be found.')

/** What is wrong with parameters, each with its field. */
export function refuseParameters(c: Context, { issues }: z.ZodError): Response {
  const errors = issues.map(({ path, message }) => ({ field: path.join('.'), message }))
  return refuse(c, 422, 'PARAMETER.INVALID', 'Invalid parameter.', errors)
}

/** The object under `name` in a JSON body, or the refusal of a body without it. */
export async function readNamed(c: Context, name: string): Promise<{ given: unknown } | { refusal: Response }> {
  const body: unknown = await c.req.json().catch(() => undefined)
  const given = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined
  if (given !== undefined && given !== null) return { given }
  const errors = [{ field: name, message: 'cannot be blank' }]
  return { refusal: refuse(c, 422, 'PARAMETER.REQUIRED', 'Missing required parameter.', errors) }
}
