/**
 * Tests staff limits. Every audited action is a concession, which doesn't compile without an authorization, or is
 * listed here with the reason it isn't one. Every function that moves money or lowers a price is called only in the
 * listed places.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { concessionKinds } from '#domain/kernel/concessions/concessions.ts'
import { acts, concessionActs, freshSignInActs, type ActName } from '#domain/kernel/staff/acts.ts'
import { project } from './package-program.ts'
import { listProjectFiles } from './project-files.ts'

/** Every act that is not a concession, with null for one without money, or else why its money is no concession. */
const otherActs: Readonly<Record<Exclude<ActName, (typeof concessionActs)[number]>, string | null>> = {
  'office.signed-in': null,
  'office.signed-out': null,
  'orders.exported': null,
  'list.exported': null,
  'view.saved': null,
  'view.deleted': null,
  'report.subscribed': null,
  'report.unsubscribed': null,
  'digest.changed': null,
  'staff.invited': null,
  'staff.bound': null,
  'shop-member.bound': null,
  'account.joined': null,
  'company.joined': null,
  'employer.joined': null,
  'partner-program.joined': null,
  'partner.joined': null,
  'staff.revoked': null,
  'api-client.added': null,
  'api-client.changed': null,
  'api-client.revoked': null,
  'role.added': null,
  'role.changed': null,
  'role.retired': null,
  'pickup.ready': null,
  'pickup.handed-over': null,
  'return.opened': null,
  'return.received': null,
  'return.accepted': null,
  'return.refused': null,
  'return.refunded': 'Follows refund.made or refund.approved, which were authorized.',
  'refund.drafted': 'Requests a refund.',
  'refund.declined': null,
  'refund.retried': 'Resends an authorized refund.',
  'order.placed': 'Charges the total of a quote, whose prices were authorized when it was sent.',
  'order.noted': null,
  'order.vin-recorded': null,
  'order.note-removed': null,
  'order.confirmed': null,
  'order.questioned': null,
  'order.address-changed': 'The price follows the tax of the new address.',
  'order.appointment-moved': null,
  'order.change-offered': 'The customer pays the difference.',
  'order.changed': 'The price follows the new place; a waiver is order.difference-waived.',
  'order.waiver-requested': 'Requests a waiver.',
  'order.change-withdrawn': null,
  'order.canceled': 'Returns the payment for goods that never shipped.',
  'order.lines-canceled': 'Returns the payment for units that never shipped.',
  'order.email-resent': null,
  'order.text-resent': null,
  'order.emailed': null,
  'order.texted': null,
  'order.codes-shown': null,
  'order.codes-sent': null,
  'customer.added': null,
  'customer.contact-changed': null,
  'customer.emailed': null,
  'customer.noted': null,
  'customer.merged': null,
  'customer.unmerged': null,
  'customer.kept-apart': null,
  'customer.blocked': null,
  'customer.unblocked': null,
  'customer.exported': null,
  'customer.erasure-requested': null,
  'customer.erasure-declined': null,
  'customer.erased': null,
  'credit.requested': 'Requests store credit.',
  'credit.declined': null,
  'credit.taken-back': 'Takes unused credit back.',
  'held-order.accepted': null,
  'held-order.canceled': 'Returns the payment for goods that never shipped.',
  'charge.taken': null,
  'charge.asked': null,
  'charge.let-go': 'Releases an authorization without goods.',
  'charge.captured': 'Takes money.',
  'charge.asked-to-pay-again': null,
  'charge.payer-told': null,
  'dispute.noted': null,
  'dispute.file-added': null,
  'dispute.answered': null,
  'dispute.accepted': 'The bank took the money when it opened the dispute.',
  'dispute.warning-closed': null,
  'reconciliation.resolved': null,
  'webhook.replayed': null,
  'webhook.added': null,
  'webhook.changed': null,
  'webhook.removed': null,
  'webhook.secret-shown': null,
  'webhook.secret-rotated': null,
  'webhook.tested': null,
  'fraud-rule.added': null,
  'fraud-rule.changed': null,
  'review.published': null,
  'review.unpublished': null,
  'review.refused': null,
  'shop.added': null,
  'shop.changed': null,
  'shop.paused': 'Refunds only orders that staff may cancel whole, by orders.cancel.',
  'shop.suspended': 'Refunds only orders that staff may cancel whole, by orders.cancel.',
  'shop.closed': 'Refunds only orders that staff may cancel whole, by orders.cancel.',
  'shop.reopened': null,
  'shop.profile-approved': null,
  'shop.profile-declined': null,
  'shop.certified': null,
  'shop.certification-revoked': null,
  'branded-store.switched-on': null,
  'branded-store.switched-off': null,
  'claim.requested': 'Requests a claim payment.',
  'claim.refused': null,
  'claim.retried': 'Resends an authorized refund.',
  'guarantee.requested': 'Requests a price guarantee.',
  'guarantee.refused': null,
  'guarantee.retried': 'Resends an authorized refund.',
  'company.approved': null,
  'company.refused': null,
  'company.closed': null,
  'email-template.saved': null,
  'email-template.reset': null,
  'email-template.tested': null,
  'payment-script.approved': null,
  'payment-script.withdrawn': null,
  'redirect.added': null,
  'redirect.removed': null,
  'redirect.imported': null,
  'content.drafted': null,
  'content.published': null,
  'content.scheduled': null,
  'content.withdrawn': null,
  'content.discarded': null,
  'content.taken-down': null,
  'content.rolled-back': null,
  'company.price-list-set': 'Assigns a price list whose versions were authorized when scheduled.',
  'company.resolve-customer-set': null,
  'company.purchasing-set': null,
  'company.purchasing-secret-issued': null,
  'company.purchasing-document-sent-again': null,
  'company.limits-set': null,
  'company.member-limit-set': null,
  'company.fleet-packets-set': null,
  'company.terms-set': 'Extends credit, which the company pays back.',
  'company.domain-added': null,
  'company.brands-set': null,
  'certificate.accepted': 'Sales tax is not the store’s money.',
  'certificate.declined': null,
  'invoice.paid': 'Records money that came in; the daily reconciliation compares it with the bank.',
  'partner.approved': 'Joins the partner program at its standard rate.',
  'partner.refused': null,
  'partner.rate-set': 'A commission of at most the rate in partner-program terms, paid for sales that were made.',
  'partner.widget-closed': null,
  'shop-report.answered': null,
  'shop-report.closed': null,
  'tire-registrations.exported': null,
  'tire-registrations.downloaded': null,
  'recall.drafted': null,
  'recall.opened': null,
  'recall.extended': null,
  'recall.discarded': null,
  'recall.closed': null,
  'shop-application.asked': null,
  'shop-application.approved': null,
  'shop-application.refused': null,
  'employer.added': 'Joins a program whose price list was authorized when scheduled.',
  'employer.removed': null,
  'supplier.accepted': null,
  'supplier.rejected': null,
  'supplier.asked-again': null,
  'supplier.re-sourced': null,
  'parcel.label-bought': null,
  'parcel.shipped': null,
  'parcel.delivered': null,
  'manifest.requested': null,
  'stock.transferred': null,
  'stock-order.created': null,
  'stock-order.changed': null,
  'stock-order.sent': null,
  'stock-order.marked-sent': null,
  'stock-order.received': null,
  'stock-order.canceled': null,
  'stock.reorder-point-changed': null,
  'stock.bin-changed': null,
  // The manufacturer pays a rebate, not the store.
  'rebate.added': null,
  'rebate.changed': null,
  'rebate.retired': null,
  'supplier.added': null,
  'supplier.changed': null,
  'supplier.retired': null,
  'supplier.restored': null,
  'warehouse.added': null,
  'warehouse.changed': null,
  'warehouse.closing': null,
  'warehouse.closed': null,
  'warehouse.reopened': null,
  'warehouse.emptied': null,
  'warehouse.parcel-moved': null,
  'stock.adjusted': null,
  'item.added': 'Its price: below MAP needs catalog.publish.',
  'item.changed': 'Its price: warnings need catalog.publish, and a minimum needs promotions.edit.',
  'line.added': null,
  'line.changed': null,
  'line.retired': null,
  'line.restored': null,
  'brand.added': null,
  'brand.changed': null,
  'brand.retired': null,
  'brand.restored': null,
  'supplier-feed.added': 'Publishes supplier prices; warnings and too many changed prices wait for a person.',
  'supplier-feed.changed': 'Publishes supplier prices; warnings and too many changed prices wait for a person.',
  'supplier-feed.paused': null,
  'supplier-feed.resumed': null,
  'supplier-feed.run': null,
  'supplier-feed.subscribed': null,
  'supplier-feed.unsubscribed': null,
  'import.uploaded': null,
  'import.published': 'Supplier prices: warnings need catalog.publish, and MAP needs an override.',
  'import.discarded': null,
  'import.rolled-back': null,
  'import.checked-again': null,
  'item.hidden': null,
  'item.shown': null,
  'tire-type.added': null,
  'tire-type.changed': null,
  'tire-type.retired': null,
  'tire-type.restored': null,
  'category.added': null,
  'category.changed': null,
  'category.retired': null,
  'category.restored': null,
  'line.described': null,
  'line.picture-added': null,
  'line.picture-first': null,
  'line.picture-removed': null,
  'brand.described': null,
  'brand.logo-changed': null,
  'settings.changed': 'The limits themselves, with a fresh sign-in.',
  'terms.changed': 'Terms for later orders, by an owner, with a fresh sign-in.',
  'terms.confirmed': 'Gives nothing away.',
  'terms.change-canceled': 'Terms for later orders, by an owner, with a fresh sign-in.',
  'setup.checked': 'A charge on trial, which is voided at once.',
  'store.opened': null,
  'store.closed': null,
  'coupon.drafted': null,
  'coupon.changed': null,
  'coupon.discarded': null,
  'coupon.requested': 'Requests a coupon.',
  'coupon.withdrawn': null,
  'coupon.ended': null,
  'payment-offer.requested': 'Requests a payment offer.',
  'payment-offer.ended': null,
  'map-prices.set': null,
  'price-list.made': null,
  'price-list.uploaded': null,
  'price-list.discarded': null,
  'price-list.requested': 'Requests a price list.',
  'price-list.withdrawn': null,
  'price-list.ended': null,
  'price-list.assigned': 'Assigns a price list whose versions were authorized when scheduled.',
  'promotion.drafted': null,
  'promotion.changed': null,
  'promotion.discarded': null,
  'promotion.requested': 'Requests a promotion.',
  'promotion.withdrawn': null,
  'promotion.ended': null,
  'quote.started': null,
  'quote.rejected': null,
  'quote.withdrawn': null,
  'requests.answered': null,
  'requests.noted': null,
  'requests.assigned': null,
  'requests.closed': null,
  'requests.reopened': null,
  'mail.bounce-cleared': null,
  'templates.saved': null,
  'templates.retired': null,
  'sales-tax.uploaded': null,
  'sales-tax.imported': null,
  'sales-tax.discarded': null,
  'state-tax.changed': null,
  'state-tax.change-canceled': null,
  'pay-matrix.changed': 'Payout rates within fixed bounds, with a fresh sign-in.',
  'shop-pay.proposed': 'Requests a pay adjustment.',
  'shop-pay.declined': null,
  'shop-pay.dispute-answered': 'A granted dispute adds shop-pay.adjusted or shop-pay.proposed.',
  'shop-pay.sent-again': 'Resends pay that is due.',
  'shop-pay.exported': null,
  'shop-pay.reversed': 'Takes money back.',
}

