/** The applicant's and the store's actions on the lender's applications, and webhooks. */
import type { Deliveries } from '../deliveries.ts'
import { newId } from '../ids.ts'
import type { Collection, Store } from '../store.ts'
import { recordMovement, type LenderMovement } from './movements.ts'

export type Status =
  | 'opened'
  | 'applying'
  | 'in-review'
  | 'approved'
  | 'signed'
  | 'confirmed'
  | 'delivered'
  | 'funded'
  | 'declined'
  | 'canceled'
  | 'expired'
  | 'terminated'

export type Item = {
  sku: string
  name: string
  unit_amount: number
  quantity: number
  financeable: boolean
  delivered: number
  canceled: number
}

export type Address = { name: string; line1: string; line2: string | null; city: string; state: string; zip: string }

/** An application as the protocol shows it. */
export type Application = {
  id: string
  reference: string
  product: 'lease' | 'loan' | 'store-card'
  status: Status
  amount: number
  approved_limit: number | null
  approved_until: string | null
  signed_amount: number | null
  delivered_amount: number
  canceled_amount: number
  refunded_amount: number
  message: string | null
  order_id: string | null
  url: string
  items: Item[]
}

export type StoredApplication = {
  application: Application
  returnUrl: string
  cancelUrl: string
  /** Who applies, once someone did. */
  person: Person | null
}

/** The applicant determines the result. */
export const people = {
  approve: 'Ann: approved for the whole amount',
  low: 'Lou: approved for half of it',
  decline: 'Dee: declined',
  review: 'Rae: reviewed, the answer comes later and by webhook only',
  vanish: 'Van: signs, and closes the window instead of going back',
  expire: 'Exa: takes too long, so the application expires',
  twice: 'Tess: approved, every webhook comes twice and out of order',
} as const
export type Person = keyof typeof people

export type Units = { sku: string; quantity: number }[]

export type Lender = {
  readonly applications: Collection<StoredApplication>
  /** What changed what the lender owes. */
  readonly movements: Collection<LenderMovement>
  readonly publicOrigin: string
  readonly store: Store
  now(): Temporal.Instant
  /** Saves a change to an application and sends a webhook. */
  move(stored: StoredApplication, change: Partial<Application>, person?: Person): StoredApplication
}

const expiresAfter = { hours: 72 }
const fundsAfter = { hours: 24 }

export function openLender({
  store,
  deliveries,
  now,
  publicOrigin,
}: {
  store: Store
  deliveries: Deliveries
  now: () => Temporal.Instant
  publicOrigin: string
}): Lender {
  const applications = store.collection<StoredApplication>('financing-application')
  const movements = store.collection<LenderMovement>('financing-movement')

  function tell(application: Application, afterSeconds: number, id = newId('fev_')): string {
    const type = `application.${application.status}`
    const created = now().toString()
    deliveries.enqueue('lender', {
      about: application.id,
      type,
      body: { id, type, created_at: created, data: { application } },
      dueAt: now().add({ seconds: afterSeconds }),
    })
    return id
  }

  return {
    applications,
    movements,
    publicOrigin,
    store,
    now,
    move(stored, change, person) {
      const application = { ...stored.application, ...change }
      const moved = { ...stored, application, person: person ?? stored.person }
      applications.put(application.id, moved, alarmOf(application, now()))
      if (application.status === 'opened') return moved
      const id = tell(application, 0)
      if (moved.person === 'twice') {
        tell(application, 0, id)
        tell(stored.application, 1)
      }
      return moved
    },
  }
}

function alarmOf({ status }: Application, now: Temporal.Instant): Temporal.Instant | null {
  if (['opened', 'applying', 'approved'].includes(status)) return now.add(expiresAfter)
  return status === 'delivered' ? now.add(fundsAfter) : null
}

