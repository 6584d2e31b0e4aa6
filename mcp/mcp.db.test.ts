/** Tests that agents get the same fitment results, prices, and text as the API and the pages. */
import { expect, test } from 'vitest'
import { pickTire } from '#domain/ordering/checkout/checkout.testing.ts'
import { toolsOf } from '#mcp/tool-list.ts'
import { contentOf, openMcp } from '#mcp/mcp.testing.ts'

test.for(['auto', 'legacy'] as const)('a client that begins with %s lists the tools and calls them', async (mode) => {
  await using mcp = await openMcp()
  await using agent = await mcp.connect(mode)
  const { tools: listed } = await agent.client.listTools()
  expect(listed.map(({ name }) => name)).toEqual(toolsOf({ hasAccounts: true }).map(({ name }) => name))
  for (const { name, inputSchema, outputSchema, annotations, description } of listed) {
    expect(inputSchema.type, name).toBe('object')
    expect(outputSchema?.['type'], name).toBe('object')
    expect(annotations?.openWorldHint, name).toBe(false)
    expect(description?.length, name).toBeGreaterThan(60)
  }
  const found = await contentOf<{ vehicle: { key: string; name: string } }>(
    agent.call('find_vehicle', { year: 2021, make: 'Toyota', model: 'RAV4' }),
  )
  expect(found.vehicle.name).toBe('2021 Toyota RAV4')
  expect(await contentOf(agent.call('find_shops', { zip: '60614' }))).toMatchObject({ shops: { length: 10 } })
})

test('the reading tools answer as the API does', async () => {
  await using mcp = await openMcp()
  await using agent = await mcp.connect()
  const itemId = await pickTire(mcp.database)
  const api = async (path: string) => (await mcp.call('GET', path)).body as unknown

  const { vehicle } = await contentOf<{ vehicle: { key: string } }>(
    agent.call('find_vehicle', { year: 2021, make: 'toyota', model: 'rav4' }),
  )
  expect(vehicle).toEqual(await api('/vehicles/2021/toyota/rav4'))
  expect(await contentOf(agent.call('find_vehicle', { year: 2021 }))).toEqual({
    choices: await api('/vehicles?year=2021'),
    vehicle: null,
  })

  const judged = await contentOf<{ axles: { axle: string; verdict: string }[] }>(
    agent.call('check_fitment', { vehicle: vehicle.key, itemId }),
  )
  const { axles, ...rest } = judged
  expect(rest).toEqual(await api(`/fitment?vehicle=${encodeURIComponent(vehicle.key)}&item=${itemId}`))
  expect(axles.map(({ axle }) => axle)).toEqual(['front', 'rear'])

  const price = await agent.call('out_the_door_price', { itemId, zip: '60614', quantity: 4 })
  expect(await contentOf(price)).toEqual({ cart: null, installed: await api(`/tires/${itemId}/installed?zip=60614`) })
  expect(price.content[0]?.text).toMatch(/^.+, .+: \$[\d,]+\.\d\d out the door\.$/m)

  expect(await contentOf(agent.call('get_product', { itemId }))).toEqual(await api(`/tires/${itemId}`))
  expect(await contentOf(agent.call('find_shops', { zip: '60614', limit: 3 }))).toEqual({
    shops: await api('/shops?zip=60614&limit=3'),
  })
  const listed = (await api('/tires?size=225-65r17&zip=60614')) as { offers: { key: string }[]; total: number }
  expect(await contentOf(agent.call('search_catalog', { size: '225/65R17', zip: '60614' }))).toMatchObject({
    listing: { offers: listed.offers, total: listed.total },
  })
  expect(await contentOf(agent.call('search_catalog', { query: '2256517' }))).toMatchObject({
    listing: { total: listed.total },
    place: { kind: 'listing' },
  })
  const keys = listed.offers.slice(0, 2).map(({ key }) => key)
  expect(await contentOf(agent.call('lookup_catalog', { keys: [...keys, '999999999'], zip: '60614' }))).toEqual({
    offers: listed.offers.slice(0, 2),
    notFound: ['999999999'],
  })
})

test('an error is a sentence with machine-readable details', async () => {
  await using mcp = await openMcp()
  await using agent = await mcp.connect()
  const said = async (name: string, args: Record<string, unknown>) => {
    const { isError, content, structuredContent } = await agent.call(name, args)
    expect(isError, name).toBe(true)
    expect(structuredContent, name).toBeUndefined()
    return content.map(({ text }) => text)
  }
  expect(await said('find_shops', { zip: '00000' })).toEqual([
    expect.stringContaining('ZIP'),
    '{"code":"UnknownZip","statusCode":404}',
  ])
  expect((await said('find_shops', { zip: '60614', limit: 500 }))[0]).toBe(
    'Send `limit` as a whole number from 1 to 50.',
  )
  expect((await said('get_product', { itemId: 1, hue: 'red' }))[0]).toBe('Leave out `hue`: there is no such field.')
  expect((await said('check_fitment', { vehicle: 'x', itemId: 1 }))[0]).toBe('Send the key that find_vehicle returned.')
  expect((await said('find_vehicle', { year: 2021, make: 'a\u0007b' }))[0]).toBe(
    'Send `make` without control characters.',
  )
  expect((await said('track_order', { orderNumber: 'S-999999', zip: '60614' }))[1]).toContain('"code":"NoMatch"')
  await expect(agent.call('place_order', {})).rejects.toThrow('place_order')
})

test('order lookup attempts are shared with the page and the API', async () => {
  await using mcp = await openMcp()
  await using agent = await mcp.connect()
  const order = 'S-104001'
  const attempts: string[] = []
  while (attempts.at(-1) !== 'TooManyAttempts' && attempts.length < 100) {
    const { content } = await agent.call('track_order', { orderNumber: order, zip: '60614' })
    const said = JSON.parse(content[1]?.text ?? '') as { code: string; retryAfterSeconds?: number }
    attempts.push(said.code)
    if (said.code === 'TooManyAttempts') expect(said.retryAfterSeconds).toBeGreaterThan(0)
  }
  expect(new Set(attempts)).toEqual(new Set(['NoMatch', 'TooManyAttempts']))
  expect(await mcp.call('POST', '/order-look-ups', { body: { order, zip: '60601' } })).toMatchObject({ status: 429 })
})

test('no tool does what only a person may do', () => {
  const names = toolsOf({ hasAccounts: true })
    .map(({ name }) => name)
    .join(' ')
  expect(names).not.toMatch(/accept|pay|place|sign|delete|terms|checkout_complete|confirm/)
})
