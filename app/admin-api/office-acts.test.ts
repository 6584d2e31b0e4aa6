/** Tests that every office form and file has an admin API operation or a documented reason. */
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { recordActions, type AnyRecordActions } from '#app/office/actions.server.ts'
import { acts } from '#tests/support/office-acts.ts'
import { sources } from '../../tools/call-sites.testing.ts'
import { project } from '../../tools/package-program.ts'
import { adminOperations } from './operations.server.ts'
import { adminResources } from './resources.server.ts'

/**
 * Office forms without a declared action of the same name. Each has its admin API operation, or the start of its row in
 * the `docs/admin-api.md` table of manual actions.
 */
const otherForms: Readonly<Record<string, { operation: string } | { people: string }>> = {
  'report subscribe': { people: 'email subscriptions' },
  'report unsubscribe': { people: 'email subscriptions' },
  'price-rules preview': { operation: 'publishPriceRuleImport' },
  'price-rules preview-all': { operation: 'publishPriceRuleImport' },
  'supplier-feed subscribe': { people: 'email subscriptions' },
  'supplier-feed unsubscribe': { people: 'email subscriptions' },
  sidebar: { people: 'email subscriptions' },
  account: { people: 'email subscriptions' },
  'account keys': { people: 'email subscriptions' },
  'views save': { people: 'email subscriptions' },
  'views update': { people: 'email subscriptions' },
  'views delete': { people: 'email subscriptions' },
  'email-template preview': { people: 'email subscriptions' },
  'email-template test': { people: 'email subscriptions' },
  'email-template save': { operation: 'changeEmailTemplate' },
  'message-templates save': { operation: 'changeTemplate' },
  'customer-type add': { operation: 'addAccountDocument' },
  'customer-type remove': { operation: 'removeAccountDocument' },
  'customer-credit approve': { people: 'approve a refund' },
  'order approve': { people: 'approve a refund' },
  'customer-erase decline': { people: 'confirm or decline the erasure' },
  'customer-erase erase': { people: 'confirm or decline the erasure' },
  'tire-registrations': { people: 'confirm or decline the erasure' },
  'pickup hand-over': { people: 'release a warehouse pickup' },
  'bulk do': { people: 'change the shop or delivery method' },
  'bulk undo': { people: 'change the shop or delivery method' },
  'order-place place': { people: 'change the shop or delivery method' },
  'order-place withdraw': { people: 'change the shop or delivery method' },
  'order-act confirm': { operation: 'confirmOrder' },
  'order-act question': { operation: 'questionOrder' },
  'order-act check-fit': { operation: 'checkFitOrder' },
  'order-act address': { operation: 'addressOrder' },
  'order-act appointment': { operation: 'appointmentOrder' },
  'order-act cancel': { operation: 'cancelOrder' },
  'order-act lines': { operation: 'cancelOrderLine' },
  'order-act resend': { operation: 'resendOrder' },
  'order draft': { people: 'email subscriptions' },
  'order note': { operation: 'noteOrder' },
  'order write': { operation: 'writeOrder' },
  'order text-again': { operation: 'textAgainOrder' },
  'order codes': { people: 'show the codes' },
  'order send-codes': { operation: 'sendCodesOrder' },
  'order vin': { operation: 'vinOrder' },
  'order preview': { operation: 'addRefund' },
  'order refund': { operation: 'addRefund' },
  'order retry': { operation: 'retryRefund' },
  'order decline': { operation: 'declineRefund' },
  'reconciled-day': { operation: 'resolveDay' },
  'purchasing system': { operation: 'changePurchasingSystem' },
  'purchasing secret': { people: 'issue a purchasing system’s secret' },
  'company certificate': { operation: 'decideCertificate' },
  'partners close-widget': { operation: 'closePartnerWidget' },
  'new-quote': { operation: 'addQuote' },
  'quote copy': { operation: 'addQuoteCopy' },
  'quote save': { operation: 'changeQuote' },
  'quote find': { operation: 'changeQuote' },
  'quote add-1': { operation: 'changeQuote' },
  'quote remove-1': { operation: 'changeQuote' },
  'quote another': { operation: 'changeQuote' },
  'quote drop-1': { operation: 'changeQuote' },
  'quote approve': { people: 'approve a refund' },
  'quote terms': { people: 'order a quote on net terms' },
  'quote installation': { operation: 'addQuoteInstallation' },
  'quote book': { operation: 'addQuoteInstallation' },
  'quote version': { operation: 'addQuoteVersion' },
  'new-coupon': { operation: 'addCoupon' },
  'new-promotion': { operation: 'addPromotion' },
  'content-page draft': { operation: 'addPageVersion' },
  'content-new draft': { operation: 'addPage' },
  'shop-pay decide': { people: 'approve a refund' },
  'shop-pay send': { people: 'send or reverse a payout' },
  'shop-pay reverse': { people: 'send or reverse a payout' },
  'pay-matrix': { operation: 'addPayoutSchedule' },
  'map-prices set': { operation: 'changeMinimumPrice' },
  'price-lists': { operation: 'addPriceList' },
  'price-list upload': { operation: 'addPriceListVersion' },
  'setup test-email': { people: 'set up and open the store' },
  'setup check-domain': { people: 'set up and open the store' },
  'setup check-carrier': { people: 'set up and open the store' },
  'setup load-samples': { people: 'set up and open the store' },
  'setup remove-samples': { people: 'set up and open the store' },
  'setup test-charge': { people: 'set up and open the store' },
  'setup finish-charge': { people: 'set up and open the store' },
  'setup open': { people: 'set up and open the store' },
  'payment-pages approve': { people: 'approve payment page scripts' },
  'payment-pages withdraw': { people: 'approve payment page scripts' },
  'api-client add': { people: 'change the limits on concessions' },
  'api-client change': { people: 'change the limits on concessions' },
  'api-client revoke': { people: 'change the limits on concessions' },
  'settings close': { people: 'change the limits on concessions' },
  settings: { operation: 'changeStoreProfile' },
  'settings hours': { operation: 'changePhoneSchedule' },
  'shipping-rates shipping': { operation: 'changeShippingSection' },
  'shipping-rates preview': { operation: 'changeShippingSection' },
  'warehouse preview': { operation: 'changeWarehouse' },
  'business-settings orders': { operation: 'changeReturnsSection' },
  'business-settings discounts': { operation: 'changeDiscountSection' },
  'business-settings protection': { operation: 'changeProtectionSection' },
  'business-settings services': { operation: 'changeServiceSection' },
  'open-return': { operation: 'addReturn' },
  'staff invite': { operation: 'addStaffRole' },
  'catalog-brand describe': { operation: 'changeBrandDescription' },
  'catalog-brand logo': { operation: 'changeBrandLogo' },
  'catalog-brand no-logo': { operation: 'removeBrandLogo' },
  'catalog-item picture': { operation: 'addTirePhoto' },
  'catalog-item describe-picture': { operation: 'describeTirePhoto' },
  'catalog-item move-picture': { operation: 'moveTirePhoto' },
  'catalog-item no-picture': { operation: 'removeTirePhoto' },
  'catalog-line picture': { operation: 'addPhoto' },
  'catalog-line describe-picture': { operation: 'describePhoto' },
  'catalog-line move-picture': { operation: 'movePhoto' },
  'catalog-line no-picture': { operation: 'removePhoto' },
  imports: { operation: 'addImport' },
  'import-columns': { people: 'match the columns' },
}

