/** Every form of the office by its permission: what tests post as each role. Over 400 lines: one table. */
import { staffOrderActs } from '#domain/orders/orders.ts'
import type { Permission } from '#domain/staff/staff.ts'
import { newId } from '#platform/ids.ts'

/** What the forms are about, taken from the demo data or made before the walk. */
export const subject = { order: 0, company: '', message: 0, quote: '' }

export type Act = {
  /** The module in app/routes/office whose action it is. */
  module: string
  /** The button that is pressed; empty for a form with a single button. */
  intent: string
  /** What a role needs for it. */
  permission: Permission
  path(): string
  form?: Record<string, string>
  /** The status for the first role that has the permission. */
  answer: 200 | 303 | 404 | 409 | 422
}

const order = () => `/office/orders/${subject.order}`
const company = () => `/office/companies/${subject.company}`
const message = () => `/office/messages/${subject.message}`
const quote = () => subject.quote
const sentBack = () => '/office/returns/1001'
const guarantee = () => '/office/guarantees/G-999999'
const shopApplication = () => '/office/shop-applications/A-999999'
const at = (path: string) => () => path
const reason = 'The customer called.'
const refund = { key: newId(), amount: '1.00', agreed: '100', reason: 'late', bearer: 'carrier', note: '' }
/** Of nothing in the store. */
const unknown = newId()

