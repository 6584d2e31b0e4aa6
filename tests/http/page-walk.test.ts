/**
 * Tests the pages in tests/support/pages.ts as seen by their visitors. The HTML is valid, every time of day shows its
 * zone, and every open time has its date and AM or PM.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { remember } from '#http/visitor.ts'
import { readConfig } from '#platform/config.ts'
import { htmlFaults } from '#tests/support/html-faults.ts'
import { pages, type PageRow } from '#tests/support/pages.ts'
import { officeSessionOf, portalSessionOf, sessionOf } from '#tests/support/visitor.ts'
import { openStartedStore, type StartedStore } from '../faults/started-store.ts'

let store: StartedStore
let order: number
let known: Record<'buyer' | 'payer' | 'customer' | 'member' | 'fleet' | 'seller' | 'staff' | 'shop', string>

beforeAll(async () => {
  store = await openStartedStore()
  const [ready, bought] = [await store.prepare(), await store.prepare()]
  const placed = await store.press(bought)
  if (!('orderId' in placed)) throw new Error(placed.text)
  order = placed.orderId
  const config = readConfig({ DATABASE_URL: store.database.url })
  if (!config.ok) throw new Error('The configuration of tests is wrong.')
  const buyer = `sw_zip=60614; sw_cart=${ready.cartId}; sw_vehicle=1~~~2019~honda~cr-v~~~~2019_Honda_CR-V`
  const customer = remember(false, config.value.session.secret).orders([order]).split(';')[0] ?? ''
  known = {
    buyer,
    payer: buyer,
    customer,
    member: await sessionOf(store.origin),
    fleet: await sessionOf(store.origin, 'fern@example.com'),
    seller: await sessionOf(store.origin, 'sam@example.com'),
    staff: await officeSessionOf(store.origin),
    shop: await portalSessionOf(store.origin),
  }
})
afterAll(() => store[Symbol.asyncDispose]())

const rows = Object.values(pages).flatMap(({ addresses, as }) => addresses.map((address) => ({ address, as })))

let [seen, offered] = [0, 0]

test.for(rows)('$address is valid, and shows no time without its zone or date', async ({ address, as }) => {
  const html = await read(address, as)
  expect(await htmlFaults(html)).toEqual([])
  const text = textOf(html)
  seen += [...text.matchAll(clock)].length
  expect(unnamed(text)).toEqual([])
  const slots = [
    ...html.matchAll(/<button class="(?:slot|btn tabular)[^>]*name="(?:slot|time)"[^>]*>(.*?)<\/button>/gs),
  ]
  offered += slots.length
  for (const [, slot = ''] of slots) expect(textOf(slot)).toMatch(slotPattern)
})

/** Matches "Tue, Dec 1, 7:00 AM", "Wed, Dec 2, morning drop-off", and the rest of a drop-off. */
const slotPattern =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), [A-Z][a-z]{2} \d{1,2}, (\d{1,2}:\d{2} [AP]M( full)?|(morning|afternoon|evening) drop-off.*)$/

test('the pages did show times, and offered some', () => {
  expect(seen).toBeGreaterThan(20)
  expect(offered).toBeGreaterThan(20)
})

test('the zone is named once per shop, and on no button, where it differs from the visitor’s', async () => {
  const page = async (zip: string) => {
    const answer = await fetch(`${store.origin}/brands/kestrel/alltide-as2/p/100001`, {
      headers: { cookie: `sw_zip=${zip}` },
    })
    return (await answer.text()).replaceAll('<!-- -->', '')
  }
  const local = await page('60614')
  expect(local).toMatch(/<button class="slot/)
  expect(local).not.toMatch(/times in [A-Z]{3}/)
  // The demo has no shop within reach of a ZIP in another time zone.
  await store.db.updateTable('shop').set({ time_zone: 'America/New_York' }).where('state', '=', 'IL').execute()
  const across = await page('60657')
  const shops = across.match(/<form class="slots"/g)?.length ?? 0
  expect(shops).toBeGreaterThan(0)
  expect(across.match(/times in E[SD]T/g)).toHaveLength(shops)
  for (const [, label] of across.matchAll(/<button class="slot[^>]*>(.*?)<\/button>/g))
    expect(label).not.toMatch(/E[SD]T/)
})

test('a time without a zone is reported, one with a zone is not', () => {
  for (const text of [
    'Cancel until 4:29 PM.',
    'Tue 9:30 is held for you',
    'Tue, 9:30 AM at Halsted',
    'open until 17:30',
  ])
    expect(unnamed(text)).toHaveLength(1)
  for (const text of [
    'Cancel until 4:29 PM CST.',
    'from 8:00 AM to 10:00 AM CST (code)',
    'Tue, Dec 1, 9:30 AM at Halsted',
    '9:59 left',
  ])
    expect(unnamed(text)).toEqual([])
})

async function read(address: string, as: PageRow['as']): Promise<string> {
  const cookie = as === undefined || as === 'owner' ? 'sw_zip=60614' : known[as]
  const answer = await fetch(store.origin + address.replace('{order}', String(order)), {
    headers: { cookie },
    redirect: 'manual',
  })
  return answer.text()
}

/** A page's text, with a shared zone name added to each time in its group. */
function textOf(html: string): string {
  return (
    html
      .replaceAll(/<(script|style|svg)[\s\S]*?<\/\1>/g, '')
      .replaceAll(/times in (?:<!-- -->)?([A-Z]{2,4})[\s\S]*?<\/form>/g, 'times in $1')
      // Shop hours typed by its staff. The page states the time zone.
      .replaceAll(/On your shop’s clock[\s\S]*?<ul class="week-fields">[\s\S]*?<\/ul>/g, '')
      .replaceAll(/Times in (?:<!-- -->)?([A-Z]{2,4})[\s\S]*?<\/section>/g, 'Times in $1')
      .replaceAll(/Hours <span[^>]*>([A-Z]{2,4})<\/span><\/h2><table[\s\S]*?<\/table>/g, 'Hours $1')
      .replaceAll('<!-- -->', '')
      // Small text is on a separate line.
      .replaceAll('<small', ' <small')
      .replaceAll(/<\/(p|li|td|th|dd|dt|h\d|button|a|label|option|span|div|small|b)>/g, ' ')
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  )
}

const clock = /\b\d{1,2}:\d{2}\b/g

function unnamed(text: string): string[] {
  return [...text.matchAll(clock)]
    .filter(
      ({ index }) =>
        !/[A-Z][a-z]{2} \d{1,2}, $/.test(text.slice(index - 10, index)) || !/^\d+:\d+ [AP]M/.test(text.slice(index)),
    )
    .map(({ index }) => text.slice(index, index + 40))
    .filter(
      (from) =>
        !/^\d{1,2}:\d{2}( [AP]M to \d{1,2}:\d{2})?( [AP]M)? ([A-Z]{2,4}|GMT[+-]\d+)\b/.test(from) ||
        /^\d{1,2}:\d{2} [AP]M\b(?! [A-Z]{2,4}\b| to)/.test(from),
    )
    .filter((from) => !/^\d{1,2}:\d{2} left/.test(from))
}