/** Office files and script data, with the same values. */
const files: Readonly<Record<string, { operation: string } | { people: string } | null>> = {
  'carrier-manifest-file': { operation: 'readManifestFile' },
  'customer-document-file': { operation: 'readAccountDocumentFile' },
  'certificate-file': { operation: 'readCertificateFile' },
  'claim-file': { operation: 'readClaimFile' },
  'customer-file': { people: 'confirm or decline the erasure' },
  'guarantee-file': { operation: 'readRequestFile' },
  'import-file': { operation: 'readImport' },
  'list-file': { operation: 'list-orders' },
  'message-file': { operation: 'readMessageFile' },
  'order-packing-slips': { operation: 'readOrderPackingSlip' },
  'packing-slips': { operation: 'readPackingSlipBatch' },
  'order-photo': { operation: 'readJobPhoto' },
  'parcel-file': { operation: 'readLabel' },
  'parcel-labels': { operation: 'readParcelLabels' },
  'parcel-slips': { operation: 'readParcelPackingSlips' },
  'pay-dispute-photo': { operation: 'readDisputePhoto' },
  'payment-pages-file': { operation: 'readPaymentPageEvidence' },
  'pick-list': { operation: 'readPickList' },
  'price-list-entries-csv': { operation: 'readPriceListFile' },
  'reports-csv': { operation: 'list-report-entries' },
  'return-labels': { operation: 'readReturnLabels' },
  'return-photo': { operation: 'readReturnPhoto' },
  'sales-tax-csv': { operation: 'readRateTable' },
  'shop-pay-year': { people: 'confirm or decline the erasure' },
  'shop-picture': { operation: 'readShopPicture' },
  'shop-report-photo': { operation: 'readReportPhoto' },
  'stock-order-file': { operation: 'readStockOrderFile' },
  'warehouse-transit-file': { operation: 'readTransitFile' },
  'tire-registration-export': { people: 'confirm or decline the erasure' },
  // Parts of pages.
  counts: null,
  found: null,
}

