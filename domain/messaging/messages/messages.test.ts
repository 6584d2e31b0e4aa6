import { expect, test } from 'vitest'
import { unreachableStates } from '#platform/transitions.testing.ts'
import { messageLife } from './messages.ts'

test('every message state is reachable', () => {
  expect(unreachableStates(messageLife, 'queued')).toEqual([])
})
