/** Every message the specification quotes verbatim is in the code, or awaits the capability that shows it. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const said = [
  // Section 5
  'Please enter a valid email',
  'Please enter a valid date format MM/DD/YYYY',
  'Please enter a valid phone number',
  'Please select a phone type',
  'Please enter valid email',
  'Phone Number should contain 10 digits',
  'Please enter valid First Name',
  'Please enter valid Last Name',
  'Please enter valid City',
  'Please enter valid Address',
  'Please enter state',
  'Please enter valid US Zip Code',
  'Oops. Please enter a valid ZIP code.',
  'The card number is not valid',
  'Please fill out an expiration date',
  'This expiration date is not valid',
  'Please choose a vehicle',
  'Please select a shop or change shipping option.',
  'Please select a FedEx location',
  'We do not ship to PO boxes. Please enter a valid address',
  'The product is unable to ship to International Military bases.',
  "This zip code is outside the selected installer's serviceable area.",
  'Please select a time slot.',
  'Please review. Order ID & ZIP Code do not match.',
  // Section 8
  'fetch API not configured',
  'Oops, something went wrong',
  'Oops, something went wrong! Please try again.',
  'The page you are looking for is missing.',
  "We're experiencing a technical problem. Please try again.",
  'Message failed to send',
  'Quote Sent Successfully',
  'Quote Could Not Be Sent',
  'Your browser was not able to retrieve your location',
  'Sorry, but Geolocation is not supported by this browser.',
  'Google Map cannot be loaded right now',
  'An error has occured while reading the file.',
  'Payment error',
  "We're sorry, the payment was not able to be processed. Please try again or use another payment method.",
  'Your payment is processing... please check for your email confirmation. If that does not arrive in 30 mins, please contact customer service',
  'PayPal payment canceled',
  'ApplePay payment canceled',
  'Resolve payment canceled',
  'Your credit application was not accepted',
]

/** Parts of messages that also include a number, a phone number or a service's response. */
const parts = ['Geocoder failed due to: ', 'File size is greater than ', ' for sales or try to refresh this page.']

const code = globSync('{app,api,content,domain,pictures,http,sandbox}/**/*.{ts,tsx}', {
  exclude: (path) => /\.(?:test|testing)\.tsx?$/.test(path),
})
  .map((file) => readFileSync(file, 'utf8').replaceAll(String.raw`\'`, "'"))
  .join('\n')

/** Includes the quotes because one more word makes a different message. */
const isSaid = (message: string) => ["'", '"', '`'].some((quote) => code.includes(quote + message + quote))

/** The exact messages among the exported constants, by the expression that names them: `supportMessages.tooLarge`. */
async function namedMessages(): Promise<string[]> {
  const exact = new Set([...said, 'File size is greater than 1MB'])
  const names: string[] = []
  const walk = (value: unknown, name: string): void => {
    if (typeof value === 'string' && exact.has(value)) names.push(name)
    else if (typeof value === 'object' && value !== null)
      for (const [key, each] of Object.entries(value)) walk(each, /^\w+$/.test(key) ? `${name}.${key}` : name)
  }
  for (const file of globSync('content/messages/*.ts').filter((path) => !path.endsWith('.test.ts')))
    for (const [name, value] of Object.entries((await import(`#${file}`)) as Record<string, unknown>)) walk(value, name)
  return names
}

test('no template adds words to an exact message', async () => {
  const names = await namedMessages()
  expect(names).toContain('supportMessages.tooLarge')
  const joined = names.flatMap((name) => {
    const inTemplate = new RegExp(`\`[^\`\n]*\\$\\{${RegExp.escape(name)}\\}[^\`\n]*\``, 'g')
    const added = [...code.matchAll(inTemplate)].map(([text]) => text).filter((text) => text !== `\`\${${name}}\``)
    const summed = new RegExp(`(?:['"\`] *\\+ *${RegExp.escape(name)}\\b|${RegExp.escape(name)} *\\+ *['"\`])`, 'g')
    return [...added, ...[...code.matchAll(summed)].map(([text]) => text)]
  })
  expect(joined).toEqual([])
})

test("the specification's messages appear verbatim", () => {
  expect(said.filter((message) => !isSaid(message))).toEqual([])
  expect(parts.filter((part) => !code.includes(part))).toEqual([])
})
