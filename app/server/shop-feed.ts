/**
 * A shop's calendar feed for calendar apps, authenticated only by the secret in the URL. Unknown, ended and malformed
 * secrets all get the same 404.
 */
import { createHash } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { openFeed } from '#domain/installer-portal/portal/portal.server.ts'
import { addressOf, networkOf } from '#http/client-address.ts'
import type { Application } from '#application'

/** Longer URLs are invalid and not parsed. */
const longest = 100

export function createShopFeed(app: Application): Hono<{ Bindings: Partial<HttpBindings> }> {
  const hono = new Hono<{ Bindings: Partial<HttpBindings> }>()
  hono.get('/portal/feed/:file', async (c) => {
    const headers = { 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' }
    const address = addressOf(c, app.config)
    const taken = await app.rateLimits.take('calendar-feed', { network: networkOf(address) })
    if (!taken.ok)
      return c.text('Too many requests from your network.', 429, {
        ...headers,
        'retry-after': String(taken.detail.retryAfterSeconds),
      })
    const secret = /^(.+)\.ics$/.exec(c.req.param('file').slice(0, longest))?.[1] ?? ''
    const file = await openFeed(app, secret)
    if (file === undefined)
      return c.text('There is no calendar here.', 404, { ...headers, 'cache-control': 'no-store' })
    const etag = `"${createHash('sha256').update(file).digest('base64url')}"`
    const kept = c.req.header('if-none-match') ?? ''
    if (
      kept
        .slice(0, 1_000)
        .split(',')
        .some((each) => each.trim().replace(/^W\//, '') === etag)
    )
      return c.body(null, 304, { ...headers, etag })
    return c.body(file, 200, {
      ...headers,
      etag,
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'inline; filename="sidewall.ics"',
      'x-content-type-options': 'nosniff',
    })
  })
  return hono
}
