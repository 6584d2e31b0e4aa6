/** Every counted noun, for zero, one, and two. New nouns are added here so that their plural is reviewed. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { parseSync, Visitor } from 'vite'
import { countOf, countOrNone, pluralForm } from '#platform/count-text.ts'
import { project } from './package-program.ts'
import { listProjectFiles } from './project-files.ts'

const functions = { countOf, countOrNone, pluralForm }

const forms: [zero: string, one: string, two: string][] = [
  ['0 free tires', '1 free tire', '2 free tires'],
  ['0 offers', '1 offer', '2 offers'],
  ['No technicians', '1 technician', '2 technicians'],
  ['0 packages', '1 package', '2 packages'],
  ['0 more packages', '1 more package', '2 more packages'],
  ['0 shop jobs', '1 shop job', '2 shop jobs'],
  ['0 accounts', '1 account', '2 accounts'],
  ['0 redirects', '1 redirect', '2 redirects'],
  ['0 differences', '1 difference', '2 differences'],
  ['No checks', '1 check', '2 checks'],
  ['0 failed checks', '1 failed check', '2 failed checks'],
  ['0 new differences', '1 new difference', '2 new differences'],
  ['0 older differences', '1 older difference', '2 older differences'],
  ['0 scripts', '1 script', '2 scripts'],
  ['0 kB', '1 kB', '2 kB'],
  ['0 customers', '1 customer', '2 customers'],
  ['0 entries', '1 entry', '2 entries'],
  ['0 more errors', '1 more error', '2 more errors'],
  ['0 no-shows', '1 no-show', '2 no-shows'],
  ['0 open orders', '1 open order', '2 open orders'],
  ['0 lists', '1 list', '2 lists'],
  ['0 old tires', '1 old tire', '2 old tires'],
  ['0 open tasks', '1 open task', '2 open tasks'],
  ['0 TPMS service kits', '1 TPMS service kit', '2 TPMS service kits'],
  ['0 open purchase orders', '1 open purchase order', '2 open purchase orders'],
  ['0 payout lines', '1 payout line', '2 payout lines'],
  ['0 API clients have', '1 API client has', '2 API clients have'],
  ['0 parameters', '1 parameter', '2 parameters'],
  ['0 people have', '1 person has', '2 people have'],
  ['0 appointments', '1 appointment', '2 appointments'],
  ['0 drop-off places', '1 drop-off place', '2 drop-off places'],
  ['0 ratings', '1 rating', '2 ratings'],
  ['0 queues', '1 queue', '2 queues'],
  ['0 requests', '1 request', '2 requests'],
  ['0 results', '1 result', '2 results'],
  ['0 text messages', '1 text message', '2 text messages'],
  ['0 addresses', '1 address', '2 addresses'],
  ['0 appointments do', '1 appointment does', '2 appointments do'],
  ['0 attempts', '1 attempt', '2 attempts'],
  ['0 attempts are', '1 attempt is', '2 attempts are'],
  ['0 bad rows', '1 bad row', '2 bad rows'],
  ['0 bays', '1 bay', '2 bays'],
  ['0 brands', '1 brand', '2 brands'],
  ['0 business days', '1 business day', '2 business days'],
  ['0 calls', '1 call', '2 calls'],
  ['0 cars', '1 car', '2 cars'],
  ['0 cards', '1 card', '2 cards'],
  ['0 cells', '1 cell', '2 cells'],
  ['0 characters', '1 character', '2 characters'],
  ['0 cities and towns', '1 city', '2 cities and towns'],
  ['0 columns', '1 column', '2 columns'],
  ['0 days', '1 day', '2 days'],
  ['0 days late', '1 day late', '2 days late'],
  ['0 days left', '1 day left', '2 days left'],
  ['0 deals', '1 deal', '2 deals'],
  ['0 deals run', '1 deal runs', '2 deals run'],
  ['0 decimals', '1 decimal', '2 decimals'],
  ['0 different tires', '1 different tire', '2 different tires'],
  ['0 do not fit and come last', '1 does not fit and comes last', '2 do not fit and come last'],
  ['0 documents', '1 document', '2 documents'],
  ['0 emails', '1 email', '2 emails'],
  ['0 events', '1 event', '2 events'],
  ['0 FedEx locations', '1 FedEx location', '2 FedEx locations'],
  ['0 fields', '1 field', '2 fields'],
  ['0 files', '1 file', '2 files'],
  ['No free times', '1 free time', '2 free times'],
  ['0 free times', '1 free time', '2 free times'],
  ['0 hours', '1 hour', '2 hours'],
  ['0 imagined reviews', '1 imagined review', '2 imagined reviews'],
  ['0 inches', '1 inch', '2 inches'],
  ['0 invariants', '1 invariant', '2 invariants'],
  ['0 visits', '1 visit', '2 visits'],
  ['0 imports', '1 import', '2 imports'],
  ['0 are open', '1 is open', '2 are open'],
  ['0 received tires', '1 received tire', '2 received tires'],
  ['0 jobs', '1 job', '2 jobs'],
  ['0 lines', '1 line', '2 lines'],
  ['0 matches', '1 match', '2 matches'],
  ['No matches', '1 match', '2 matches'],
  ['0 messages', '1 message', '2 messages'],
  ['0 miles', '1 mile', '2 miles'],
  ['0 minutes', '1 minute', '2 minutes'],
  ['0 mobile installers come', '1 mobile installer comes', '2 mobile installers come'],
  ['0 categories', '1 category', '2 categories'],
  ['0 more categories', '1 more category', '2 more categories'],
  ['0 tire types', '1 tire type', '2 tire types'],
  ['0 changes', '1 change', '2 changes'],
  ['0 unsaved changes', '1 unsaved change', '2 unsaved changes'],
  ['0 models', '1 model', '2 models'],
  ['0 months', '1 month', '2 months'],
  ['0 more days', '1 more day', '2 more days'],
  ['0 more sizes', '1 more size', '2 more sizes'],
  ['0 more towns', '1 more town', '2 more towns'],
  ['0 more versions', '1 more version', '2 more versions'],
  ['0 orders', '1 order', '2 orders'],
  ['No orders', '1 order', '2 orders'],
  ['0 other browsers', '1 other browser', '2 other browsers'],
  ['0 owners', '1 owner', '2 owners'],
  ['0 pages', '1 page', '2 pages'],
  ['0 parcels', '1 parcel', '2 parcels'],
  ['0 parts', '1 part', '2 parts'],
  ['0 payments', '1 payment', '2 payments'],
  ['0 people', '1 person', '2 people'],
  ['0 photos', '1 photo', '2 photos'],
  ['0 pictures', '1 picture', '2 pictures'],
  ['0 pieces', '1 piece', '2 pieces'],
  ['0 pounds', '1 pound', '2 pounds'],
  ['0 prices', '1 price', '2 prices'],
  ['0 records', '1 record', '2 records'],
  ['0 reviews', '1 review', '2 reviews'],
  ['No reviews', '1 review', '2 reviews'],
  ['0 rotations', '1 rotation', '2 rotations'],
  ['0 rows', '1 row', '2 rows'],
  ['0 rows replace', '1 row replaces', '2 rows replace'],
  ['0 rows were', '1 row was', '2 rows were'],
  ['0 rules', '1 rule', '2 rules'],
  ['0 seconds', '1 second', '2 seconds'],
  ['0 secrets', '1 secret', '2 secrets'],
  ['0 shops', '1 shop', '2 shops'],
  ['0 shops install', '1 shop installs', '2 shops install'],
  ['0 sites', '1 site', '2 sites'],
  ['0 sizes', '1 size', '2 sizes'],
  ['0 stars', '1 star', '2 stars'],
  ['0 states', '1 state', '2 states'],
  ['0 states are', '1 state is', '2 states are'],
  ['0 stocked tires', '1 stocked tire', '2 stocked tires'],
  ['No suggestions', '1 suggestion', '2 suggestions'],
  ['0 things', '1 thing', '2 things'],
  ['0 things are', '1 thing is', '2 things are'],
  ['0 times', '1 time', '2 times'],
  ['0 tires', '1 tire', '2 tires'],
  ['No tires', '1 tire', '2 tires'],
  ['0 tires go back', '1 tire goes back', '2 tires go back'],
  ['0 tire sizes', '1 tire size', '2 tire sizes'],
  ['0 tire words', '1 tire word', '2 tire words'],
  ['0 trims', '1 trim', '2 trims'],
  ['0 tries', '1 try', '2 tries'],
  ['0 units', '1 unit', '2 units'],
  ['0 values', '1 value', '2 values'],
  ['0 vehicles', '1 vehicle', '2 vehicles'],
  ['0 views', '1 view', '2 views'],
  ['0 webhooks', '1 webhook', '2 webhooks'],
  ['0 weeks', '1 week', '2 weeks'],
  ['0 wheels', '1 wheel', '2 wheels'],
  ['0 words', '1 word', '2 words'],
  ['0 years', '1 year', '2 years'],
  ['0 ZIPs', '1 ZIP', '2 ZIPs'],
  ['0 ZIP codes', '1 ZIP code', '2 ZIP codes'],
  ['0 DOT codes', '1 DOT code', '2 DOT codes'],
  ['0 ZIPs have', '1 ZIP has', '2 ZIPs have'],
  ['Add them', 'Add it', 'Add them'],
  ['Drop them', 'Drop it', 'Drop them'],
  ['are', 'is', 'are'],
  ['them', 'it', 'them'],
  ['jobs', 'job', 'jobs'],
  ['No tire that fits all of them', 'No tire that fits it', 'No tire that fits all of them'],
  ['these tires', 'one of these tires', 'these tires'],
  ['Top picks', 'Our pick', 'Top picks'],
  ['Rules', 'Rule', 'Rules'],
  ['shops', 'shop', 'shops'],
  ['stars', 'star', 'stars'],
  ['stops', 'stop', 'stops'],
  ['These filters mean', 'This filter means', 'These filters mean'],
  [
    'There may be more than one size. Which do you see on your tire?',
    'This is what we read. Is it what you see?',
    'There may be more than one size. Which do you see on your tire?',
  ],
  ['tires', 'tire', 'tires'],
]

const used = new Map<string, string>()

beforeAll(async () => {
  for (const file of await listProjectFiles(project)) {
    if (!/\.tsx?$/.test(file) || /\.test\.tsx?$/.test(file)) continue
    const source = await readFile(join(project, file), 'utf8')
    if (!source.includes('count-text.ts')) continue
    new Visitor({
      CallExpression({ callee, arguments: [, ...given] }) {
        const count = callee.type === 'Identifier' ? functions[callee.name as keyof typeof functions] : undefined
        const words = given.map((each) =>
          each.type === 'Literal' && typeof each.value === 'string' ? each.value : null,
        )
        const [one, many] = words
        // Forms that are made of other texts are in the tests of those.
        if (!count || !one || many === null) return
        used.set([0, 1, 2].map((number) => count(number, one, many ?? `${one}s`)).join(' | '), file)
      },
    }).visit(parseSync(file, source).program)
  }
}, 60_000)

test.for(forms)('%s, %s, %s', (form) => {
  expect([...used.keys()]).toContain(form.join(' | '))
})

test('every counted noun is in the list', () => {
  const listed = new Set(forms.map((form) => form.join(' | ')))
  expect([...used].filter(([form]) => !listed.has(form))).toEqual([])
})
