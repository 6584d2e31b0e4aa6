/**
 * Tests a change of an order's price basis at every step of placing it: a change committed earlier affects the price,
 * and no shopper gets both the member price and a membership refund.
 */
import { expect, test } from 'vitest'
import { desk } from '#domain/kernel/staff/staff.testing.ts'
import { accountDeps, dana, signInAs } from '#domain/customers/accounts/accounts.testing.ts'
import { feedOf } from '#domain/catalog/catalog-import/catalog-import.testing.ts'
import { importFeed } from '#domain/catalog/catalog-import/catalog-import.server.ts'
import { placeOrder } from '#domain/ordering/checkout/checkout.server.ts'
import { leaveCompany, setBrands } from '#domain/customers/companies/companies.server.ts'
import { openCharge } from '#domain/payments/payments/payments.server.ts'
import {
  beginMembership,
  captureMembership,
  joinMembership,
  refundMembership,
} from '#domain/customers/programs/programs.server.ts'
import { createBuyer, endGrant, grantType, importPriceList } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { createPool } from '#platform/db.ts'
import { inTurn } from '../../tools/rotation.testing.ts'
import type { Application } from '#application'
import { giveCompany } from '#tests/support/company.ts'
import { granted, prepareCart, type ReadyCart } from './ready-cart.ts'
import { openScenario, stepsBetweenOvertakes, type Scenario } from './scenario.ts'

type Scene = { accountId: string; cart: ReadyCart; itemId: number }

type Change = {
  /** Gives the account its price basis. */
  stage(scenario: Scenario, account: { id: string; email: string }): Promise<void>
  make(scenario: Scenario, scene: Scene): Promise<string>
  /** The possible outcomes of order and change. Each must occur. */
  ends: string[]
}

let rises = 0
const changes: Record<string, Change> = {
  'giving the membership back': {
    stage: join,
    make: async ({ app }, { accountId }) => textOf(await refundMembership(app, accountId), 'given back'),
    ends: ['placed, used', 'price-changed, given back'],
  },
  'the end of a type': {
    stage: ({ app }, { id }) => grantType(app, { accountId: id, type: 'EPP', how: 'staff', until: null, by: 'a test' }),
    make: async ({ app }, { accountId }) => endGrant(app, { accountId, type: 'EPP' }).then(() => 'done'),
    ends: ['placed, done', 'price-changed, done'],
  },
  'leaving the company': {
    async stage({ app }, { email }) {
      await giveCompany(app.db, email, { clock: app.clock })
      await listAt(app, 'Fleet', '50.00')
    },
    // Its only member leaves it empty.
    make: async ({ app }, { accountId }) => textOf(await leaveCompany(app, accountId), 'done'),
    ends: ['placed, done', 'price-changed, done'],
  },
  'other brands for the account': {
    stage: ({ app }, { id }) => grantType(app, { accountId: id, type: 'EPP', how: 'staff', until: null, by: 'a test' }),
    make: async ({ app }, { accountId }) =>
      textOf(await setBrands(app, { of: 'account', id: accountId }, { slugs: [], by: desk }), 'done'),
    ends: ['placed, done', 'problem, done'],
  },
  'a new price list': {
    stage: ({ app }, { id }) => grantType(app, { accountId: id, type: 'EPP', how: 'staff', until: null, by: 'a test' }),
    async make({ app }) {
      rises += 1
      const amount = `${49 + (rises % 2)}.00`
      return textOf(await listAt(app, 'EPP', amount), 'done')
    },
    ends: ['placed, done', 'price-changed, done'],
  },
  'a price file': {
    stage: async () => {},
    async make({ app, url }, { itemId }) {
      const { sku, retail_cents } = await app.db
        .selectFrom('item')
        .select(['sku', 'retail_cents'])
        .where('id', '=', itemId)
        .executeTakeFirstOrThrow()
      const pool = createPool(url, { size: 2 })
      const source = feedOf([
        ['sku', 'price_cents'],
        [sku, retail_cents + 100],
      ])
      const run = await importFeed(
        { ...app, pool, by: desk },
        { kind: 'prices', source, mode: 'all-or-nothing', isDry: false, isYes: true },
      )
      await pool.end()
      return textOf(run, 'done')
    },
    ends: ['placed, done', 'price-changed, done'],
  },
}

