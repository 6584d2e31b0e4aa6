import { expect, test } from 'vitest'
import { listGarage } from '#domain/customers/accounts/accounts.server.ts'
import { findCompany } from '#domain/customers/companies/companies.server.ts'
import { listInvoices } from '#domain/payments/invoices/invoices.server.ts'
import { creditOf } from '#domain/payments/ledger/ledger.server.ts'
import { listAccountOrders, listCompanyOrders } from '#domain/ordering/orders/orders.server.ts'
import { orderLife, shipmentLife } from '#domain/ordering/orders/orders.ts'
import { fixedTerms } from '#domain/kernel/settings/business-terms.testing.ts'
import { readMembership } from '#domain/customers/programs/programs.server.ts'
import { readPriceTier } from '#domain/pricing/price-tiers/price-tiers.server.ts'
import { createTestDatabase, smallDataMadeAt as now } from '#tests/support/database.ts'
import { verify } from '#tests/support/invariants.ts'
import { accountIdOf } from './accounts.ts'

test('every demo person has the history that shows their role', async () => {
  await using database = await createTestDatabase({ from: 'small' })
  const deps = { db: database.db, clock: { now: () => now } }
  const ordersOf = async (email: Parameters<typeof accountIdOf>[0]) =>
    (await listAccountOrders(deps, accountIdOf(email))).orders

  const olives = await ordersOf('olive@example.com')
  expect(new Set(olives.map(({ state }) => state))).toEqual(new Set(Object.keys(orderLife)))
  expect(new Set(olives.flatMap(({ shipments }) => shipments.map(({ state }) => state)))).toEqual(
    new Set(Object.keys(shipmentLife).filter((state) => state !== 'returned')),
  )
  expect(new Set(olives.flatMap(({ booking }) => booking?.state ?? []))).toEqual(
    new Set(['confirmed', 'done', 'no-show']),
  )

  const companyId = (await findCompany(deps, 'Grant Delivery'))?.id ?? ''
  const { orders: fleetOrders } = await listCompanyOrders(deps, { companyId, accountId: null })
  expect(new Set(fleetOrders.map(({ placedBy }) => placedBy))).toEqual(new Set(['Felix Grant', 'Tilda Lund']))
  const { invoices } = await listInvoices(deps, companyId)
  expect(invoices.filter(({ state }) => state === 'open')).toHaveLength(3)
  expect(invoices.filter(({ state }) => state === 'paid')).toHaveLength(2)
  expect(invoices.filter(({ isOverdue }) => isOverdue)).toEqual([])
  expect((await listGarage(deps, accountIdOf('felix@example.com'))).length).toBeGreaterThanOrEqual(2)

  for (const email of ['mona@example.com', 'paula@example.com'] as const) {
    expect(await creditOf(deps.db, accountIdOf(email)), email).toBe(1_000)
    expect((await ordersOf(email)).length).toBeGreaterThanOrEqual(2)
  }
  expect(await readMembership({ ...deps, businessTerms: fixedTerms() }, accountIdOf('mona@example.com'))).toMatchObject(
    { isOver: false, isInGrace: false },
  )
  expect((await readPriceTier(deps.db, accountIdOf('mona@example.com'), now)).accountType).toBe('Retail Member')
  expect((await readPriceTier(deps.db, accountIdOf('rita@example.com'), now)).brandIds).toHaveLength(2)
  expect((await verify(deps.db, now)).map(({ name, examples }) => ({ name, examples }))).toEqual([])
})