/** The functions that move money out of the store or lower a price, and the files that call them. */
const callers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  promiseRefund: {
    'domain/aftercare/coverage-claims/coverage-claims.server.ts': 'authorized',
    'domain/aftercare/price-guarantee/price-guarantee.server.ts': 'authorized',
    'domain/ordering/refunds/refund-order.server.ts': 'authorized',
    'domain/ordering/refunds/refund-difference.server.ts': 'The price follows the place of the order.',
    'domain/payments/payments/refunds.server.ts': 'promiseRefundOfRest, for canceled orders.',
  },
  promiseRefundOfRest: { 'domain/ordering/orders/cancel.server.ts': 'Nothing was shipped.' },
  lowerInvoice: {
    'domain/aftercare/coverage-claims/coverage-claims.server.ts': 'authorized',
    'domain/aftercare/price-guarantee/price-guarantee.server.ts': 'authorized',
  },
  refundInvoice: { 'domain/ordering/refunds/refund-order.server.ts': 'authorized' },
  refundCredit: { 'domain/ordering/refunds/refund-order.server.ts': 'authorized' },
  giveBackLines: {
    'domain/ordering/cancellations/cancel-lines.server.ts': 'Units that never shipped.',
    'domain/ordering/refunds/give-back.server.ts': 'giveBackAll, for late orders.',
  },
  giveBackAll: { 'domain/ordering/orders/late-refund.server.ts': 'The customer cancels a late order.' },
  refundWithin: {
    'domain/ordering/refunds/refund-order.server.ts': 'authorized',
    'domain/ordering/returns/refund-return.server.ts': 'refundWithin asks.',
  },
  lowerCharge: {
    'domain/ordering/order-changes/apply-change.server.ts': 'The price follows the place of the order.',
    'domain/ordering/orders/change-address.server.ts': 'Sales tax follows the address.',
  },
  putOut: {
    'domain/ordering/quotes/send-quote.server.ts': 'authorized',
    'domain/ordering/quotes/sales-tool.server.ts': 'Accounts quote today’s prices above the minimum margin.',
  },
  updateSchedule: { 'domain/catalog/coupons/office-coupons.server.ts': 'authorized' },
  insertCreditGrant: { 'domain/payments/store-credit/store-credit.server.ts': 'authorized' },
  insertPromotion: { 'domain/catalog/promotions/promotions.server.ts': 'authorized' },
  updateVersionStart: { 'domain/pricing/price-tiers/office-price-lists.server.ts': 'authorized' },
  updateToApproved: { 'domain/installer-portal/payouts/adjustments.server.ts': 'authorized' },
}

