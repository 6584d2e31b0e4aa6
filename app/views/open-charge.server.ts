/** An open charge as the office shows it. */
import type { Tone } from '#app/ui/office/office-parts.tsx'
import { customerFieldsFor } from '#app/views/customer-fields.server.ts'
import { officePaths } from '#content/office-paths.ts'
import type { OpenCharge } from '#domain/ordering/open-charges/open-charges.server.ts'
import { openChargeKinds } from '#domain/ordering/open-charges/open-charges.ts'
import { orderNumber } from '#domain/kernel/order-numbers/order-numbers.ts'
import { ruleOf } from '#domain/payments/payments/payments.ts'
import { staffCan, type StaffRole } from '#domain/kernel/staff/staff.ts'
import { formatCents } from '#platform/money.ts'
import { storeZone } from '#platform/store-zone.ts'
import { timeText } from '#platform/time-text.ts'
import type { Application } from '#application'
import { timerTo } from '#app/views/office/times.ts'

export type OpenChargeView = {
  id: string
  path: string
  kind: OpenCharge['kind']
  kindWords: string
  what: string
  orderPath: string | null
  person: string | null
  email: string | null
  phone: string | null
  method: string
  amount: string
  owner: string | null
  since: string
  timer: { tone: Tone; words: string }
  reference: string | null
  referenceUrl: string | null
}

export function openChargeView(
  { config, clock }: Pick<Application, 'config' | 'clock'>,
  roles: readonly StaffRole[],
  charge: OpenCharge,
): OpenChargeView {
  const { paymentId, kind, orderId, termId, method, amountCents, owner, since, due, providerRef } = charge
  const seesCustomer = customerFieldsFor(roles).isShown
  return {
    id: paymentId,
    path: officePaths.officeCharge(paymentId),
    kind,
    kindWords: openChargeKinds[kind],
    what: whatIsPaid(charge),
    orderPath: orderId !== null && staffCan(roles, 'orders.read') ? officePaths.officeOrder(orderId) : null,
    person: seesCustomer ? charge.name : null,
    email: seesCustomer ? charge.email : null,
    phone: seesCustomer && termId === null ? charge.phone : null,
    method: ruleOf(method)?.name ?? method,
    amount: formatCents(amountCents),
    owner,
    since: timeText(since, storeZone),
    timer: timerTo(due, clock.now()),
    reference: providerRef,
    referenceUrl: referenceUrl(config, charge),
  }
}

function whatIsPaid({ orderId, termId, cartId, isDifference }: OpenCharge): string {
  if (orderId !== null) return isDifference ? `Change of ${orderNumber(orderId)}` : orderNumber(orderId)
  if (termId !== null) return 'Membership'
  return `Cart ${(cartId ?? '').slice(-6)}, not ordered yet`
}

/** Where the provider shows the charge; null where it has no page for it. */
function referenceUrl(
  { payments, sandbox }: Application['config'],
  { provider, providerRef }: OpenCharge,
): string | null {
  if (providerRef === null || provider !== 'stripe') return null
  return payments.kind === 'sandbox'
    ? `${sandbox.origin}/payments/${providerRef}`
    : `https://dashboard.stripe.com/payments/${providerRef}`
}
