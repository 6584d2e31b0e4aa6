/** CarsXE's plate decoder v2. https://docs.carsxe.com/api-reference/plate-decoder/license-plate-decoder-v2 */
import { Hono, type Context } from 'hono'
import type { Secrets } from '#platform/secrets.ts'
import { usStates } from '#platform/us-states.ts'
import { isSameSecret } from '../signature.ts'

export type Plates = { key: Secrets; stallSeconds: number }

type Vehicle = { vin?: string; year: string; make: string; model: string; trim: string }

/** Vehicles by plate, in every state. The VINs' serial numbers are made up. */
export const samplePlates: Readonly<Record<string, Vehicle>> = {
  CRV2019: { vin: '2HKRW2H53KH612345', year: '2019', make: 'Honda', model: 'CR-V', trim: 'EX' },
  TRUCK21: { vin: '1FTFW1E57MFA12345', year: '2021', make: 'Ford', model: 'F-150', trim: 'XLT' },
  COACH89: { vin: '1M8GDM9AXKP042788', year: '1989', make: 'Motor Coach Industries', model: '102C3', trim: '' },
  NOVIN1: { year: '2015', make: 'Toyota', model: 'Camry', trim: 'LE' },
}
/** Plates for which the service fails. */
export const plateFaults = { down: 'DOWN1', limited: 'LIMIT1', slow: 'SLOW1', broken: 'BROKEN1' } as const

const stateCodes: ReadonlySet<string> = new Set(usStates.map(([code]) => code))

/** The API, mounted at the root. */
export function createPlatesApi({ key, stallSeconds }: Plates): Hono {
  const app = new Hono()
  app.get('/v2/platedecoder', async (c) => {
    const { key: given = '', plate = '', state = '', country = 'US' } = c.req.query()
    if (given === '') return fault(c, 401, 'Missing API key')
    if (!isSameSecret(given, key)) return fault(c, 401, 'Invalid API key')
    if (plate === '') return fault(c, 400, 'Missing vehicle registration number or license plate number')
    if (country !== 'US' || !stateCodes.has(state)) return fault(c, 404, 'Invalid state or country code.')
    if (plate === plateFaults.down) return fault(c, 502, 'Could not fetch data')
    if (plate === plateFaults.broken) return c.text('<html>')
    if (plate === plateFaults.limited) {
      const usage = { current: 1_000, limit: 1_000, remaining: 0 }
      return c.json({ success: false, message: 'API usage limit exceeded', usage }, 429)
    }
    if (plate === plateFaults.slow) await new Promise((resolve) => setTimeout(resolve, stallSeconds * 1000).unref())
    const vehicle = samplePlates[plate]
    if (!vehicle) return fault(c, 404, 'No data found for this plate')
    const description = [vehicle.year, vehicle.make, vehicle.model, vehicle.trim].filter(Boolean).join(' ')
    return c.json({ success: true, input: { plate, state, country }, description, ...vehicle })
  })
  return app
}

function fault(c: Context, status: 400 | 401 | 404 | 502, message: string): Response {
  return c.json({ success: false, message }, status)
}