const folders = ['domain/', 'app/', 'api/', 'ucp/', 'mcp/', 'cxml/', 'worker', 'tools/']

async function sources(): Promise<{ file: string; text: string }[]> {
  const files = (await listProjectFiles(project)).filter(
    (file) =>
      folders.some((folder) => file.startsWith(folder)) && /\.tsx?$/.test(file) && !/\.(test|testing)\./.test(file),
  )
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(join(project, file), 'utf8') })))
}

/** The files that call a function, other than the one that defines it for itself. */
function callersOf(name: string, all: readonly { file: string; text: string }[]): string[] {
  const call = new RegExp(`(?<!function )\\b${name}\\(`)
  return all.filter(({ text }) => call.test(text)).map(({ file }) => file)
}

test('each audit log event is a concession or has a reason why it isn’t', () => {
  const listed = [...concessionActs, ...Object.keys(otherActs)]
  expect(listed.toSorted()).toEqual(Object.keys(acts).toSorted())
})

test('functions that move money or lower prices are called only where a limit or a reason is listed', async () => {
  const all = await sources()
  for (const [name, files] of Object.entries(callers))
    expect(callersOf(name, all).toSorted(), name).toEqual(Object.keys(files).toSorted())
  const authorizing = new Set(callersOf('authorizeConcession', all))
  for (const files of Object.values(callers))
    for (const [file, why] of Object.entries(files)) if (why === 'authorized') expect(authorizing).toContain(file)
})

test('each kind of concession is authorized by a use case', async () => {
  const all = (await sources()).filter(({ text }) => text.includes('authorizeConcession('))
  for (const kind of Object.keys(concessionKinds))
    expect(
      all.some(({ text }) => text.includes(`'${kind}'`)),
      kind,
    ).toBe(true)
})

test('proofs are issued only by the functions that check limits and sign-ins', async () => {
  const all = await sources()
  expect(callersOf('issueAuthorization', all)).toEqual(['domain/kernel/concessions/concessions.server.ts'])
  expect(callersOf('freshSignIn', all)).toEqual(['domain/kernel/staff/grants.server.ts'])
  expect(all.filter(({ text }) => /as (?:Authorization|FreshSignIn)\b/.test(text)).map(({ file }) => file)).toEqual([
    'domain/kernel/staff/audit.server.ts',
  ])
})

test('each act that needs a fresh sign-in is recorded with its proof', async () => {
  const all = await sources()
  for (const act of freshSignInActs) {
    const found = all.filter(({ text }) => text.includes(`act: '${act}'`))
    expect(found.length, act).toBeGreaterThan(0)
    for (const { file, text } of found) expect(text, `${file}: ${act}`).toContain('requireFreshPermission(')
  }
})
