/** An account's saved vehicles, with their logged mileage, and addresses. */
import { z } from 'zod'
import { accountOf } from '#api/caller.ts'
import { check } from '#api/check.ts'
import { answer, operation } from '#api/operation.ts'
import { problem } from '#api/problem.ts'
import { bodyOf, day, exampleReceiver, id, receiver, vehicleKey } from '#api/schemas.ts'
import {
  addAddress,
  keepForAccount,
  listAddresses,
  listGarage,
  noteReadings,
  removeAddress,
  removeVehicle,
  type GarageVehicle,
} from '#domain/customers/accounts/accounts.server.ts'
import { addressForm, readingsForm } from '#domain/customers/accounts/accounts.ts'
import { encodeChosenVehicle } from '#domain/catalog/vehicles/vehicles.ts'
import { findChosenVehicle } from '#domain/catalog/vehicles/vehicles.server.ts'
import { storeDay } from '#platform/store-zone.ts'

const ofOne = z.strictObject({ id })

export const garageVehicle = z
  .strictObject({
    id: z.string(),
    key: z.string().meta({ description: 'The vehicle’s key for listings, verdicts and carts' }),
    name: z.string(),
    mileage: z.int().nullable(),
    mileageOn: day.nullable(),
    rotatedMileage: z.int().nullable(),
    rotatedOn: day.nullable(),
    wantsReminder: z.boolean(),
    nextRotation: z.strictObject({ on: day, because: z.enum(['months', 'miles']) }).nullable(),
  })
  .meta({ id: 'GarageVehicle' })

const address = z.strictObject({ id: z.string(), ...receiver }).meta({ id: 'SavedAddress' })

export const garageOperations = [
  operation({
    id: 'listGarage',
    method: 'get',
    path: '/garage',
    area: 'Account',
    summary: 'List saved vehicles',
    audience: 'account',
    result: z.array(garageVehicle),
    async handle({ app, caller }) {
      return answer((await listGarage(app, await accountOf(caller))).map(vehicleView))
    },
  }),
  operation({
    id: 'keepVehicle',
    method: 'post',
    path: '/garage',
    area: 'Account',
    summary: 'Save a vehicle',
    description: 'Also selects the vehicle. A vehicle is saved only once per year, make and model.',
    audience: 'account',
    status: 201,
    once: { isRequired: false, by: 'again' },
    body: bodyOf({ vehicle: vehicleKey }),
    result: z.array(garageVehicle),
    refuses: ['UnknownVehicle'],
    async handle({ app, caller, body: { vehicle } }) {
      if (!(await findChosenVehicle(app, vehicle)).ok) return problem('UnknownVehicle')
      const accountId = await accountOf(caller)
      await keepForAccount(app, accountId, { vehicle })
      return answer((await listGarage(app, accountId)).map(vehicleView))
    },
  }),
  operation({
    id: 'noteReadings',
    method: 'put',
    path: '/garage/{id}/readings',
    area: 'Account',
    summary: 'Log mileage and rotation',
    audience: 'account',
    params: ofOne,
    body: bodyOf({
      mileage: z
        .int()
        .min(0)
        .max(2_000_000)
        .nullable()
        .meta({ examples: [42500] }),
      rotatedOn: day
        .regex(/^\d{4}-\d{2}-\d{2}$/)
        .nullable()
        .meta({ description: 'The date of the last rotation', examples: ['2026-07-01'] }),
      rotatedMileage: z
        .int()
        .min(0)
        .max(2_000_000)
        .nullable()
        .meta({ examples: [40000] }),
      wantsReminder: z.boolean().meta({ description: 'Whether to email a reminder when the next rotation is due' }),
    }),
    result: garageVehicle,
    refuses: ['NotYours'],
    async handle({ app, caller, params, body }) {
      const today = storeDay(app.clock.now())
      const checked = check(readingsForm(today), {
        mileage: String(body.mileage ?? ''),
        // The form takes a date in US notation.
        rotatedOn: body.rotatedOn?.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$2/$3/$1') ?? '',
        rotatedMileage: String(body.rotatedMileage ?? ''),
        ...(body.wantsReminder && { reminder: '1' }),
      })
      if (!checked.ok) return checked
      const accountId = await accountOf(caller)
      const noted = await noteReadings(app, { accountId, id: params.id, readings: checked.value, today })
      const found = noted.ok ? (await listGarage(app, accountId)).find((each) => each.id === params.id) : undefined
      return found ? answer(vehicleView(found)) : problem('NotYours')
    },
  }),
  operation({
    id: 'removeVehicle',
    method: 'delete',
    path: '/garage/{id}',
    area: 'Account',
    summary: 'Delete a saved vehicle',
    audience: 'account',
    status: 204,
    params: ofOne,
    refuses: ['NotYours'],
    async handle({ app, caller, params }) {
      const removed = await removeVehicle(app, await accountOf(caller), params.id)
      return removed.ok ? answer(null) : problem('NotYours')
    },
  }),
  operation({
    id: 'listAddresses',
    method: 'get',
    path: '/addresses',
    area: 'Account',
    summary: 'List saved addresses',
    audience: 'account',
    result: z.array(address),
    async handle({ app, caller }) {
      return answer(await listAddresses(app, await accountOf(caller)))
    },
  }),
  operation({
    id: 'saveAddress',
    method: 'post',
    path: '/addresses',
    area: 'Account',
    summary: 'Save an address',
    audience: 'account',
    status: 201,
    once: { isRequired: false, by: 'again' },
    body: bodyOf(addressForm.shape).meta({ examples: [exampleReceiver] }),
    result: z.strictObject({ id: z.string() }),
    refuses: ['AlreadyThere', 'TooMany'],
    async handle({ app, caller, body }) {
      const { ssoUid: _, ...typed } = body
      const added = await addAddress(app, await accountOf(caller), typed)
      if (added.ok) return answer(added.value)
      return added.reason === 'known'
        ? problem('AlreadyThere', 'This address is already saved.')
        : problem('TooMany', 'You can save up to ten addresses. Delete one first.')
    },
  }),
  operation({
    id: 'removeAddress',
    method: 'delete',
    path: '/addresses/{id}',
    area: 'Account',
    summary: 'Delete a saved address',
    audience: 'account',
    status: 204,
    params: ofOne,
    refuses: ['NotYours'],
    async handle({ app, caller, params }) {
      return (await removeAddress(app, await accountOf(caller), params.id)) ? answer(null) : problem('NotYours')
    },
  }),
]

function vehicleView({
  id: key,
  vehicle,
  mileage,
  mileageOn,
  rotatedMileage,
  rotatedOn,
  wantsReminder,
  next,
}: GarageVehicle): z.input<typeof garageVehicle> {
  return {
    id: key,
    key: encodeChosenVehicle(vehicle),
    name: vehicle.name,
    mileage,
    mileageOn,
    rotatedMileage,
    rotatedOn,
    wantsReminder,
    nextRotation: next && { on: next.on.toString(), because: next.because },
  }
}
