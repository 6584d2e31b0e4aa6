import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Deliveries } from '../deliveries.ts'
import type { Store } from '../store.ts'
import { createNetTermsApi } from './api.ts'
import { createNetTermsBoard } from './board.ts'
import { openNetTerms } from './ledger.ts'
import { orderAlarm } from './orders.ts'

export type NetTermsSandbox = {
  /** Everything below `netTermsPath`. */
  app: Hono<{ Bindings: Partial<HttpBindings> }>
  /** Ends reviews and authorizations that are due. */
  doDueWork(): void
}

/** Resolve: its Merchant API below `/api`, and a board that shows and edits its data. */
export function createNetTermsSandbox(parts: {
  store: Store
  deliveries: Deliveries
  merchantId: string
  secretKey: string
  now: () => Temporal.Instant
}): NetTermsSandbox {
  const ledger = openNetTerms(parts)
  const app: NetTermsSandbox['app'] = new Hono()
  app.route('/api', createNetTermsApi(ledger, parts))
  app.route('/', createNetTermsBoard(ledger))
  return {
    app,
    doDueWork() {
      for (let due = ledger.orders.nextDue(ledger.now()); due; due = ledger.orders.nextDue(ledger.now())) {
        const { body } = due
        ledger.store.transaction(() => orderAlarm(ledger, body))
      }
    },
  }
}
