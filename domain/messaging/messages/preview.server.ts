/** Emails with sample values, so that staff can read each kind before anyone gets it. */
import { paths } from '#content/paths.ts'
import type { MessageKind, MessageValues } from './messages.ts'
import { stoppableKinds, stopKindOf } from './messages.ts'
import type { EmailTemplate } from './email-templates.sql.server.ts'
import { readFromContent, renderMessage, type ReadTemplate, type RenderedMail } from './render.server.ts'
import { storeValues } from './template-values.ts'
import { placeholdersOf } from '#platform/placeholders.ts'
import type { Config } from '#platform/config.ts'

/**
 * Renders a kind with sample values, footer included, from the released template or from `edited`. Bundles pass
 * `readTemplate`, because they don't have these files. `picturedItem` is an item with a picture to use for the tires.
 * Without it they have no picture. Throws for a placeholder without a sample.
 */
export async function previewMessage(
  { web, store }: Pick<Config, 'web' | 'store'>,
  kind: MessageKind,
  {
    picturedItem = null,
    edited = null,
    readTemplate = readFromContent,
  }: { picturedItem?: number | null; edited?: EmailTemplate | null; readTemplate?: ReadTemplate } = {},
): Promise<RenderedMail> {
  const names = placeholdersOf(edited ? `${edited.subject}\n${edited.body}` : await readTemplate(kind))
  const all = { ...samplesOf(web.origin, picturedItem), ...storeValues({ web, store }) }
  const values = Object.fromEntries(
    names.map((name) => [name, name.endsWith('Url') ? `${web.origin}/sample` : sampleOf(name, all)]),
  )
  const stops = stopKindOf(kind)
  const links = { stopUrl: `${web.origin}/sample`, preferencesUrl: `${web.origin}/sample` }
  return renderMessage(kind, values, {
    readTemplate,
    edited,
    footer: stops === null ? null : { ...links, stops: stoppableKinds[stops], store },
  })
}

/** A short sample of a variable for the list of variables, except for tables and lists. */
export function sampleText(name: string, { web, store }: Pick<Config, 'web' | 'store'>): string | null {
  if (name.endsWith('Url')) return null
  const value = { ...samples, ...storeValues({ web, store }) }[name]
  return typeof value === 'string' ? value : null
}

function sampleOf(name: string, samples: MessageValues): MessageValues[string] {
  const value = samples[name]
  if (value === undefined) throw new Error(`The placeholder ${name} has no sample.`)
  return value
}

/** Sample values with addresses in this store. */
function samplesOf(origin: string, picturedItem: number | null): MessageValues {
  const url = `${origin}/sample`
  return {
    ...samples,
    answerLink: { links: [{ words: 'Wait, move or cancel', url }] },
    items: {
      tires: [
        {
          name: 'Kestrel Alltide AS2 225/65R17 102H',
          quantity: 4,
          pictureUrl: picturedItem === null ? null : origin + paths.mailPicture(picturedItem),
        },
      ],
    },
    pickTime: { links: [{ words: 'Pick a time at Halsted Tire', url }] },
    times: {
      links: [
        { words: 'Wed, Nov 25, 3:30 PM', url },
        { words: 'Fri, Nov 27, 8:00 AM', url },
      ],
    },
  }
}

