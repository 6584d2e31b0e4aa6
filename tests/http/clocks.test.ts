/** Every time of day on a page names its zone: the pages of tests/support/pages.ts, for visitors who see times. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { remember } from '#http/visitor.ts'
import { readConfig } from '#platform/config.ts'
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

let seen = 0

test.for(rows)('$address shows no time without its zone', async ({ address, as }) => {
  const text = await read(address, as)
  seen += [...text.matchAll(clock)].length
  expect(unnamed(text)).toEqual([])
})

test('the pages did show times', () => {
  expect(seen).toBeGreaterThan(20)
})

test('a time without a zone is reported, one with a zone is not', () => {
  for (const text of ['Cancel until 4:29 PM.', 'Tue 9:30 is held for you', 'open until 17:30'])
    expect(unnamed(text)).toHaveLength(1)
  for (const text of [
    'Cancel until 4:29 PM CST.',
    'from 8:00 AM to 10:00 AM CST (code)',
    'Tue 9:30 CST at Halsted',
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
  return textOf(await answer.text())
}

/** A page's text, with a shared zone name added to each time in its group. */
function textOf(html: string): string {
  return (
    html
      .replaceAll(/<(script|style|svg)[\s\S]*?<\/\1>/g, '')
      .replaceAll(/times in (?:<!-- -->)?([A-Z]{2,4})[\s\S]*?<\/form>/g, 'times in $1')
      // The hours of a shop as its own people type them: the page says whose clock it is.
      .replaceAll(/On your shop’s clock[\s\S]*?<ul class="week-fields">[\s\S]*?<\/ul>/g, '')
      .replaceAll(/Times in (?:<!-- -->)?([A-Z]{2,4})[\s\S]*?<\/section>/g, 'Times in $1')
      .replaceAll(/Hours <span[^>]*>([A-Z]{2,4})<\/span><\/h2><table[\s\S]*?<\/table>/g, 'Hours $1')
      .replaceAll('<!-- -->', '')
      // What a small text stands below is a line of its own.
      .replaceAll('<small', ' <small')
      .replaceAll(/<\/(p|li|td|th|dd|dt|h\d|button|a|label|option|span|div|small|b)>/g, ' ')
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll(/\s+/g, ' ')
  )
}

const clock = /\b\d{1,2}:\d{2}\b/g

function unnamed(text: string): string[] {
  return [...text.matchAll(clock)]
    .map(({ index }) => text.slice(index, index + 40))
    .filter(
      (from) =>
        !/^\d{1,2}:\d{2}( [AP]M to \d{1,2}:\d{2})?( [AP]M)? ([A-Z]{2,4}|GMT[+-]\d+)\b/.test(from) ||
        /^\d{1,2}:\d{2} [AP]M\b(?! [A-Z]{2,4}\b| to)/.test(from),
    )
    .filter((from) => !/^\d{1,2}:\d{2} left/.test(from))
}
