import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatCents, formatRate, PPM } from './money.ts'
import {
  BOOKABLE_DAYS_AHEAD,
  BREAKPOINTS_PX,
  CANCEL_WITHIN_MINUTES,
  COMPARED_TIRES,
  CSRF_STATE_CHARACTERS,
  CURRENCY,
  DAILY_DEAL_MAX_PPM,
  DELIVERY_BUSINESS_DAYS,
  EVENING_DROP_OFF_FROM_HOUR,
  EXCISE_FREE_LOAD_LB,
  FREE_SHIPPING_AREA,
  GRID_COLUMNS,
  INSTALL_DISCOUNT_CENTS,
  INSTALL_DISCOUNT_FROM_TIRES,
  INSTALLER_PAID_WITHIN_HOURS,
  INSTALLER_PAY_PER_TIRE_CENTS,
  LOG_LEVELS,
  MILITARY_DISCOUNT_PPM,
  PAY_LATER_OFFER,
  REFERRAL_FRIEND_MAX_PPM,
  REFERRER_REWARD_CENTS,
  REFUND_WITHIN_HOURS,
  REPLACEMENT_COVERAGE,
  REQUEST_TIMINGS_MS,
  RETURN_HANDLING_FEE_CENTS,
  RETURN_WINDOW_DAYS,
  ROAD_HAZARD_PLAN,
  ROADSIDE_FROM_TIRES,
  ROADSIDE_MONTHS,
  ROTATION_ADVICE,
  SCORE_BANDS,
  SCORE_MAX_TENTHS,
  SIGN_IN_SECONDS,
  STORE_CARD_FIRST_PURCHASE_PPM,
  SUPPORT_HOURS,
  TIRES_PULLED_WITHIN_MINUTES,
  TOP_PICKS,
  UPLOAD_MAX_BYTES,
  WAREHOUSE_PICKUP_READY_HOURS,
} from './business-constants.ts'

const dollars = (cents: number) => formatCents(cents).replace(/\.00$/, '')
const grouped = (count: number) => count.toLocaleString('en-US')
const hour = (of: number) => (of > 12 ? `${of - 12}pm` : `${of}am`)
const [week, saturday] = SUPPORT_HOURS
const [year1, year2, year3] = REPLACEMENT_COVERAGE.capCentsByYear
const bands = SCORE_BANDS.toReversed().map(
  ([name, from], index, all) => `${name} ${from / 10}-${(all[index + 1]?.[1] ?? SCORE_MAX_TENTHS) / 10}`,
)

