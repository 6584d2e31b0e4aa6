import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import type { Secrets } from '#platform/secrets.ts'
import type { Deliveries } from '../deliveries.ts'
import type { Store } from '../store.ts'
import { createPayPalApi } from './api.ts'
import { createApprovalPage } from './approval-page.ts'
import { createPayPalBoard } from './board.ts'
import type { WebhookSigner } from './certificate.ts'
import { disputeAlarm } from './disputes.ts'
import { openPayPal, type PayPalLedger } from './ledger.ts'
import { authorizationAlarm, orderAlarm } from './orders.ts'

export type PayPalSandbox = {
  /** Everything below `paypalPath`. */
  app: Hono<{ Bindings: Partial<HttpBindings> }>
  /** Ends approvals, reviews, and authorizations that are due, and deletes old keys. */
  doDueWork(): void
}

/** PayPal's API with its approval page, and a board that shows its data. */
export function createPayPalSandbox(parts: {
  store: Store
  publicOrigin: string
  deliveries: Deliveries
  signer: WebhookSigner
  clientId: string
  clientSecret: Secrets
  now: () => Temporal.Instant
}): PayPalSandbox {
  const ledger = openPayPal(parts)
  const api = createPayPalApi(ledger, parts, parts.signer)
  const app: PayPalSandbox['app'] = new Hono()
  app.route('/checkoutnow', createApprovalPage(ledger))
  app.route('/', createPayPalBoard(ledger))
  app.route('/', api.app)
  return {
    app,
    doDueWork() {
      ring(ledger, 'orders', orderAlarm)
      ring(ledger, 'authorizations', authorizationAlarm)
      ring(ledger, 'disputes', disputeAlarm)
      api.forgetOldKeys()
    },
  }
}

function ring<Kind extends 'orders' | 'authorizations' | 'disputes'>(
  ledger: PayPalLedger,
  kind: Kind,
  act: (ledger: PayPalLedger, body: NonNullable<ReturnType<PayPalLedger[Kind]['get']>>) => void,
): void {
  for (let due = ledger[kind].nextDue(ledger.now()); due; due = ledger[kind].nextDue(ledger.now())) {
    const body = due.body as NonNullable<ReturnType<PayPalLedger[Kind]['get']>>
    ledger.store.transaction(() => act(ledger, body))
  }
}