/** Expires unsigned applications and funds delivered ones. */
export function lenderAlarm(lender: Lender, stored: StoredApplication): void {
  const { id, status, delivered_amount: delivered, refunded_amount: refunded } = stored.application
  if (status !== 'delivered') {
    lender.move(stored, { status: 'expired' })
    return
  }
  recordMovement(lender, { type: 'funding', application_id: id, amount: refunded - delivered })
  lender.move(stored, { status: 'funded' })
}

const decided = 'We could not verify your income. Our letter with the reason is on its way.'

/** Submits an application. Returns the decision or a pending state. */
export function apply(lender: Lender, stored: StoredApplication, person: Person): StoredApplication {
  const { amount } = stored.application
  const applying = lender.move(stored, { status: 'applying' }, person)
  switch (person) {
    case 'decline':
      return lender.move(applying, { status: 'declined', message: decided })
    case 'expire':
      return lender.move(applying, { status: 'expired' })
    case 'review':
      return lender.move(applying, { status: 'in-review' })
    default:
      return lender.move(applying, {
        status: 'approved',
        approved_limit: person === 'low' ? Math.floor(amount / 2) : amount,
        approved_until: lender.now().add(expiresAfter).toString(),
      })
  }
}

/** Signs the contract for the approved amount. */
export function sign(lender: Lender, stored: StoredApplication): StoredApplication {
  const { amount, approved_limit: limit } = stored.application
  return lender.move(stored, { status: 'signed', signed_amount: Math.min(amount, limit ?? 0) })
}

/** Completes a review. The contract was signed subject to it, so an approval counts as the signature. */
export function review(lender: Lender, stored: StoredApplication, isApproved: boolean): StoredApplication {
  const { amount } = stored.application
  return isApproved
    ? lender.move(stored, { status: 'signed', approved_limit: amount, signed_amount: amount })
    : lender.move(stored, { status: 'declined', message: decided })
}

/** Takes units as delivered; undefined if there are not that many left. The last delivery comes to all that is left. */
export function deliver(lender: Lender, stored: StoredApplication, units: Units): StoredApplication | undefined {
  const items = counted(stored.application.items, units, 'delivered')
  if (!items) return undefined
  const { amount, canceled_amount: canceled, delivered_amount: before } = stored.application
  const isAll = items.every((item) => item.delivered + item.canceled === item.quantity)
  const whole = worthOf(stored.application.items, ({ quantity }) => quantity)
  const share = worthOf(items, (item) => item.delivered)
  const delivered = isAll ? amount - canceled : Math.min(amount - canceled, Math.floor((amount * share) / whole))
  if (delivered > before)
    recordMovement(lender, { type: 'delivery', application_id: stored.application.id, amount: delivered - before })
  return lender.move(stored, {
    items,
    delivered_amount: Math.max(before, delivered),
    ...(isAll && { status: 'delivered' as const }),
  })
}

/** Takes units, or only money, off the contract; undefined if there is not that much left. */
export function cancelItems(
  lender: Lender,
  stored: StoredApplication,
  { units, amount }: { units: Units; amount: number },
): StoredApplication | undefined {
  const { application } = stored
  const items = counted(application.items, units, 'canceled')
  const canceled = application.canceled_amount + amount
  if (!items || canceled + application.delivered_amount > application.amount) return undefined
  const isOver = canceled + application.delivered_amount === application.amount
  const end = application.delivered_amount > 0 ? ('delivered' as const) : ('terminated' as const)
  return lender.move(stored, { items, canceled_amount: canceled, ...(isOver && { status: end }) })
}

function counted(items: Item[], units: Units, as: 'delivered' | 'canceled'): Item[] | undefined {
  const counts = new Map<string, number>()
  for (const { sku, quantity } of units) counts.set(sku, (counts.get(sku) ?? 0) + quantity)
  const known = items.map((item) => {
    const more = counts.get(item.sku) ?? 0
    counts.delete(item.sku)
    return { ...item, [as]: item[as] + more }
  })
  const fits = known.every((item) => item.delivered + item.canceled <= item.quantity)
  return fits && counts.size === 0 ? known : undefined
}

function worthOf(items: Item[], count: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + item.unit_amount * count(item), 0)
}
