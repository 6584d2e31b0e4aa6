/** Where browsers report what the Content Security Policy of a payment page blocked. Anyone can post here. */
import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { longestReport, receiveCspReports } from '#domain/payments/payment-pages/payment-pages.server.ts'
import { addressOf, networkOf } from '#http/client-address.ts'
import { cspReportsPath } from '#http/security.ts'
import type { Shop } from '#shop'

/** Reports of one network that are read in a minute; a page with many blocked parts sends about as many. */
const mostInMinute = 60

export function createCspReports(shop: Shop): Hono<{ Bindings: Partial<HttpBindings> }> {
  const app = new Hono<{ Bindings: Partial<HttpBindings> }>()
  app.post(
    cspReportsPath,
    bodyLimit({ maxSize: longestReport, onError: (c) => c.body(null, 413, { connection: 'close' }) }),
    async (c) => {
      const from = networkOf(addressOf(c, shop.config))
      const { calls } = shop.callCounts.count(`csp-report:${from}`, mostInMinute)
      if (calls > mostInMinute) return c.body(null, 429, { 'retry-after': '60' })
      await receiveCspReports(shop, shop.config.web.origin, await c.req.text())
      return c.body(null, 204)
    },
  )
  return app
}