export const acts: readonly Act[] = [
  {
    module: 'views',
    intent: 'save',
    permission: 'orders.read',
    path: at('/office/views?list=orders&filters=state%3Dlate'),
    form: { name: '' },
    answer: 422,
  },
  {
    module: 'views',
    intent: 'delete',
    permission: 'orders.read',
    path: at('/office/views?list=orders&filters=state%3Dlate'),
    form: { view: unknown },
    answer: 409,
  },
  {
    module: 'bulk',
    intent: 'do',
    permission: 'orders.note',
    path: at('/office/bulk/note-orders'),
    form: { given: '' },
    answer: 422,
  },
  { module: 'bulk', intent: 'undo', permission: 'orders.note', path: at('/office/bulk/note-orders'), answer: 200 },
  {
    module: 'stock-item',
    intent: '',
    permission: 'stock.adjust',
    path: at('/office/stock/100001'),
    form: { key: newId(), warehouse: '', reason: 'found', units: '1', note: '' },
    answer: 422,
  },
  ...(
    [
      ['accepted', { reference: 'R-1' }],
      ['rejected', { reason: 'Sold out' }],
      ['again', {}],
      ['elsewhere', { warehouse: '1' }],
    ] as const
  ).map(([intent, form]): Act => ({
    module: 'purchase-order',
    intent,
    permission: intent === 'elsewhere' ? 'suppliers.source' : 'suppliers.answer',
    path: at('/office/stock/purchase-orders/5001'),
    form,
    answer: 409,
  })),
  ...(['confirm', 'question', 'address', 'appointment', 'cancel', 'lines', 'resend'] as const).map((act): Act => ({
    module: 'order-act',
    intent: act,
    permission: staffOrderActs[act].permission,
    path: () => `${order()}/${act}`,
    answer: 422,
  })),
  ...['place', 'withdraw'].map((intent): Act => ({
    module: 'order-place',
    intent,
    permission: staffOrderActs.place.permission,
    path: () => `${order()}/place`,
    answer: 422,
  })),
  {
    module: 'order',
    intent: 'note',
    permission: 'orders.note',
    path: order,
    form: { key: newId(), body: 'Called.' },
    answer: 303,
  },
  { module: 'order', intent: 'vin', permission: 'orders.note', path: order, form: { vin: 'x' }, answer: 422 },
  { module: 'order', intent: 'preview', permission: 'refunds.make', path: order, form: refund, answer: 200 },
  { module: 'order', intent: 'refund', permission: 'refunds.make', path: order, form: refund, answer: 303 },
  { module: 'order', intent: 'retry', permission: 'refunds.make', path: order, form: { refund: unknown }, answer: 404 },
  {
    module: 'order',
    intent: 'approve',
    permission: 'refunds.approve',
    path: order,
    form: { refund: unknown },
    answer: 404,
  },
  {
    module: 'order',
    intent: 'decline',
    permission: 'refunds.approve',
    path: order,
    form: { refund: unknown },
    answer: 404,
  },
  {
    module: 'return',
    intent: 'receive',
    permission: 'returns.receive',
    path: sentBack,
    form: { 'tire-3': '1' },
    answer: 303,
  },
  {
    module: 'return',
    intent: 'inspect',
    permission: 'returns.inspect',
    path: sentBack,
    form: { tire: '1', finding: '10/32 in', dot: 'sdwl 3126', isDotMatch: '1', outcome: 'restock' },
    answer: 303,
  },
  // One cent is not what it comes to: the page would be shown again.
  {
    module: 'return',
    intent: 'refund',
    permission: 'returns.refund',
    path: sentBack,
    form: { fee: 'due', agreed: '1' },
    answer: 409,
  },
  {
    module: 'reviews',
    intent: 'publish',
    permission: 'reviews.decide',
    path: at('/office/reviews'),
    form: { review: '999999' },
    answer: 409,
  },
  {
    module: 'reviews',
    intent: 'refuse',
    permission: 'reviews.decide',
    path: at('/office/reviews'),
    form: { review: '999999', reason: 'advertising' },
    answer: 409,
  },
  {
    module: 'guarantee',
    intent: 'approve',
    permission: 'guarantees.decide',
    path: guarantee,
    form: { amount: '1.00' },
    answer: 409,
  },
  {
    module: 'guarantee',
    intent: 'refuse',
    permission: 'guarantees.decide',
    path: guarantee,
    form: { reason },
    answer: 409,
  },
  { module: 'guarantee', intent: 'again', permission: 'guarantees.decide', path: guarantee, answer: 409 },
  {
    module: 'company',
    intent: 'decide',
    permission: 'companies.decide',
    path: company,
    form: { decision: 'approve' },
    answer: 409,
  },
  {
    module: 'company',
    intent: 'terms',
    permission: 'companies.terms',
    path: company,
    form: { days: '30', limit: '5000' },
    answer: 303,
  },
  {
    module: 'company',
    intent: 'price-list',
    permission: 'price-lists.edit',
    path: company,
    form: { list: 'no-such-list' },
    answer: 422,
  },
  {
    module: 'company',
    intent: 'domain',
    permission: 'companies.decide',
    path: company,
    form: { domain: 'acts.example', role: 'viewer' },
    answer: 303,
  },
  {
    module: 'company',
    intent: 'brands',
    permission: 'companies.decide',
    path: company,
    form: { brands: '' },
    answer: 303,
  },
  {
    module: 'company',
    intent: 'payment',
    permission: 'invoices.settle',
    path: company,
    form: { order: '999999999', amount: '1.00', reference: 'ACH-1' },
    answer: 409,
  },
  {
    module: 'company',
    intent: 'certificate',
    permission: 'certificates.decide',
    path: company,
    form: { certificate: unknown, answer: 'accept' },
    answer: 409,
  },
  {
    module: 'partners',
    intent: 'approve',
    permission: 'partners.decide',
    path: at('/office/partners'),
    form: { application: '999999' },
    answer: 409,
  },
  {
    module: 'partners',
    intent: 'refuse',
    permission: 'partners.decide',
    path: at('/office/partners'),
    form: { application: '999999' },
    answer: 409,
  },
  ...(['approve', 'ask', 'refuse'] as const).map((intent): Act => ({
    module: 'shop-application',
    intent,
    permission: 'shop-applications.decide',
    path: shopApplication,
    form: { question: 'Which machines do you have?', reason },
    answer: 409,
  })),
  {
    module: 'partners',
    intent: 'employer',
    permission: 'partners.decide',
    path: at('/office/partners'),
    form: { domain: 'acts.example', employer: 'Acts' },
    answer: 303,
  },
  {
    module: 'partners',
    intent: 'no-employer',
    permission: 'partners.decide',
    path: at('/office/partners'),
    form: { domain: 'acts.example' },
    answer: 303,
  },
  {
    module: 'message',
    intent: 'answer',
    permission: 'requests.answer',
    path: message,
    form: { body: 'Hello.', once: newId() },
    answer: 303,
  },
  {
    module: 'message',
    intent: 'note',
    permission: 'requests.answer',
    path: message,
    form: { body: 'Called.', once: newId() },
    answer: 303,
  },
  {
    module: 'message',
    intent: 'assign',
    permission: 'requests.answer',
    path: message,
    form: { to: 'support@example.com' },
    answer: 303,
  },
  { module: 'message', intent: 'close', permission: 'requests.answer', path: message, answer: 303 },
  { module: 'message', intent: 'reopen', permission: 'requests.answer', path: message, answer: 303 },
  {
    module: 'message-templates',
    intent: 'save',
    permission: 'templates.manage',
    path: at('/office/messages/templates'),
    answer: 422,
  },
  {
    module: 'message-templates',
    intent: 'retire',
    permission: 'templates.manage',
    path: at('/office/messages/templates'),
    form: { id: '999999' },
    answer: 409,
  },
  {
    module: 'bounces',
    intent: '',
    permission: 'requests.answer',
    path: at('/office/messages/bounces'),
    form: { id: '999999' },
    answer: 409,
  },
  { module: 'new-quote', intent: '', permission: 'quotes.write', path: at('/office/quotes/new'), answer: 422 },
  // Whoever writes quotes may press any button of a draft; approving one without the permission only asks a manager.
  ...['save', 'send', 'find', 'add-1', 'remove-1'].map((intent): Act => ({
    module: 'quote',
    intent,
    permission: 'quotes.write',
    path: quote,
    answer: 422,
  })),
  { module: 'quote', intent: 'approve', permission: 'quotes.write', path: quote, answer: 303 },
  { module: 'quote', intent: 'version', permission: 'quotes.write', path: quote, answer: 409 },
  { module: 'quote', intent: 'reject', permission: 'quotes.approve', path: quote, form: { reason }, answer: 303 },
  { module: 'quote', intent: 'withdraw', permission: 'quotes.write', path: quote, form: { reason }, answer: 303 },
  { module: 'new-coupon', intent: '', permission: 'promotions.edit', path: at('/office/coupons/new'), answer: 422 },
  {
    module: 'coupon',
    intent: 'schedule',
    permission: 'promotions.edit',
    path: at('/office/coupons/1'),
    form: { startsAt: '2030-01-01T00:00', endsAt: '2030-02-01T00:00' },
    answer: 409,
  },
  { module: 'coupon', intent: 'discard', permission: 'promotions.edit', path: at('/office/coupons/1'), answer: 409 },
  {
    module: 'coupon',
    intent: 'end',
    permission: 'promotions.edit',
    path: at('/office/coupons/1'),
    form: { reason },
    answer: 303,
  },
  {
    module: 'content-page',
    intent: 'draft',
    permission: 'content.edit',
    path: at('/office/content/about'),
    form: { formKey: newId(), title: '', description: '', body: '' },
    answer: 422,
  },
  {
    module: 'content-page',
    intent: 'roll-back',
    permission: 'content.edit',
    path: at('/office/content/about'),
    form: { formKey: newId() },
    answer: 303,
  },
  ...(
    [
      ['schedule', 422],
      ['withdraw', 409],
      ['roll-back', 409],
      ['publish', 303],
      ['discard', 409],
    ] as const
  ).map(([intent, answer]): Act => ({
    module: 'content-version',
    intent,
    permission: 'content.edit',
    path: at('/office/content/about/1'),
    form: { formKey: newId() },
    answer,
  })),
  {
    module: 'shop-pay',
    intent: 'adjust',
    permission: 'pay.adjust',
    path: at('/office/shop-pay/SW-00001'),
    form: { amount: '' },
    answer: 422,
  },
  {
    module: 'shop-pay',
    intent: 'decide',
    permission: 'pay.adjust',
    path: at('/office/shop-pay/SW-00001'),
    form: { adjustment: unknown, decision: 'approve' },
    answer: 404,
  },
  {
    module: 'shop-pay',
    intent: 'answer',
    permission: 'pay.adjust',
    path: at('/office/shop-pay/SW-00001'),
    form: { dispute: unknown, submission: unknown, answer: 'No.', granted: '' },
    answer: 404,
  },
  {
    module: 'shop-pay',
    intent: 'reverse',
    permission: 'pay.adjust',
    path: at('/office/shop-pay/SW-00001'),
    form: { transfer: unknown, submission: unknown, back: '1.00' },
    answer: 404,
  },
  { module: 'pay-matrix', intent: '', permission: 'pay.matrix', path: at('/office/pay-matrix'), answer: 422 },
  { module: 'map-prices', intent: '', permission: 'promotions.edit', path: at('/office/map-prices'), answer: 422 },
  { module: 'price-lists', intent: '', permission: 'price-lists.edit', path: at('/office/price-lists'), answer: 422 },
  {
    module: 'price-list',
    intent: 'upload',
    permission: 'price-lists.edit',
    path: at('/office/price-lists/fleets'),
    answer: 422,
  },
  {
    module: 'price-list',
    intent: 'assign',
    permission: 'price-lists.edit',
    path: at('/office/price-lists/fleets'),
    form: { type: 'Fleet' },
    answer: 303,
  },
  ...(['schedule', 'end'] as const).map((intent): Act => ({
    module: 'price-list-version',
    intent,
    permission: 'price-lists.edit',
    path: at('/office/price-lists/fleets/1'),
    answer: 422,
  })),
  {
    module: 'price-list-version',
    intent: 'discard',
    permission: 'price-lists.edit',
    path: at('/office/price-lists/fleets/1'),
    answer: 303,
  },
  {
    module: 'new-promotion',
    intent: '',
    permission: 'promotions.edit',
    path: at('/office/promotions/new'),
    answer: 422,
  },
  // p1 came with the catalog: there is no draft of it to schedule or discard.
  {
    module: 'promotion',
    intent: 'schedule',
    permission: 'promotions.edit',
    path: at('/office/promotions/p1'),
    answer: 422,
  },
  {
    module: 'promotion',
    intent: 'discard',
    permission: 'promotions.edit',
    path: at('/office/promotions/p1'),
    answer: 409,
  },
  { module: 'promotion', intent: 'end', permission: 'promotions.edit', path: at('/office/promotions/p1'), answer: 422 },
  {
    module: 'staff',
    intent: 'invite',
    permission: 'staff.manage',
    path: at('/office/staff'),
    form: { email: 'acts@example.com', role: 'support', lastDay: '' },
    answer: 303,
  },
  {
    module: 'staff',
    intent: 'revoke',
    permission: 'staff.manage',
    path: at('/office/staff'),
    form: { grant: unknown, reason },
    answer: 409,
  },
  {
    module: 'settings',
    intent: 'hours',
    permission: 'settings.manage',
    path: at('/office/settings'),
    form: { zone: 'Mars' },
    answer: 422,
  },
  ...['hide', 'show'].map((intent): Act => ({
    module: 'catalog-item',
    intent,
    permission: 'catalog.edit',
    path: at('/office/catalog/items/999999999'),
    form: { reason },
    answer: 404,
  })),
  ...['describe', 'logo', 'no-logo'].map((intent): Act => ({
    module: 'catalog-brand',
    intent,
    permission: 'catalog.edit',
    path: at('/office/catalog/brands/999999999'),
    form: { about: 'Tires.' },
    answer: intent === 'logo' ? 422 : 404,
  })),
  ...['describe', 'picture', 'no-picture'].map((intent): Act => ({
    module: 'catalog-line',
    intent,
    permission: 'catalog.edit',
    path: at('/office/catalog/lines/999999999'),
    form: { about: 'Tires.', picture: '1', description: 'Tread' },
    answer: intent === 'picture' ? 422 : 404,
  })),
  { module: 'imports', intent: '', permission: 'catalog.import', path: at('/office/imports'), answer: 422 },
  ...['publish', 'discard', 'roll-back'].map((intent): Act => ({
    module: 'import',
    intent,
    permission: 'catalog.import',
    path: at('/office/imports/999999'),
    answer: 404,
  })),
  { module: 'settings', intent: '', permission: 'settings.manage', path: at('/office/settings'), answer: 422 },
]

/** The way in and the way out are for everyone. */
export const doors = ['office-sign-in', 'office-sign-out']
