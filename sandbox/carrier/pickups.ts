/** Pickups: asked for, bought and canceled. */
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { newId } from '../ids.ts'
import type { Collection } from '../store.ts'
import { address, addressView, type Address } from './addresses.ts'
import { notFound, readNamed, refuse, refuseParameters } from './refusal.ts'
import type { Carrier } from './shipments.ts'
import { carrierName } from './views.ts'

const newPickup = z.strictObject({
  address,
  shipment: z.looseObject({ id: z.string() }),
  min_datetime: z.string().min(10).max(40),
  max_datetime: z.string().min(10).max(40),
  instructions: z.string().max(300).nullish(),
  reference: z.string().max(100).nullish(),
  is_account_address: z.boolean().nullish(),
})

type Pickup = {
  id: string
  at: string
  address: Address
  from: string
  to: string
  instructions: string | null
  status: 'unknown' | 'scheduled' | 'canceled'
  confirmation: string | null
}

const service = 'NextDay'

export function createPickups(carrier: Carrier): Hono {
  const pickups: Collection<Pickup> = carrier.store.collection('pickup')
  const app = new Hono()

  app.post('/', async (c) => {
    const named = await readNamed(c, 'pickup')
    if ('refusal' in named) return named.refusal
    const parsed = newPickup.safeParse(named.given)
    if (!parsed.success) return refuseParameters(c, parsed.error)
    const { shipment, min_datetime: from, max_datetime: to, address: place, instructions = null } = parsed.data
    if (!carrier.shipments.get(shipment.id)?.label) return notFound(c)
    const at = carrier.now().toString()
    const made = { at, address: place, from, to, instructions, status: 'unknown' as const, confirmation: null }
    const pickup = { id: newId('pickup_', 32), ...made }
    pickups.put(pickup.id, pickup)
    return c.json(pickupView(pickup))
  })

  app.get('/:id', (c) => {
    const pickup = pickups.get(c.req.param('id'))
    return pickup ? c.json(pickupView(pickup)) : notFound(c)
  })

  app.post('/:id/:deed{buy|cancel}', async (c) => {
    const pickup = pickups.get(c.req.param('id'))
    if (!pickup) return notFound(c)
    const changed = c.req.param('deed') === 'buy' ? await bought(c, pickup) : canceled(pickup)
    if (!changed) return refuse(c, 422, 'PICKUP.INVALID', 'The pickup cannot be changed that way.')
    pickups.put(pickup.id, changed)
    return c.json(pickupView(changed))
  })
  return app
}

async function bought(c: Context, pickup: Pickup): Promise<Pickup | undefined> {
  const asked = z
    .object({ carrier: z.literal(carrierName), service: z.literal(service) })
    .safeParse(await c.req.json().catch(() => undefined))
  if (!asked.success || pickup.status === 'canceled') return undefined
  return { ...pickup, status: 'scheduled', confirmation: pickup.confirmation ?? newId('SWP', 8).toUpperCase() }
}

function canceled(pickup: Pickup): Pickup | undefined {
  return pickup.status === 'scheduled' ? { ...pickup, status: 'canceled' } : undefined
}

function pickupView({ id, at, address: place, from, to, instructions, status, confirmation }: Pickup): object {
  return {
    id,
    object: 'Pickup',
    created_at: at,
    updated_at: at,
    mode: 'test',
    status,
    reference: null,
    min_datetime: from,
    max_datetime: to,
    is_account_address: false,
    instructions,
    messages: [],
    confirmation,
    address: addressView(place, at),
    carrier_accounts: [],
    pickup_rates: [
      {
        id: `pickuprate_${id.slice(7)}`,
        object: 'PickupRate',
        created_at: at,
        updated_at: at,
        mode: 'test',
        service,
        rate: '0.00',
        currency: 'USD',
        carrier: carrierName,
        pickup_id: id,
      },
    ],
  }
}
