/** Tests the booking of a service without tires by an agent, up to the user's link. */
import { expect, test } from 'vitest'
import { findHold } from '#domain/scheduling/booking/booking.server.ts'
import { findCart, openCartLink } from '#domain/payments/cart/cart.server.ts'
import { must } from '#domain/ordering/checkout/checkout.testing.ts'
import { contentOf, openMcp } from '#mcp/mcp.testing.ts'

type Listed = {
  services: { service: string; storageMonths: number | null }[]
  times: { shopId: number; openings: { kind: string; start: string }[] } | null
}

test('an agent lists a shop’s services, holds a time for one, and its link opens a cart with both', async () => {
  await using mcp = await openMcp()
  await using agent = await mcp.connect()
  const shop = 'SW-00001'
  const listed = await contentOf<Listed>(agent.call('list_service_times', { shop }))
  expect(listed.times).toBeNull()
  expect(listed.services).toContainEqual(expect.objectContaining({ service: 'changeover-storage', storageMonths: 6 }))
  const service = 'changeover-storage'
  const { times } = await contentOf<Listed>(agent.call('list_service_times', { shop, service }))
  const start = times?.openings.findLast(({ kind }) => kind === 'wait')?.start
  const { cartKey, shopId } = await contentOf<{ cartKey: string; shopId: number }>(
    agent.call('create_service_cart', { shop, service }),
  )
  expect(shopId).toBe(times?.shopId)
  await contentOf(agent.call('hold_appointment', { cartKey, shopId, start }))
  const { url } = await contentOf<{ url: string }>(agent.call('get_checkout_link', { cartKey }))
  const { cartId } = must(await openCartLink(mcp.app, url.split('/').at(-1) ?? ''))
  expect((await findCart(mcp.app, cartId))?.services).toEqual([{ service, units: 1 }])
  expect((await findHold(mcp.app, cartId))?.state).toBe('held')
})

test('a service that a shop doesn’t offer, and too many units, make no cart', async () => {
  await using mcp = await openMcp()
  await using agent = await mcp.connect()
  const asked = [
    { shop: 'SW-99999', service: 'rotation' },
    { shop: 'SW-00001', service: 'constructor' },
    { shop: 'SW-00001', service: 'sensors', units: 5 },
  ]
  for (const input of asked) {
    const answer = await agent.call('create_service_cart', input)
    expect(answer.isError, input.service).toBe(true)
    expect(answer.content[1]?.text, input.service).toContain('ServiceNotOffered')
  }
})
