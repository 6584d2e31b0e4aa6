import { describe, expect, test } from 'vitest'
import { RETURN_WINDOW_DAYS } from '#platform/business-constants.ts'
import { guaranteeForm } from './guarantee-form.ts'
import {
  checkRequest,
  differenceOf,
  guaranteeNumber,
  paidEach,
  paidForTires,
  parseGuaranteeNumber,
  seenWithinDays,
  tiresOf,
  type Asked,
} from './price-guarantee.ts'

const day = (text: string) => Temporal.PlainDate.from(text)
const today = day('2026-11-20')
const sound: Asked = {
  found: {
    host: 'www.othertires.com',
    eachCents: 14_000,
    includesShipping: true,
    includesInstallation: false,
    seenOn: today,
  },
  ourEachCents: 15_000,
  order: { state: 'confirmed', deliveredOn: null, days: RETURN_WINDOW_DAYS },
  today,
  ownHost: 'sidewall.example',
}
const found = (change: Partial<Asked['found']>): Asked => ({ ...sound, found: { ...sound.found, ...change } })
const order = (change: Partial<NonNullable<Asked['order']>>): Asked => ({
  ...sound,
  order: { state: 'confirmed', deliveredOn: null, days: RETURN_WINDOW_DAYS, ...change },
})

test.for<[string, Asked, string[]]>([
  ['nothing against it', sound, []],
  ['before buying', { ...sound, order: null }, []],
  ['still being confirmed', order({ state: 'needs-confirmation' }), []],
  ['canceled', order({ state: 'canceled' }), ['order-stands']],
  ['returned', order({ state: 'returned' }), ['order-stands']],
  ['the last day', order({ deliveredOn: today.subtract({ days: RETURN_WINDOW_DAYS }) }), []],
  ['a day late', order({ deliveredOn: today.subtract({ days: RETURN_WINDOW_DAYS + 1 }) }), ['in-time']],
  ['seen tomorrow', found({ seenOn: today.add({ days: 1 }) }), ['seen-lately']],
  ['under other terms', order({ deliveredOn: today.subtract({ days: 8 }), days: 7 }), ['in-time']],
  ['seen just lately enough', found({ seenOn: today.subtract({ days: seenWithinDays }) }), []],
  ['seen too long ago', found({ seenOn: today.subtract({ days: seenWithinDays + 1 }) }), ['seen-lately']],
  ['without shipping', found({ includesShipping: false }), ['out-the-door']],
  ['installed, with an order', found({ includesInstallation: true }), []],
  [
    'installed, before buying',
    { ...found({ includesInstallation: true }), order: null },
    ['tires-alone-before-buying'],
  ],
  ['an auction', found({ host: 'www.ebay.com' }), ['store-that-sells-itself']],
  ['a marketplace itself', found({ host: 'craigslist.org' }), ['store-that-sells-itself']],
  ['a name that only ends like one', found({ host: 'notebay.com' }), []],
  ['our own page', found({ host: 'sidewall.example' }), ['store-that-sells-itself']],
  ['the same price', found({ eachCents: 15_000 }), ['lower']],
  ['a cent less', found({ eachCents: 14_999 }), []],
  [
    'several at once',
    {
      ...found({ eachCents: 16_000, includesShipping: false }),
      order: { state: 'canceled', deliveredOn: null, days: RETURN_WINDOW_DAYS },
    },
    ['order-stands', 'out-the-door', 'lower'],
  ],
])('%s', ([, asked, failed]) => {
  const findings = checkRequest(asked)
  expect(findings.map(({ check }) => check)).toEqual(failed)
  for (const { reason } of findings) expect(reason).toMatch(/\.$/)
})

const line = (kind: string, change: Partial<Parameters<typeof tiresOf>[0][number]> = {}) => ({
  kind,
  itemId: kind === 'tire' ? 1 : null,
  description: kind === 'tire' ? 'Kestrel Alltide' : kind,
  quantity: 4,
  netCents: 60_000,
  taxCents: 6_000,
  fetCents: 0,
  tireFeeCents: 1_000,
  ...change,
})
const staggered = [
  line('tire', { quantity: 2, netCents: 30_000, taxCents: 3_000, tireFeeCents: 500 }),
  line('tire', { itemId: 2, description: 'Kestrel Rear', quantity: 2, netCents: 40_000, fetCents: 200 }),
]

describe('the tires in a request', () => {
  test('are the only article of the order, all of them, unless said otherwise', () => {
    expect(tiresOf([line('tire'), line('installation')], { itemId: null, quantity: null })).toEqual({
      ok: true,
      value: { itemId: 1, tire: 'Kestrel Alltide', quantity: 4 },
    })
    expect(tiresOf(staggered, { itemId: 2, quantity: 1 })).toMatchObject({
      value: { tire: 'Kestrel Rear', quantity: 1 },
    })
  })

  test('are named where there are several, and bought', () => {
    expect(tiresOf(staggered, { itemId: null, quantity: null })).toMatchObject({ reason: 'name-the-tire' })
    expect(tiresOf(staggered, { itemId: 3, quantity: null })).toMatchObject({ reason: 'not-on-order' })
    expect(tiresOf(staggered, { itemId: 1, quantity: 3 })).toMatchObject({
      reason: 'more-than-bought',
      detail: { bought: 2 },
    })
  })
})

