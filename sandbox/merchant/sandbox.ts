import { Hono } from 'hono'
import { demoTokenPath } from '#platform/merchant-demo-account.ts'
import type { Store } from '../store.ts'
import { createMerchantApi, createMerchantToken } from './api.ts'
import { createMerchantBoard } from './board.ts'
import { openMerchant } from './merchant.ts'

/** Google Merchant Center, with its API, tokens, and board. */
export function createMerchantSandbox(parts: { store: Store; now(): Temporal.Instant; publicOrigin: string }): Hono {
  const merchant = openMerchant(parts)
  const app = new Hono()
  app.route('/products/v1', createMerchantApi(merchant))
  app.route(demoTokenPath, createMerchantToken(merchant, parts.publicOrigin + demoTokenPath))
  app.route('/google', createMerchantBoard(merchant))
  return app
}
