import { expect, test } from 'vitest'
import { contactMessageForm, leadForm } from './request-forms.ts'

const message = {
  firstName: 'Dana',
  lastName: "O'Neil-Ruiz, Jr.",
  email: 'Dana@Example.com',
  phone: '+1 (312) 555-0142 ext 20',
  orderNumber: ' s104001 ',
  subject: 'Something else',
  message: ' Hello. ',
}
const lead = { name: 'Dana Ruiz', email: 'dana@example.com', quantity: '4', vehicle: '', size: '2256517', brand: '' }

const faultsOf = (schema: typeof contactMessageForm | typeof leadForm, fields: object) =>
  Object.fromEntries(
    (schema.safeParse(fields).error?.issues ?? []).map(({ path, message: words }) => [String(path[0]), words]),
  )

test('normalizes a message', () => {
  expect(contactMessageForm.parse(message)).toEqual({
    ...message,
    email: 'dana@example.com',
    phone: '3125550142 x20',
    orderNumber: 'S-104001',
    message: 'Hello.',
  })
})

test.for([
  ['firstName', '', 'Please enter valid First Name'],
  ['firstName', 'D4na', 'Please enter valid First Name'],
  ['firstName', 'a'.repeat(26), 'Please enter valid First Name'],
  ['lastName', 'Ruiz <b>', 'Please enter valid Last Name'],
  ['email', 'dana@', 'Please enter a valid email'],
  ['phone', '555-0142', 'Please enter a valid phone number'],
  ['orderNumber', 'my tires', 'Write it as in our email, like S-104001, or leave it empty.'],
  ['subject', 'Hello', 'Please choose what it is about.'],
  ['message', '  ', 'Please write your message.'],
  ['message', 'a'.repeat(3_001), 'Please keep this under 3,000 characters.'],
] as const)('refuses %s %o: %s', ([field, value, words]) => {
  expect(faultsOf(contactMessageForm, { ...message, [field]: value })).toEqual({ [field]: words })
})

test('an empty form gets a message for every required field', () => {
  expect(Object.keys(faultsOf(contactMessageForm, {}))).toEqual([
    'firstName',
    'lastName',
    'email',
    'phone',
    'subject',
    'message',
  ])
  expect(Object.keys(faultsOf(leadForm, {}))).toEqual(['name', 'email', 'quantity'])
})

test('normalizes a size in any notation', () => {
  expect(leadForm.parse(lead)).toEqual({
    name: 'Dana Ruiz',
    email: 'dana@example.com',
    quantity: 4,
    vehicle: null,
    size: '225/65R17',
    brand: null,
  })
})

test.for([
  ['size', 'large', 'We cannot read that as a tire size. Write it like 225/65R17, or leave it empty.'],
  ['quantity', '0', 'Please enter how many tires, from 1 to 400.'],
  ['quantity', 'four', 'Please enter how many tires, from 1 to 400.'],
  ['quantity', '1.5', 'Please enter how many tires, from 1 to 400.'],
  ['name', '7', 'Please enter your name'],
  ['email', 'x', 'Please enter a valid email'],
] as const)('refuses a lead with %s %o: %s', ([field, value, words]) => {
  expect(faultsOf(leadForm, { ...lead, [field]: value })).toEqual({ [field]: words })
})

test('a lead needs the vehicle or the size', () => {
  expect(faultsOf(leadForm, { ...lead, size: '' })).toEqual({ vehicle: 'Tell us the vehicle or the tire size.' })
  expect(faultsOf(leadForm, { ...lead, size: '', vehicle: '2019 Honda CR-V' })).toEqual({})
})