test.for(inTurn(Object.entries(changes), { always: ([name]) => name === 'a new price list' }))(
  'an order and %s',
  async ([, change]) => {
    await using scenario = await openScenario()
    const itemId = await scenario.stockUp()
    const ends = new Set<string>()
    for (let at = 1; ; at += stepsBetweenOvertakes) {
      const scene = await prepare(scenario, change, itemId)
      let changing: Promise<string> | undefined
      let wasThroughFirst = false
      await using process = await scenario.process(async ({ number, moment }) => {
        if (number !== at || moment !== 'answered') return
        changing = change.make(scenario, scene).then(async (end) => {
          wasThroughFirst = !(await isPlaced(scenario, scene.cart))
          return end
        })
        await Promise.race([changing, scenario.someoneWaits()])
      })
      const order = textOf(await placeOrder(asAccount(process.app, scene.accountId), scene.cart.press), 'placed')
      if (changing === undefined) break
      const changed = await changing
      ends.add(`${order}, ${changed}`)
      const hadItsSay = wasThroughFirst && changed !== 'used'
      expect({ at, order, isWrong: hadItsSay && order === 'placed' }).toEqual({ at, order, isWrong: false })
      if (await isPlaced(scenario, scene.cart)) expect(await buyerOf(scenario, scene.cart)).toBe(scene.accountId)
    }
    expect([...ends].toSorted()).toEqual(change.ends.toSorted())
  },
)

/** A price list with a fixed price for every tire, lower than anyone else's. */
function listAt(app: Application, type: 'EPP' | 'Fleet', amount: string) {
  const record = { scope: 'every-tire', target: '', kind: 'fixed', percent: '', amount, starts: '2026-01-01', ends: '' }
  return importPriceList(app, { slug: `${type.toLowerCase()}-of-a-test`, type, records: [record] })
}

async function prepare(scenario: Scenario, change: Change, itemId: number): Promise<Scene> {
  const account = await signUp(scenario)
  await change.stage(scenario, account)
  const wish = { lines: [{ itemId, quantity: 4, axle: 'all' as const }], zip: '60614' }
  return {
    accountId: account.id,
    itemId,
    cart: await prepareCart(asAccount(scenario.app, account.id), wish, scenario.outside.authorize),
  }
}

let people = 0

async function signUp({ db, clock }: Scenario): Promise<{ id: string; email: string }> {
  people += 1
  const deps = { ...accountDeps(db), clock }
  const email = `person-${people}@example.com`
  deps.identity.person = { ...dana, subject: `person ${people}`, email }
  await signInAs(deps)
  const { id } = await db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  return { id, email }
}

async function join({ app, outside }: Scenario, { id }: { id: string }): Promise<void> {
  const { termId, priceCents } = granted(await beginMembership(app, id))
  const { clientSecret } = granted(await openCharge(app, { termId, amountCents: priceCents, email: null }))
  await outside.authorize({ clientSecret })
  granted(await joinMembership(app, id))
  await captureMembership(app, termId)
}

function asAccount(app: Application, accountId: string): Application {
  return { ...app, buyer: createBuyer(app, async () => accountId) }
}

async function isPlaced({ db }: Scenario, { cartId }: ReadyCart): Promise<boolean> {
  return (
    (await db.selectFrom('sales_order').select('id').where('cart_id', '=', cartId).executeTakeFirst()) !== undefined
  )
}

async function buyerOf({ db }: Scenario, { cartId }: ReadyCart): Promise<string | null> {
  return (await db.selectFrom('sales_order').select('buyer_id').where('cart_id', '=', cartId).executeTakeFirstOrThrow())
    .buyer_id
}

function textOf(outcome: { ok: boolean; reason?: string }, done: string): string {
  return outcome.ok ? done : (outcome.reason ?? '')
}
