/** Where browsers report what the Content Security Policy of a payment page blocked. Anyone can post here. */
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { longestReport, receiveCspReports } from '#domain/payments/payment-pages/payment-pages.server.ts'
import { addressOf, networkOf } from '#http/client-address.ts'
import { cspReportsPath } from '#http/security.ts'
import type { Application } from '#application'

/** Reports of one network that are read in a minute; a page with many blocked parts sends about as many. */
const mostInMinute = 60

export function createCspReports(app: Application): Hono<{ Bindings: Partial<HttpBindings> }> {
  const hono = new Hono<{ Bindings: Partial<HttpBindings> }>()
  hono.post(
    cspReportsPath,
    bodyLimit({ maxSize: longestReport, onError: (c) => c.body(null, 413, { connection: 'close' }) }),
    async (c) => {
      const from = networkOf(addressOf(c, app.config))
      const { calls } = app.callCounts.count(`csp-report:${from}`, mostInMinute)
      if (calls > mostInMinute) return c.body(null, 429, { 'retry-after': '60' })
      await receiveCspReports(app, app.config.web.origin, await c.req.text())
      return c.body(null, 204)
    },
  )
  return hono
}
