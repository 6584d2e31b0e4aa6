/** Wheel-Size's Wheel Fitment API v2, by its description at https://api.wheel-size.com/v2/openapi/. */
import { Hono } from 'hono'
import type { Secrets } from '#platform/secrets.ts'
import { isSameSecret } from '../signature.ts'

export type Sizes = { key: Secrets; stallSeconds: number }

/** Tires as "225/65R17 102H", the rear ones only if they differ. */
type Wheels = { front: string; rear?: string; isStock: boolean }
type Modification = { name: string; trims: readonly string[]; wheels: readonly Wheels[]; torque?: string }

const stock = (front: string, rear?: string): Wheels => ({ front, isStock: true, ...(rear !== undefined && { rear }) })
const other = (front: string): Wheels => ({ front, isStock: false })

/** Made-up answers, by year and model. */
const modifications: Readonly<Record<string, readonly Modification[]>> = {
  // As in the store's list, with a stricter load index for the larger wheels.
  '2020 mazda cx-5': [
    { name: '2.5i', trims: ['Sport', 'Touring'], wheels: [stock('225/65R17 102H'), other('225/55R19 99V')] },
    { name: '2.5i', trims: ['Grand Touring', 'Premium'], wheels: [stock('225/55R19 103V'), other('245/45R20 99V')] },
    { name: '2.5T', trims: ['Signature'], wheels: [stock('225/55R19 103V')] },
  ],
  // Other sizes than in the store's list for the Touring, and no answer about the Sport. Two torques for the Premium.
  '2020 subaru forester': [
    { name: '2.5i', trims: ['Base', 'Premium'], wheels: [stock('225/60R17 99H')] },
    { name: '2.5i', trims: ['Premium'], wheels: [stock('225/60R17 99H')], torque: '120 Nm' },
    { name: '2.5i', trims: ['Limited', 'Touring'], wheels: [stock('225/60R17 99H')] },
  ],
  // Different sizes front and rear.
  '2015 bmw 3-series': [
    { name: '335i', trims: ['335i M Sport'], wheels: [stock('225/45R18 91Y', '255/40R18 95Y')] },
    { name: '320i', trims: [], wheels: [stock('225/50R17 94V'), other('225/45R18 91V')] },
  ],
}
/** Models for which the service fails. */
export const sizeFaults = {
  down: 'down',
  limited: 'limited',
  slow: 'slow',
  broken: 'broken',
  partial: 'partial',
} as const

/** The API, mounted at the root. */
export function createSizesApi({ key, stallSeconds }: Sizes): Hono {
  const app = new Hono()
  app.get('/v2/search/by_model/', async (c) => {
    const { user_key: given = '', make = '', model = '', year = '', region = '' } = c.req.query()
    if (!isSameSecret(given, key)) return c.json({ message: 'Authentication failed' }, 401)
    const missing = Object.entries({ make, model, year, region }).filter(([, value]) => value === '')
    if (missing.length > 0) {
      const details = missing.map(([field]) => ({ field, message: 'This field is required.' }))
      return c.json({ code: 'VALIDATION_ERROR', message: 'Invalid parameters', details }, 400)
    }
    if (model === sizeFaults.down) return c.json({ message: 'Service unavailable' }, 503)
    if (model === sizeFaults.limited) return c.json({ message: 'Limit exceeded' }, 429)
    if (model === sizeFaults.broken) return c.text('<html>')
    if (model === sizeFaults.partial) return c.json({ data: [], meta: { count: 3 } })
    if (model === sizeFaults.slow) await new Promise((resolve) => setTimeout(resolve, stallSeconds * 1000).unref())
    const found = region === 'usdm' ? (modifications[`${year} ${make} ${model}`] ?? []) : []
    return c.json({
      data: found.map((each, index) => viewOf(each, { make, model, year, index })),
      meta: { count: found.length },
    })
  })
  return app
}

type Place = { make: string; model: string; year: string; index: number }

function viewOf({ name, trims, wheels, torque = '108 Nm' }: Modification, { make, model, year, index }: Place) {
  const years = { start: Number(year) - 2, end: Number(year) + 2 }
  return {
    slug: `${model}-${index}`,
    name,
    name_en: name,
    trim: name,
    trim_levels: trims,
    trim_attributes: [],
    trim_body_types: [],
    body: '',
    make: { slug: make, name: make },
    model: { slug: model, name: model },
    generation: { slug: `${model}-${years.start}`, name: 'II', platform: '', ...years, bodies: [] },
    start_year: years.start,
    end_year: years.end,
    engine: { fuel: 'Petrol', capacity: '2.5', type: 'I4', power: { kW: 139, PS: 189, hp: 187 }, code: null },
    regions: ['usdm'],
    tire_type: 'Passenger',
    technical: {
      wheel_fasteners: { type: 'Lug nuts', thread_size: 'M12 x 1.5' },
      wheel_tightening_torque: torque,
      stud_holes: 5,
      pcd: 114.3,
      centre_bore: '67.1',
      bolt_pattern: '5x114.3',
    },
    wheels: wheels.map(({ front, rear, isStock }) => ({
      is_stock: isStock,
      showing_fp_only: rear === undefined,
      is_recommended_for_winter: false,
      is_runflat_tires: false,
      is_extra_load_tires: false,
      is_high_load_tires: false,
      is_pressed_steel_rims: false,
      front: axleOf(front),
      rear: rear === undefined ? emptyAxle : axleOf(rear),
    })),
  }
}

const emptyAxle = {
  rim: '',
  rim_diameter: null,
  rim_width: null,
  rim_offset: null,
  tire: '',
  tire_full: '',
  load_index: null,
  speed_index: null,
  tire_pressure: null,
}

function axleOf(tireFull: string): Record<keyof typeof emptyAxle, unknown> {
  const [tire = '', service = ''] = tireFull.split(' ')
  const diameter = Number(/R(\d+)/.exec(tire)?.[1])
  return {
    rim: `7Jx${diameter} ET45`,
    rim_diameter: diameter,
    rim_width: 7,
    rim_offset: 45,
    tire,
    tire_full: tireFull,
    load_index: Number.parseInt(service, 10),
    speed_index: service.replace(/^\d+/, ''),
    tire_pressure: { bar: 2.4, psi: 35, kPa: 240 },
  }
}
