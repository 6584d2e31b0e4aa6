import { expect, test } from 'vitest'
import { canActOn, type ActFacts, type StaffOrderAct } from './staff-acts.ts'

const now = Temporal.Instant.from('2026-11-25T15:00:00Z')
const shipped: ActFacts = {
  state: 'confirmed',
  confirmBy: null,
  releasedAt: now.subtract({ hours: 90 }),
  cancelUntil: now.subtract({ hours: 90 }),
  fulfillment: 'home',
  shipments: [],
  booking: null,
  payment: { method: 'card', state: 'captured' },
  invoice: null,
  fitCheck: null,
  isService: false,
}
const parcel = (state: ActFacts['shipments'][number]['state']) => ({ state, trackingNumber: `${state}-1` })
const reasonOf = (act: StaffOrderAct, ...states: Parameters<typeof parcel>[0][]) => {
  const answer = canActOn({ ...shipped, shipments: states.map(parcel) }, act, now)
  return answer.can ? '' : answer.reason
}

test.for(['question', 'address', 'place', 'cancel', 'lines'] as const)(
  'staff who try to %s a delivered order are sent to a return instead of waiting for the delivery',
  (act) => {
    for (const states of [['delivered'], ['delivered', 'canceled'], ['delivered', 'delivered']] as const)
      expect(reasonOf(act, ...states)).toBe('The tires were delivered. Start a return.')
    expect(reasonOf(act, 'in-transit')).not.toContain('were delivered')
  },
)

test('an order that has arrived in part names the parcel that decides', () => {
  expect(reasonOf('cancel', 'delivered', 'in-transit')).toContain('Parcel in-transit-1 has shipped.')
  expect(reasonOf('cancel', 'delivered', 'processed')).toBe(
    'Parcel delivered-1 was delivered. Start a return for its tires; what has not shipped can be canceled by line.',
  )
  expect(reasonOf('lines', 'delivered', 'processed')).toBe('')
})