const operations = new Set([
  ...adminOperations.map(({ id }) => id),
  ...adminResources.map(({ name }) => `list-${name}`),
])

/** Reads the first column of the documentation's table of manual actions. */
async function peopleRows(): Promise<string[]> {
  const text = await readFile(join(project, 'docs/admin-api.md'), 'utf8')
  const [, table = ''] = text.split('| action | why |')
  return [...table.matchAll(/^\| (?!-)(.+?) \|/gm)].map(([, action = '']) => action)
}

/** Returns the declared actions by their export names. */
async function declaredActions(): Promise<Map<string, AnyRecordActions>> {
  const text = await readFile(join(project, 'app/office/actions.server.ts'), 'utf8')
  const [, list = ''] = text.split('export const recordActions')
  const names = [...list.matchAll(/^ {2}(\w+),$/gm)].map(([, name = '']) => name)
  expect(names).toHaveLength(recordActions.length)
  return new Map(recordActions.map((declared, index) => [names[index] ?? '', declared]))
}

async function isCovered(covered: { operation: string } | { people: string } | null | undefined): Promise<boolean> {
  if (covered === null) return true
  if (covered === undefined) return false
  if ('operation' in covered) return operations.has(covered.operation)
  return (await peopleRows()).some((row) => row.startsWith(covered.people))
}

/** The name of a page's module without its folder. */
const moduleOf = (file: string) => basename(file).replace(/\.tsx?$/, '')

test('every office form has an admin API operation or a documented reason', async () => {
  const all = await sources()
  const declared = [...(await declaredActions())]
  const missing: string[] = []
  for (const { module, intent } of acts) {
    const page = all.find(({ file }) => file.startsWith('app/routes/office/') && moduleOf(file) === module)?.text ?? ''
    const isDeclared = declared.some(
      ([name, { actions }]) => new RegExp(`\\b${name}\\b`).test(page) && Object.hasOwn(actions, intent),
    )
    const name = [module, intent].filter(Boolean).join(' ')
    if (!isDeclared && !(await isCovered(otherForms[name]))) missing.push(name)
  }
  expect(acts.length).toBeGreaterThan(150)
  expect(missing).toEqual([])
})

test('every office file has an admin API operation or a documented reason', async () => {
  const modules = (await sources()).flatMap(({ file, text }) => {
    const [, name] = /^app\/routes\/office\/(?:[\w-]+\/)?([\w-]+)\.ts$/.exec(file) ?? []
    return name !== undefined && /export (async function|const) loader\b/.test(text) ? [name] : []
  })
  const missing: string[] = []
  for (const name of modules) if (!(await isCovered(files[name]))) missing.push(name)
  expect(modules.length).toBeGreaterThan(15)
  expect(missing).toEqual([])
})

test('every office list has a single-record read', () => {
  const reads = new Set(adminOperations.filter(({ method }) => method === 'get').map(({ path }) => path))
  const without = adminResources.filter(({ name }) => !reads.has(`/${name}/{id}`)).map(({ name }) => name)
  // Rows of reports and setting changes have no ID.
  expect(without).toEqual(['report-entries', 'settings'])
})

test('every operation has a unique method and path', () => {
  const addresses = [
    ...adminOperations.map(({ method, path }) => `${method} ${path}`),
    ...adminResources.map(({ name }) => `get /${name}`),
  ]
  expect(addresses.filter((each, index) => addresses.indexOf(each) !== index)).toEqual([])
})
