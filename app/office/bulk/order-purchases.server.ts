/** The bulk action that buys orders' tires from their suppliers. */
import { createHash } from 'node:crypto'
import { answerPurchaseOrder, listOrderPurchases, type OrderPurchase } from '#domain/supply/stock/stock.server.ts'
import { purchaseOrderNumber } from '#domain/supply/stock/stock.ts'
import { counted, done, refusedFor, revoked, type BulkAct } from './act.server.ts'
import { readOrderRow } from './order-row.server.ts'

/** Sends a rejected purchase order again, or records one that staff placed with its supplier. */
type Step = OrderPurchase & { intent: 'again' | 'accepted' }

function stepsOf(purchases: readonly OrderPurchase[]): Step[] {
  return purchases.flatMap((each): Step[] => {
    if (each.state === 'rejected') return [{ ...each, intent: 'again' }]
    return each.state === 'released' && !each.isWired ? [{ ...each, intent: 'accepted' }] : []
  })
}

/** Identifies the previewed steps. */
function fingerprint(steps: readonly Step[]): string {
  const text = steps.map(({ id, intent }) => `${id} ${intent}`).join('\n')
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

function whyNothing(purchases: readonly OrderPurchase[]): string {
  if (purchases.length === 0) return 'It has no tires to buy from a supplier.'
  if (purchases.some(({ state }) => state === 'held')) return 'Its tires are bought after its cancel window.'
  return purchases.every(({ state }) => state === 'accepted')
    ? 'Its supplier accepted it.'
    : 'Its supplier receives it electronically.'
}

const effects: Readonly<Record<Step['intent'], (step: Step) => string>> = {
  again: ({ id, supplier }) => `${purchaseOrderNumber(id)} is sent to ${supplier} again.`,
  accepted: ({ id, supplier }) =>
    `${purchaseOrderNumber(id)} is recorded as accepted by ${supplier}. We then create the shipping label.`,
}

const refusals = {
  'not-allowed': revoked,
  'not-found': 'It was withdrawn.',
  'other-state': 'It changed after you opened this page.',
} as const

/** For an order with several suppliers, each purchase order is a separate transaction. */
export const buyFromSupplier: BulkAct = {
  permission: 'suppliers.answer',
  title: 'Buy from supplier',
  label: 'Buy from supplier',
  button: counted('Buy', 'order'),
  effect: 'Bought from its supplier.',
  input: () =>
    Promise.resolve({
      kind: 'text',
      label: 'Supplier order number',
      hint: 'For suppliers without electronic orders. Place the order with them first.',
      most: 60,
      missing: '',
      isOptional: true,
    }),
  readRow: (reader, id) =>
    readOrderRow(reader, id, async () => {
      const purchases = await listOrderPurchases(reader.app.db, id)
      const steps = stepsOf(purchases)
      return {
        whyNot: steps.length > 0 ? null : whyNothing(purchases),
        effect: steps.map((step) => effects[step.intent](step)).join(' '),
        agreed: fingerprint(steps),
      }
    }),
  does: async ({ app, actor }, { id, given, agreed }) => {
    const steps = stepsOf(await listOrderPurchases(app.db, id))
    if (fingerprint(steps) !== agreed) return refusedFor('Its purchase orders changed after you opened this page.')
    if (given === '' && steps.some(({ intent }) => intent === 'accepted'))
      return refusedFor('Enter the supplier’s order number.')
    for (const { id: purchaseId, intent } of steps) {
      const about = { id: purchaseId }
      const answer = intent === 'again' ? { ...about, intent } : { ...about, intent, reference: given }
      const answered = await answerPurchaseOrder(app, { answer, by: actor })
      if (!answered.ok) return refusedFor(`${purchaseOrderNumber(purchaseId)}: ${refusals[answered.reason]}`)
    }
    return done
  },
  // A supplier that accepted an order fills it. It is canceled with the order.
  undo: null,
}