test('our price includes the same excise tax, shipping, and installation as the competitor’s', () => {
  const services = [line('shipping', { netCents: 4_000 }), line('installation', { netCents: 8_000 })]
  expect(paidEach([line('tire')], 1, false)).toBe(15_000)
  expect(paidEach([line('tire'), ...services], 1, false)).toBe(16_000)
  expect(paidEach([line('tire'), ...services], 1, true)).toBe(18_000)
  expect(paidEach([...staggered, ...services], 2, true)).toBe(20_100 + 1_000 + 2_000)
})

test('the difference is for all its tires, with the tax on it, and never more than was paid for them', () => {
  const request = { itemId: 1, quantity: 4, ourEachCents: 15_000, theirEachCents: 14_000 }
  expect(differenceOf(request, [line('tire')])).toBe(4_000 + 400)
  expect(differenceOf({ ...request, quantity: 1 }, [line('tire')])).toBe(1_100)
  expect(differenceOf(request, [])).toBe(4_000)
  expect(paidForTires([line('tire'), line('installation')], 1)).toBe(67_000)
  expect(differenceOf({ ...request, ourEachCents: 30_000 }, [line('tire')])).toBe(67_000)
})

test('numbers are written G-12, and read in any common form', () => {
  expect(guaranteeNumber(12)).toBe('G-12')
  expect(['G-12', 'g-12', ' 12 ', 'S-12', 'G-', '1234567890123'].map(parseGuaranteeNumber)).toEqual([
    12,
    12,
    12,
    undefined,
    undefined,
    undefined,
  ])
})

describe('the form', () => {
  const filled = {
    orderNumber: 's-104001',
    competitor: 'Other Tires',
    link: 'https://www.OtherTires.com/alltide?size=1#x',
    price: '$1,049.99',
    seenOn: '11/20/2026',
  }
  const faultsOf = (change: Record<string, string>) =>
    guaranteeForm.safeParse({ ...filled, ...change }).error?.issues.map(({ path, message }) => [path[0], message]) ?? []

  test('reads a request about an order', () => {
    expect(guaranteeForm.parse({ ...filled, zip: '60614-1234', shipping: '1', item: '', quantity: '' })).toEqual({
      orderNumber: 104_001,
      email: null,
      zip: '60614',
      item: null,
      quantity: null,
      competitor: 'Other Tires',
      link: { url: 'https://www.othertires.com/alltide?size=1#x', host: 'www.othertires.com' },
      price: 104_999,
      shipping: true,
      installation: false,
      seenOn: today,
    })
  })

  test('needs email, tire and number before buying', () => {
    expect(faultsOf({ orderNumber: '' }).map(([field]) => field)).toEqual(['email', 'item', 'quantity'])
    expect(faultsOf({ orderNumber: '', email: 'Dana@Example.com', item: '100001', quantity: '4' })).toEqual([])
  })

  test.for([
    ['item', 'https://sidewall.example/brands/kestrel/alltide-as2/p/100001?quantity=4', true],
    ['item', '/brands/kestrel/alltide-as2/p/100001', true],
    ['item', 'alltide', false],
    ['link', 'javascript:alert(1)', false],
    ['link', 'https://nowhere', false],
    ['link', 'https://me:secret@othertires.com/', false],
    ['link', `https://othertires.com/${'x'.repeat(500)}`, false],
    ['price', '149', true],
    ['price', '149.9', true],
    ['price', '149.999', false],
    ['price', '0.00', false],
    ['price', '-1', false],
    ['price', '1e9', false],
    ['quantity', '0', false],
    ['quantity', '1.5', false],
    ['quantity', '401', false],
    ['seenOn', '02/30/2026', false],
    ['seenOn', '2026-11-20', false],
    ['email', 'nobody', false],
    ['zip', '6061', false],
    ['competitor', ' ', false],
  ] as const)('%s %j: %s', ([field, text, isRead]) => {
    expect(faultsOf({ [field]: text }).map(([name]) => name)).toEqual(isRead ? [] : [field])
  })

  test('shows the specification’s messages', () => {
    expect(faultsOf({ seenOn: 'yesterday', email: 'x', zip: 'y' })).toEqual([
      ['email', 'Please enter a valid email'],
      ['zip', 'Please enter valid US Zip Code'],
      ['seenOn', 'Please enter a valid date format MM/DD/YYYY'],
    ])
  })
})
