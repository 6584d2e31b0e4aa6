import { expect, test } from 'vitest'
import { paymentOutcome } from './payments.ts'

const told = (method: string, outcome: Parameters<typeof paymentOutcome>[1], words?: string) =>
  paymentOutcome(method, outcome, { name: 'Klarna', isHeld: true, ...(words && { words }) })

test('going back has the exact title of its method', () => {
  expect(told('paypal', 'canceled').title).toBe('PayPal payment canceled')
  expect(told('apple-pay', 'canceled').title).toBe('ApplePay payment canceled')
  expect(told('net-terms', 'canceled')).toMatchObject({
    title: 'Resolve payment canceled',
    words: 'No invoice was made. Your time is still held.',
  })
  expect(told('klarna', 'canceled').title).toBe('Klarna payment canceled')
})

test('a card that is declined is a payment error with the bank’s words', () => {
  expect(told('card', 'declined', 'The bank declined this card.')).toEqual({
    tone: 'stop',
    title: 'Payment error',
    words: 'The bank declined this card. You haven’t been charged. Your time is still held.',
  })
})

test('a lender’s no is not a fault, and a fault of a lender is', () => {
  expect(told('lease', 'declined').title).toBe('Your credit application was not accepted')
  const sentence =
    "We're sorry, the payment was not able to be processed. Please try again or use another payment method."
  expect(told('lease', 'failed').title).toBe(sentence)
  expect(told('affirm', 'declined').title).toBe(sentence)
  expect(told('klarna', 'expired').words).toBe(
    'No loan was opened, and you haven’t been charged. Your time is still held.',
  )
})