/** Section 9 of the specification row by row, with its text built from the constants. */
test.for([
  [
    'Breakpoints S/M/L/XL',
    '0, 600, 976, 1200 px; grid columns 4/6/12/12',
    `${Object.values(BREAKPOINTS_PX).join(', ')} px; grid columns ${Object.values(GRID_COLUMNS).join('/')}`,
  ],
  ['Compare', '2 to 5 tires', `${COMPARED_TIRES.min} to ${COMPARED_TIRES.max} tires`],
  ['Top picks', '5', `${TOP_PICKS}`],
  ['Order cancellation', 'within 30 minutes of placing', `within ${CANCEL_WITHIN_MINUTES} minutes of placing`],
  [
    'Returns',
    'within 30 days of delivery, unmounted; $20 per tire handling fee on certain returns (waived when reordering the correct size); refund within 48 hours of receipt',
    `within ${RETURN_WINDOW_DAYS} days of delivery, unmounted; ${dollars(RETURN_HANDLING_FEE_CENTS)} per tire handling fee on certain returns (waived when reordering the correct size); refund within ${REFUND_WITHIN_HOURS} hours of receipt`,
  ],
  [
    'Scheduling',
    'up to 30 days ahead; evening drop-off after 4pm',
    `up to ${BOOKABLE_DAYS_AHEAD} days ahead; evening drop-off after ${hour(EVENING_DROP_OFF_FROM_HOUR)}`,
  ],
  [
    'Replacement coverage',
    '36 months; up to $400 per tire year one, $200 year two, $100 year three; repair reimbursement up to $25 per tire',
    `${REPLACEMENT_COVERAGE.months} months; up to ${dollars(year1)} per tire year one, ${dollars(year2)} year two, ${dollars(year3)} year three; repair reimbursement up to ${dollars(REPLACEMENT_COVERAGE.repairCents)} per tire`,
  ],
  [
    'Road hazard (installer variant)',
    '24 months; 100% year one; customer pays 50% of tire price year two; labor not covered',
    `${ROAD_HAZARD_PLAN.months} months; ${formatRate(PPM - ROAD_HAZARD_PLAN.customerPaysPpmByYear[0])} year one; customer pays ${formatRate(ROAD_HAZARD_PLAN.customerPaysPpmByYear[1])} of tire price year two; labor not covered`,
  ],
  [
    'Roadside assistance',
    '12 months; 4+ tires plus installation',
    `${ROADSIDE_MONTHS} months; ${ROADSIDE_FROM_TIRES}+ tires plus installation`,
  ],
  ['Military discount', '5%', formatRate(MILITARY_DISCOUNT_PPM)],
  [
    'Install discount',
    '$25 off with 4+ tires',
    `${dollars(INSTALL_DISCOUNT_CENTS)} off with ${INSTALL_DISCOUNT_FROM_TIRES}+ tires`,
  ],
  [
    'Installer pay',
    '$15-$24 per tire, paid within 48 hours',
    `${dollars(INSTALLER_PAY_PER_TIRE_CENTS.min)}-${dollars(INSTALLER_PAY_PER_TIRE_CENTS.max)} per tire, paid within ${INSTALLER_PAID_WITHIN_HOURS} hours`,
  ],
  [
    'Support hours',
    'Mon-Fri 8am-7pm ET; Sat 9am-5pm ET',
    `Mon-Fri ${hour(week.opensHour)}-${hour(week.closesHour)} ET; Sat ${hour(saturday.opensHour)}-${hour(saturday.closesHour)} ET`,
  ],
  ['Sign-in cookie max age', '2592000 s (30 days)', `${SIGN_IN_SECONDS} s (${SIGN_IN_SECONDS / 86_400} days)`],
  ['CSRF state', '32 random characters', `${CSRF_STATE_CHARACTERS} random characters`],
  ['Image upload max', '1MB', `${UPLOAD_MAX_BYTES / 1024 / 1024}MB`],
  ['Tire score bands', 'Good 7-8, Great 8-9, Excellent 9-10', bands.join(', ')],
  [
    'Federal excise tax',
    'applies to tires over 3,500 lb load capacity',
    `applies to tires over ${grouped(EXCISE_FREE_LOAD_LB)} lb load capacity`,
  ],
  ['Daily deals', 'up to 20% off', `up to ${formatRate(DAILY_DEAL_MAX_PPM)} off`],
  [
    'Pay-later promo',
    'percent off entire order, variable',
    `percent off ${PAY_LATER_OFFER.off}, ${PAY_LATER_OFFER.ratePpm}`,
  ],
  ['Store card', 'save 5% on first purchase', `save ${formatRate(STORE_CARD_FIRST_PURCHASE_PPM)} on first purchase`],
  [
    'Referral',
    'friend up to 30% off; referrer $10',
    `friend up to ${formatRate(REFERRAL_FRIEND_MAX_PPM)} off; referrer ${dollars(REFERRER_REWARD_CENTS)}`,
  ],
  [
    'Rotation advice',
    'every 6 months or 6,000 miles',
    `every ${ROTATION_ADVICE.months} months or ${grouped(ROTATION_ADVICE.miles)} miles`,
  ],
  [
    'Delivery and pickup',
    '2-4 business days; tires pulled typically within 15 minutes; warehouse pickup ready in 24 hours',
    `${DELIVERY_BUSINESS_DAYS.min}-${DELIVERY_BUSINESS_DAYS.max} business days; tires pulled typically within ${TIRES_PULLED_WITHIN_MINUTES} minutes; warehouse pickup ready in ${WAREHOUSE_PICKUP_READY_HOURS} hours`,
  ],
  [
    'Free shipping',
    'contiguous US only; oversize and handling fees nominal',
    `${FREE_SHIPPING_AREA} only; oversize and handling fees nominal`,
  ],
  [
    'Currency',
    'USD; amounts held in cents, shown divided by 100',
    `${CURRENCY.code}; amounts held in cents, shown divided by ${CURRENCY.minorUnits}`,
  ],
  ['Request timings list', '50 ms to 15000 ms', `${REQUEST_TIMINGS_MS[0]} ms to ${REQUEST_TIMINGS_MS.at(-1)} ms`],
  [
    'Log levels',
    'error 200, warn 300, info 400',
    Object.entries(LOG_LEVELS).flat().join(' ').replaceAll(/(\d) /g, '$1, '),
  ],
] as const)('%s: %s', ([, specified, made]) => {
  expect(made).toBe(specified)
})