const samples: MessageValues = {
  lists: '4 lists',
  tasks: '12 open tasks',
  access: 'your account',
  address: '4318 N Western Ave, Chicago, IL 60618',
  amount: '$140.99',
  applicationNumber: 'A-2001',
  endpoint: 'https://hooks.example.com/tires',
  delay: 'The carrier now expects to deliver on Wed, Nov 25, two days after we promised.',
  goodThrough: 'Fri, Nov 27',
  action: 'See the feed',
  differences: '2 differences',
  headline: 'New appointment',
  problem: 'Damaged: 1. The bead is cut.',
  hours: '48',
  next: 'Choose another time, another nearby shop, or home delivery.',
  current: 'Wed, Nov 25, 3:30 PM CST',
  news: 'will be about 20 minutes late',
  pickup: {
    lines: [
      'FedEx Office, Chicago, 2201 N Elston Ave, Chicago, IL 60614',
      'Open Mon–Sun 10am–6:30pm (CST)',
      'Kept for you until Sun, Nov 29. Bring a government-issued photo ID with the name on the order.',
    ],
  },
  notShipped: 'Your order didn’t ship.',
  note: 'The outer groove is worn more than the others.',
  number: 'Q-2001',
  reportName: 'Sales',
  reportDays: 'Nov 15, 2026 to Nov 21, 2026',
  reportTitle: 'Sales by week',
  figures: [
    { left: 'Orders', right: '160' },
    { left: 'Sales', right: '$108,377.60' },
  ],
  received: '2 of 4 tires have arrived.',
  refundedTires: '2 × Kestrel Alltide AS2 225/65R17 102H',
  refusal: 'The bead shows marks of mounting.',
  refusedTire: 'Kestrel Alltide AS2 225/65R17 102H',
  returnNumber: 'M-1042',
  shipBy: 'Fri, Dec 4',
  silence: 'If we do not hear from you, we keep your order and deliver as soon as we can.',
  timesIntro: 'Take one of these times at Halsted Tire with one tap. There’s no extra charge. Times are in CST.',
  decider: 'Olga Grant',
  requester: 'Tilda Lund',
  requestUrl: 'https://example.com/account/company/approvals/1',
  total: '$706.31',
  about: 'your message (An order I placed)',
  answer: {
    lines: ['Hello Dana,', '', 'the two sizes fit the same wheel. The wider one needs a wider rim.', '', 'Lee'],
  },
  answerWithin: 'one business day',
  heading: 'Your tires will be late',
  choices: 'You can keep waiting, reschedule, or cancel and get a refund for the items that haven’t arrived.',
  appointment:
    'To be installed at Halsted Tire, 2450 N Halsted St, Chicago on Tue, Nov 24, 9:30 AM CST, wait at the shop.',
  afterCancel: 'We won’t charge or ship it before then.',
  arrival: 'Mon, Nov 23',
  arrivesBy: 'It arrives by Mon, Nov 23.',
  because: '6 months have passed since the last time.',
  business: 'Lakeview Auto Club',
  canceled: { lines: ['2 × Kestrel Alltide AS2 225/65R17 102H', '2 × Tire installation'] },
  campaign: '26T-004',
  storedUntil: 'Jun 2, 2027',
  chargeOn: 'Nov 20, 2027',
  cancelUntil: 'Fri, Nov 20, 2:30 PM CST',
  carrier: 'FedEx',
  claimNumber: 'C-12',
  claim: 'Your claim code is 482 913. Show it at the shop when the work is done, not before.',
  code: '482913',
  company: 'Grant Delivery',
  confirmBy: 'Sun, Nov 22, 2:00 PM CST',
  consequence: 'You can order on terms again when it is paid.',
  days: '7',
  defect: 'The tread may separate from the belt at highway speed.',
  delivery: 'Delivery takes 2-4 business days after completion.',
  deliveryDays: '2-4',
  destination: 'at Halsted Tire',
  difference: '$42.16',
  email: 'dana@example.com',
  ends: 'ends',
  endsOn: 'Nov 20, 2027',
  firstName: 'Dana',
  friend: 'Mona',
  graceUntil: 'Dec 20, 2027',
  how: 'Banks usually show a refund within a few days.',
  id: '12',
  inviter: 'Felix Grant',
  kind: 'Message',
  kept: 'tires',
  leadEmail: 'theo@wctire.example',
  leadName: 'Theo Brandt',
  maker: 'Kestrel',
  nextEndsOn: 'Nov 20, 2028',
  refundDays: '30',
  renewal: 'It doesn’t renew automatically. You won’t be charged again unless you renew.',
  renewalButton: 'Your membership',
  renewedWith: 'your Visa ending in 4242',
  renewalCard: 'to your Visa ending in 4242',
  renewalNews: 'Your card was declined for your membership',
  renewalNext: 'We try again on Nov 23, 2027. Your member prices stay until Dec 4, 2027.',
  whyNotRenewed: 'Your bank declined $39.00 for another year. You haven’t been charged.',
  message: 'Do these fit my car?',
  minutes: '10',
  offers: 'Deals, one discount program, and payment offers combine with the member price.',
  name: 'Dana',
  orderNumber: 'S-104001',
  ownerEmail: 'renata@wctire.example',
  paid: '$39.00',
  paidFor: 'tires, installation, taxes, and fees',
  payment: 'Payment method: Visa ending in 4242.',
  percent: '5%',
  place: 'To be installed at Lakeview Auto Club, 3142 N Clark St, Chicago: Tue, Nov 24, 9:30 AM CST, wait at the shop.',
  price: '$39.00',
  promisedOn: 'Mon, Nov 23',
  reason: 'The other price does not include shipping.',
  recalledTires: { lines: ['Left front: Kestrel Alltide AS2 225/65R17, TIN 7B3 KXYZ92 3426'] },
  remedy: 'Any Kestrel dealer replaces the tires at no charge. Bring your registration.',
  rest: 'The rest of your order ships as planned.',
  reasons: 'The shipping address and the billing address are in different states.',
  requestNumber: 'R-12',
  reward: '$10.00',
  role: 'buyer',
  roleWords: 'Buyers place orders and see their own.',
  rows: [
    { left: '4 Kestrel Alltide AS2 225/65R17 102H', right: '$563.96' },
    { left: 'Total', right: '$706.31', strong: true },
  ],
  settled: 'You paid the difference of $42.16.',
  shopName: 'Halsted Tire',
  shop: 'Western & Cullom Tire',
  shopPhone: '(312) 555-0142',
  status: 'is due in 7 days',
  subject: 'An order I placed',
  summary: 'Quiet and good in rain',
  terms: '$1,482.20 by Dec 20, 2026',
  time: '9:30 AM CST',
  tire: 'Kestrel Alltide AS2',
  tires: '4 Kestrel Alltide AS2 225/65R17 102H',
  trackingNumber: '7712 3456 7890',
  until: 'Sat, Nov 21, 2:00 PM CST',
  vehicle: '2019 Honda CR-V',
  visit: 'installation',
  visitDay: 'Tue, Nov 24',
  zone: 'CST',
  words: { lines: ['Does your machine take 22 inch rims?'] },
}
