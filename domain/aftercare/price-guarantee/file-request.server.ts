/**
 * Files a request. Verifies access to the order, checks the price automatically, and stores requests for staff review
 * once.
 */
import type { RateLimits } from '#domain/kernel/rate-limits/rate-limits.port.ts'
import { fileCase, type Sender } from '#domain/aftercare/cases/cases.server.ts'
import type { Catalog } from '#domain/catalog/catalog/catalog.server.ts'
import { findOffers } from '#domain/catalog/catalog/catalog.server.ts'
import {
  lastDeliveryOn,
  proveOrder,
  selectPaidLines,
  type OrderView,
  type ProofRefusal,
} from '#domain/ordering/orders/orders.server.ts'
import type { FileRefusal } from '#domain/kernel/files/files.server.ts'
import type { LiveTerms } from '#domain/kernel/settings/settings.server.ts'
import type { Clock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db.ts'
import { ok, refused, type Outcome, type Refused } from '#platform/outcome.ts'
import { storeDay } from '#platform/store-zone.ts'
import type { GuaranteeForm } from './guarantee-form.ts'
import { checkRequest, paidEach, tiresOf, type AskedTires, type Finding } from './price-guarantee.ts'
import { guaranteeCases } from './guarantee-cases.server.ts'
import { insertRequest } from './price-guarantee.sql.server.ts'

type Deps = {
  db: Database
  clock: Clock
  businessTerms: LiveTerms
  catalog: Catalog
  config: Pick<Config, 'store' | 'web'>
  rateLimits: RateLimits
}

/** A fault of one field of the form. */
export type FieldFault = { field: Finding['field'] | 'item' | 'quantity' | 'email' | 'zip'; reason: string }

export type FilingRefusal =
  | ProofRefusal
  | Refused<'too-many-requests'>
  | Refused<'not-matched', readonly FieldFault[]>
  | FileRefusal

/**
 * Files a request and returns its id. An order is proven by its email or ZIP, counted like any look-up; the answer goes
 * to the order's own address. Refuses what speaks against it by rule, and what `fileCase` refuses.
 */
export async function fileGuaranteeRequest(
  deps: Deps,
  form: GuaranteeForm,
  sender: Sender,
): Promise<Outcome<{ id: number }, FilingRefusal>> {
  const proven = form.orderNumber === null ? ok(null) : await proveOrder(deps, form.orderNumber, { ...form, ...sender })
  if (!proven.ok) return proven
  const compared = proven.value ? await compareWithOrder(deps, form, proven.value) : await compareWithToday(deps, form)
  if (!compared.ok) return compared
  const { tires, ourEachCents, email } = compared.value
  const order = proven.value
  const findings = checkRequest({
    found: {
      host: form.link.host,
      eachCents: form.price,
      includesShipping: form.shipping,
      includesInstallation: form.installation,
      seenOn: form.seenOn,
    },
    ourEachCents,
    order: order && {
      state: order.state,
      deliveredOn: lastDeliveryOn(order),
      days: deps.businessTerms.at(order.placedAt)['guarantee-days'],
    },
    today: storeDay(deps.clock.now()),
    ownHost: new URL(deps.config.web.origin).hostname,
  })
  if (findings.length > 0) return refused('not-matched', findings)
  const content = {
    orderId: order?.id ?? null,
    email,
    zip: order ? order.shipTo.zip : form.zip,
    ...tires,
    ourEachCents,
    competitor: form.competitor,
    offerUrl: form.link.url,
    theirEachCents: form.price,
    includesInstallation: form.installation,
    seenOn: form.seenOn,
  }
  return fileCase(deps, guaranteeCases, sender, {
    ...content,
    content,
    insert: (tx, stored, file) => insertRequest(tx, { ...content, ...stored }, file),
  })
}

type Compared = { tires: AskedTires; ourEachCents: number; email: string }

async function compareWithOrder(
  { db }: Deps,
  { item, quantity, installation }: GuaranteeForm,
  order: OrderView,
): Promise<Outcome<Compared, Refused<'not-matched', readonly FieldFault[]>>> {
  const lines = await selectPaidLines(db, order.id)
  const tires = tiresOf(lines, { itemId: item, quantity })
  if (tires.ok)
    return ok({
      tires: tires.value,
      ourEachCents: paidEach(lines, tires.value.itemId, installation),
      email: order.email,
    })
  switch (tires.reason) {
    case 'name-the-tire':
      return fault('item', 'This order has more than one kind of tire. Say which one it is about.')
    case 'not-on-order':
      return fault('item', 'This tire is not on the order. We match only the same brand, model, size, and ratings.')
    case 'more-than-bought':
      return fault('quantity', `This order has ${tires.detail.bought} of this tire.`)
  }
}

async function compareWithToday(
  { catalog }: Deps,
  { item, quantity, email }: GuaranteeForm,
): Promise<Outcome<Compared, Refused<'not-matched', readonly FieldFault[]>>> {
  const [offer] = item === null ? [] : await findOffers(catalog, [String(item)])
  if (!offer || item === null || quantity === null || email === null)
    return fault('item', 'We do not sell a tire with this number. Copy the link from its page.')
  const { line, size } = offer.items[0]
  return ok({
    tires: { itemId: item, tire: `${line.brand.name} ${line.name} ${size.designation}`, quantity },
    ourEachCents: offer.perTireCents,
    email,
  })
}

function fault(field: FieldFault['field'], reason: string): Refused<'not-matched', readonly FieldFault[]> {
  return refused('not-matched', [{ field, reason }])
}