/** Phrases that would state one of these numbers by hand to a shopper, a shop or an API client. */
const handwritten =
  /\b(?:30|thirty)[- ](?:minutes?|days?)\b|\b(?:36|24|12)[- ]months?\b|\b48 hours\b|\b24 hours\b|\$(?:25|20|10|400|200|100|15|24)\b(?!\d|[,.]\d)|\b(?:5|20|30) ?%|\b1 ?MB\b|\b3,500 lb|\b2[-–]4 business|\b6,000 miles\b|\b(?:6|six) months\b|\b(?:8|9)am\b|\b(?:4|5|7)pm\b|\bwithin 15 minutes\b|\b(?:4|four) or more tires\b|\b(?:2|two) to (?:5|five) tires\b|\bfive tires\b|\b2_?592_?000\b|'usd'|'USD'/i

/** Other durations and counts that happen to have the same value. */
const others: readonly { file: string; words: string }[] = [
  // The lifetime of a response stored by key, which isn't a promise to shoppers.
  { file: 'api/document.ts', words: 'repeats it within 24 hours' },
  // How many there are, in words.
  { file: 'app/routes/storefront/recommendations.server.ts', words: 'No tire' },
  // Sample values of emails, which no customer gets.
  { file: 'domain/messaging/messages/preview.server.ts', words: 'because: ' },
  { file: 'domain/messaging/messages/preview.server.ts', words: 'delivery: ' },
  { file: 'domain/messaging/messages/preview.server.ts', words: 'percent: ' },
  // Ages of stock in a report.
  { file: 'domain/operations/reports/operation-entries.sql.server.ts', words: 'under-6-months' },
  { file: 'domain/operations/reports/operation-reports.ts', words: "'under-" },
  // A choice of periods of the office's first page.
  { file: 'app/routes/office/home.tsx', words: '30 days' },
  // The lifetime of a successful order lookup.
  { file: 'api/order-view.ts', words: 'Gives access to the order’s status for 30 minutes' },
]

function* linesOfCode(): Generator<{ file: string; line: string }> {
  const files = globSync('{app,api,domain,pictures,adapters,platform}/**/*.{ts,tsx}', {
    exclude: (path) => /\+types|api\/client|\.(?:db\.)?test\.|\.testing\./.test(path),
  })
  for (const file of files) {
    if (file.endsWith('platform/business-constants.ts')) continue
    for (const line of readFileSync(file, 'utf8').split('\n'))
      if (!/^\s*(?:\*|\/\/|\/\*)/.test(line)) yield { file, line }
  }
}

test('no code hard-codes one of the numbers', () => {
  const said = [...linesOfCode()].filter(({ line }) => handwritten.test(line))
  expect(
    said.filter(({ file, line }) => !others.some((other) => file === other.file && line.includes(other.words))),
  ).toEqual([])
  // Unused exceptions must be removed.
  expect(
    others.filter((other) => !said.some(({ file, line }) => file === other.file && line.includes(other.words))),
  ).toEqual([])
})

test.for([
  "'Up to 1MB.'",
  '`within 30 minutes`',
  'Returns within 30 days',
  "'$25 off'",
  'over 3,500 lb',
  "'4 or more tires'",
  'Pick two to five tires',
  "currency: 'USD'",
  'every six months',
  'after 4pm',
])('a hard-coded number is found: %s', (line) => {
  expect(handwritten.test(line)).toBe(true)
})

/**
 * Widths at which a part of a page changes its layout, such as two cards next to each other, a dock, the narrowest
 * phones, and the office's tables and sidebar.
 */
const betweenBreakpoints = [360, 480, 700, 768, 1560]

test('layouts change at the breakpoints, and parts of pages at few other widths', () => {
  const widths = [...Object.values(BREAKPOINTS_PX), ...betweenBreakpoints]
  const allowed = new Set(widths.flatMap((px) => [`min-width: ${px}px`, `max-width: ${px - 1}px`]))
  const asked = globSync('app/ui/styles/*.css').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/@media[^{]*\{/g)].flatMap(([query]) =>
      [...query.matchAll(/(?:min|max)-width: [\d.]+\w+/g)].map(([width]) => ({ file, width })),
    ),
  )
  expect(asked.length).toBeGreaterThan(20)
  expect(asked.filter(({ width }) => !allowed.has(width))).toEqual([])
})
