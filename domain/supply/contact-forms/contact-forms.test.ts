import { expect, test } from 'vitest'
import { emailAddress, parsePhone } from '#domain/kernel/contact-fields/contact-fields.ts'
import { billingForm, contactForm } from './contact-forms.ts'

const dana = {
  firstName: 'Dana',
  lastName: "O'Neil-Ruiz, Jr.",
  address1: '1430 N Halsted St',
  city: 'Chicago',
  state: 'il',
  zip: '60614-1234',
  email: 'Dana@Example.com',
  phone: '+1 (312) 555-0142 x20',
  phoneType: 'mobile',
}

function messageFor(change: Record<string, string | undefined>): string | undefined {
  const checked = contactForm.safeParse({ ...dana, ...change })
  return checked.success ? undefined : checked.error.issues[0]?.message
}

test('normalizes a valid address with uppercase state, five-digit ZIP, ten-digit phone, and lowercase email', () => {
  expect(contactForm.parse(dana)).toMatchObject({
    state: 'IL',
    zip: '60614',
    email: 'dana@example.com',
    phone: { digits: '3125550142', extension: '20' },
    company: null,
    address2: null,
  })
})

test.for([
  [{ firstName: '' }, 'Please enter valid First Name'],
  [{ firstName: 'D4na' }, 'Please enter valid First Name'],
  [{ firstName: 'x'.repeat(26) }, 'Please enter valid First Name'],
  [{ firstName: '...' }, 'Please enter valid First Name'],
  [{ lastName: '<b>' }, 'Please enter valid Last Name'],
  [{ lastName: undefined }, 'Please enter valid Last Name'],
  [{ address1: '' }, 'Please enter valid Address'],
  [{ address1: 'P.O. Box 77' }, 'We do not ship to PO boxes. Please enter a valid address'],
  [{ company: 'Acme, P.O.B. 9' }, 'We do not ship to PO boxes. Please enter a valid address'],
  [{ city: 'Chicago P O Box 9' }, 'We do not ship to PO boxes. Please enter a valid address'],
  [{ address1: 'PSC 1234 Box 567' }, 'The product is unable to ship to International Military bases.'],
  [{ city: 'A.P.O. AE' }, 'The product is unable to ship to International Military bases.'],
  [{ address2: 'PO Box 9' }, 'We do not ship to PO boxes. Please enter a valid address'],
  [{ city: '12345' }, 'Please enter valid City'],
  [{ city: 'APO' }, 'The product is unable to ship to International Military bases.'],
  [{ state: '' }, 'Please enter state'],
  [{ state: 'AE' }, 'The product is unable to ship to International Military bases.'],
  [{ zip: '6061' }, 'Please enter valid US Zip Code'],
  [{ zip: '60614-12' }, 'Please enter valid US Zip Code'],
  [{ email: 'dana@nowhere' }, 'Please enter a valid email'],
  [{ email: 'dana example@x.com' }, 'Please enter a valid email'],
  [{ phone: '555-0142' }, 'Please enter a valid phone number'],
  [{ phone: '' }, 'Please enter a valid phone number'],
  [{ phoneType: '' }, 'Please select a phone type'],
  [{ phoneType: 'fax' }, 'Please select a phone type'],
] as const)('refuses %o with "%s"', ([change, message]) => {
  expect(messageFor(change)).toBe(message)
})

test.for([
  ['3125550142', '3125550142', null],
  ['1-312-555-0142', '3125550142', null],
  ['+1 312.555.0142 ext 7', '3125550142', '7'],
  ['(312) 555 0142', '3125550142', null],
  ['112-555-0142', '1125550142', null],
  ['+44 20 7946 0958', '+442079460958', null],
  ['+353 (91) 234-56789 x4', '+3539123456789', '4'],
] as const)('normalizes phone %s to ten digits, and keeps the country', ([typed, digits, extension]) => {
  expect(parsePhone(typed)).toEqual({ digits, extension })
})

test.for(['312\u2010555\u20110142', '312\u2013555\u20130142', '312\u2212555\u22120142', '(312)\u00a0555\u20140142'])(
  'reads phone %s with a typographic hyphen or dash',
  (typed) => {
    expect(parsePhone(typed)).toEqual({ digits: '3125550142', extension: null })
  },
)

test('accepts letters that have no composed form', () => {
  expect(messageFor({ firstName: 'Olu\u0301s\u0323e\u0323\u0301', city: 'I\u0323la\u0323' })).toBeUndefined()
})

test.for([
  '31255501420',
  'call me',
  '312555014',
  '+44 20 7946 095',
  '+1 312 555 01420',
  '+0 312 555 0142',
  '442079460958',
])('refuses phone %s', (typed) => {
  expect(parsePhone(typed)).toBeUndefined()
})

test('billing requires an address only when it differs', () => {
  expect(billingForm.safeParse({ sameAsShipping: '1' }).success).toBe(true)
  const checked = billingForm.safeParse({ sameAsShipping: '0', billingName: 'Dana Ruiz' })
  expect(checked.error?.issues.map((issue) => issue.message)).toEqual(
    expect.arrayContaining([
      'Please enter valid Address',
      'Please enter valid City',
      'Please enter state',
      'Please enter valid US Zip Code',
      'Please enter a valid phone number',
      'Please select a phone type',
    ]),
  )
})

test('a long hostile address does not stall the pattern', () => {
  expect(emailAddress.safeParse(`${'a'.repeat(100_000)}@`).success).toBe(false)
})
