/** Tests that the numbers in policies, pages, and answers match the code, and that their links exist. */
import { readFile } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fixedPages } from './fixed-pages.ts'
import { deliveryTimeText, fillConstants } from './constants.server.ts'
import { stateTermsFrom } from './copy-terms.server.ts'
import { listQuestions } from './faqs.server.ts'
import { capabilities } from './capabilities.ts'
import { listClaims } from './claims.server.ts'
import { typedNumber } from './check-text.server.ts'
import { findPage, listReleasedPages } from './pages.server.ts'
import { asReleased } from '#domain/kernel/content/content.ts'
import { standardTerms } from '#domain/kernel/settings/settings.ts'
import { standardDeliveryTimes } from '#domain/supply/delivery/delivery.ts'
import { placeholdersOf } from '#platform/placeholders.ts'

const files = globSync('content/{policies,pages}/*.md').concat('content/faqs.yaml')
test.for(files)("the numbers in %s are the code's constants", async (file) => {
  const source = await readFile(file, 'utf8')
  expect(source.split('\n').filter((line) => typedNumber.test(line))).toEqual([])
})

test('a number typed by hand is detected', () => {
  for (const line of [
    'within 30 minutes',
    'costs $20',
    'for 36 months',
    '5% off',
    '2-4 business days',
    'over 3,500 lb',
    'after 4pm',
    'up to 1MB',
  ])
    expect(typedNumber.test(line), line).toBe(true)
})

test.for([
  ['within {{cancelMinutes minute}}', 'within 30 minutes'],
  ['{{returnDays day}}, {{handlingFee}} per tire, {{refundHours hour}}', '30 days, $20 per tire, 48 hours'],
  [
    '{{coverageMonths}}: {{coverageYears}}; {{coverageRepair}}',
    '36: $400 per tire in the first year, $200 in the second, and $100 in the third; $25',
  ],
  ['{{roadHazardMonths}} {{roadsideMonths}} {{roadsideTires}}', '24 12 4'],
  [
    '{{militaryPercent}} {{storeCardPercent}} {{referralPercent}} {{referrerReward}} {{dailyDealPercent}}',
    '5% 5% 10% $10 20%',
  ],
  ['{{installDiscount}} with {{installDiscountTires}}', '$25 with 4'],
  ['{{installerPayMin}}-{{installerPayMax}} within {{installerPaidHours}}', '$15-$24 within 48'],
  ['{{rimMin}} to {{rimMax}}, {{aspectMin}}, {{takenInMinutes}}', '12 to 22, 35, 15'],
  ['{{bookableDays}} {{eveningFrom}} {{deliveryDays}} {{fetPounds}}', '30 4pm 2-4 3,500'],
  ['{{rotationMonths}} or {{rotationMiles}}, {{attachmentLimit}}', '6 or 6,000, 1MB'],
  [
    'ready in {{warehousePickupHours hour}}, pulled within {{tiresPulledMinutes minute}}',
    'ready in 24 hours, pulled within 15 minutes',
  ],
] as const)('%s reads as the specification says: %s', ([written, read]) => {
  expect(fillConstants(written, 'a test')).toBe(read)
})

test('copy follows the terms and the delivery times of warehouses', () => {
  const times = { current: standardDeliveryTimes }
  stateTermsFrom({ current: standardTerms }, times)
  const written = '{{transitDays business day}}, {{deliveryDays}}, {{alaskaDays business day}}'
  expect(fillConstants(written, 'a test')).toBe('2-4 business days, 2-4, 7 business days')
  const transit = { ...standardDeliveryTimes.transit, CONUS: { min: 1, max: 6 }, AK: { min: 7, max: 9 } }
  times.current = { handling: { min: 1, max: 2 }, transit, arrival: { min: 2, max: 8 } }
  expect(fillConstants(written, 'a test')).toBe('1-6 business days, 2-8, 7-9 business days')
  expect(deliveryTimeText()).toBe('2-8 business days')
  stateTermsFrom({ current: standardTerms }, { current: standardDeliveryTimes })
})

const texts = globSync('content/**/*.{md,yaml}').filter((file) => !file.startsWith('content/mail/'))
const wrongForOne = /\b1 (?:business )?(?:days|hours|minutes|months|miles|years|pounds|inches|tires)\b/

test.for(texts)('every number in %s has its noun in the singular when it is one', async (file) => {
  const source = await readFile(file, 'utf8')
  const more = Object.fromEntries(placeholdersOf(source).map((name) => [name, '1']))
  const filled = fillConstants(source, file, { more })
  expect(filled.split('\n').filter((line) => wrongForOne.test(line))).toEqual([])
})

test('every fixed page is written, plus at least four landing pages', async () => {
  for (const slug of Object.keys(fixedPages))
    expect((await findPage(slug, asReleased, 'own'))?.address).toBe(`/${slug}`)
  const landings = (await listReleasedPages('own')).filter(
    ({ path }) => !Object.values<string>(fixedPages).includes(path),
  )
  expect(landings.length).toBeGreaterThanOrEqual(4)
  expect(landings.every(({ isPolicy }) => !isPolicy)).toBe(true)
  expect(await findPage('terms-of-sale', asReleased, 'own')).toBeUndefined()
})

test('has at least twenty questions with unique anchors and substantial answers', async () => {
  const questions = (await listQuestions('own')).flatMap((section) => section.questions)
  expect(questions.length).toBeGreaterThanOrEqual(20)
  const ids = [...questions.map(({ id }) => id), ...(await listQuestions('own')).map(({ id }) => id)]
  expect(new Set(ids).size).toBe(ids.length)
  for (const { question, text } of questions) expect(text.length, question).toBeGreaterThan(40)
})

test('every claim in the specification is made, with its number, if all of it is available', () => {
  const claims = listClaims('own', { ...capabilities, payLater: true })
  expect(claims.map(({ title }) => title)).toEqual([
    'Free shipping',
    '30-day returns',
    'Price guarantee',
    'Replacement coverage',
    'Mobile installation',
    'Roadside assistance',
    'Daily deals',
    'Pay later',
    'Referral rewards',
    'Recommendations',
    'Help center',
  ])
  expect(claims.map(({ text }) => text).join(' ')).toContain('$10 for you, 10% off for a friend.')
})
