import { expect, test } from 'vitest'
import { unreachableStates } from '#platform/transitions.testing.ts'
import { messageLife } from './messages.ts'

test('every state of a message can be reached', () => {
  expect(unreachableStates(messageLife, 'queued')).toEqual([])
})
