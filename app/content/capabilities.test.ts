/** Tests that the store's capabilities match its code, and that no copy advertises a disabled capability. */
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { messageKinds } from '#domain/messaging/messages/messages.ts'
import { capabilities, type Capability } from './capabilities.ts'
import { listClaims } from './claims.server.ts'
import { fillConstants } from './constants.server.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const code = (...patterns: string[]) =>
  globSync(patterns, { exclude: (path) => /\.test\.tsx?$/.test(path) })
    .map(read)
    .join('\n')

/** What the code must contain for a switch to be on. */
const evidence: Record<Capability, () => boolean> = {
  moveAppointment: () => /\bmoveBooking\b/.test(code('app/routes/**/*.{ts,tsx}')),
  appointmentReminders: () => messageKinds.some((kind) => /appointment/.test(kind)),
  returnOnline: () => /route\('[^']*return[^']*', 'routes\/(orders|account)/.test(read('app/routes.ts')),
  militaryDiscount: () => /militaryVerify/.test(code('app/routes/checkout/savings.server.ts')),
  coupons: () => /name="coupon"/.test(code('app/routes/checkout/*.tsx')),
  payLater: () => /type: '(klarna|loan|lease)/.test(read('domain/payments/payment-methods/payment-methods.ts')),
  storeCard: () => /type: 'store-card'/.test(read('domain/payments/payment-methods/financed-methods.ts')),
  wallets: () => /type: 'apple-pay'/.test(read('domain/payments/payment-methods/payment-methods.ts')),
  netTerms: () => /type: 'net-terms'/.test(read('app/routes/checkout/ways-to-pay.server.ts')),
  affiliates: () => /\battributeOrder\b/.test(code('domain/ordering/checkout/*.ts')),
  repairMarks: () => /certif/i.test(code('domain/scheduling/installers/*.ts')),
}

test.for(Object.keys(capabilities) as Capability[])('%s is on exactly when the code has it', (name) => {
  expect(capabilities[name]).toBe(evidence[name]())
})

/** Words that promise something. */
const promises: readonly (readonly [Capability, RegExp])[] = [
  ['moveAppointment', /\b(you can|can I|use the link)\b[^.?]*\b(move|reschedule)\b|\bmove it until\b|\breschedule\b/i],
  ['appointmentReminders', /\bwe remind you\b|\ba reminder\b[^.]*appointment/i],
  ['returnOnline', /\breturn (it|them|tires|a tire)\b[^.]*\b(online|in your account|with one click)\b/i],
  ['militaryDiscount', /military (discount|and referral)|\bmilitary or a referral\b|for those who serve/i],
  ['coupons', /\bcoupons?\b/i],
  ['payLater', /\bpay later\b|\binstallments?\b|\blease to own\b|\bfinancing\b/i],
  ['storeCard', /\bstore card\b/i],
  ['wallets', /\bapple pay\b|\bgoogle pay\b|\bwallets\b/i],
  ['affiliates', /\baffiliate program\b/i],
  ['repairMarks', /\bcertified repair\b/i],
]
/** A passage that denies availability or is about other stores. Questions are ignored. */
const denies =
  /\bnot (open )?yet\b|\bnot open\b|\bopen(s|ing)? next\b|\bwill\b|\bonce\b[^.]*\bopens?\b|\bnot by yourself\b|\bcan.t reschedule on this site yet\b|\bwe do not match\b|\bpersonal coupon\b|question: '.*\?'/i

type Passage = { where: string; text: string }

/** Returns the paragraphs, list items, and titles in content/ as displayed. */
function written(): Passage[] {
  return globSync('content/**/*.{md,yaml}').flatMap((file) => {
    const source = fillConditions(read(file), file)
    const isPlanned = /^requires: /m.test(source.split('\n---\n')[0] ?? '') && !isOpen(source)
    const parts = source.split(/\n\s*\n|\n(?=\s*- |\d\. |#|title:|description:)/)
    let heading = ''
    return parts.map((text) => {
      if (text.startsWith('#')) heading = text
      return {
        where: `${file}: ${text.slice(0, 60)}`,
        text: `${isPlanned ? 'Not open yet. ' : ''}${/opening next/i.test(heading) ? 'Opening next. ' : ''}${text}`,
      }
    })
  })
}

const fillConditions = (source: string, file: string) => fillConstants(source, file, { more: anyName })
/** Any number will do here. */
const anyName = new Proxy<Record<string, string>>({}, { get: (_, name) => `{${String(name)}}` })

function isOpen(source: string): boolean {
  const requires = /^requires: (\w+)$/m.exec(source)?.[1]
  return requires !== undefined && capabilities[requires as Capability]
}

/** Returns the strings and text between tags in page code. */
function coded(): Passage[] {
  return globSync('{app/{routes,ui,server,forms,views},content,http}/**/*.{ts,tsx}', {
    exclude: (path) => /\.test\.tsx?$/.test(path),
  }).flatMap((file) =>
    read(file)
      .replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      // A condition is on the line before the two strings it chooses between.
      .replaceAll(/\n\s*(?=[?:] )/g, ' ')
      .split('\n')
      .filter((line) => /[a-z] [a-z]/.test(line) && !line.startsWith('import '))
      .map((text) => ({ where: `${file}: ${text.trim().slice(0, 80)}`, text })),
  )
}

test.for(promises)('%s off: no copy promises %s', ([name, words]) => {
  if (capabilities[name]) return
  const faulty = [...written(), ...coded()].filter(
    ({ text }) => words.test(text) && !denies.test(text) && !isLinkOnly(text) && !isChosen(text),
  )
  expect(faulty.map(({ where }) => where)).toEqual([])
})

/** Returns whether the text is only a page's title or link. The page itself shows whether the program is available. */
function isLinkOnly(text: string): boolean {
  return /^\s*- \{ label: |^\s*(title: )?['"]?(Financing( and ways to pay)?|Military discount|Affiliate program|Certified repair shops)['"]?,?$|paths\.written\('/.test(
    text,
  )
}

/** Shown only when the switch is on. */
function isChosen(text: string): boolean {
  return /capabilities\.\w+/.test(text)
}

test('a page makes a promise if and only if its switch is on', () => {
  const source = 'A. {{#if netTerms}}On an invoice.{{else}}By card.{{/if}} {{#if moveAppointment}}You move it.{{/if}}'
  expect(fillConstants(source, 'a test').trim()).toBe('A. On an invoice.')
  expect(() => fillConstants('{{#if flying}}x{{/if}}', 'a test')).toThrow('flying')
})

test("the home page's claims are those the store keeps today", () => {
  const titles = listClaims('own').map(({ title }) => title)
  expect(titles.includes('Pay later')).toBe(capabilities.payLater)
})

test('a promise of something switched off is detected', () => {
  for (const [name, text] of [
    ['moveAppointment', 'Use the link in our email. You can move it until an hour before.'],
    ['militaryDiscount', 'In the cart, choose "Military discount".'],
    ['payLater', 'Pay later with any card.'],
  ] as const)
    expect(
      promises.some(([of, words]) => of === name && words.test(text) && !denies.test(text)),
      name,
    ).toBe(true)
})
