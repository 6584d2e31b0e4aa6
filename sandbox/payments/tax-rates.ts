import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'

/** A part of a rate as Stripe names its jurisdictions. */
export type RatePart = { level: 'state' | 'county' | 'city' | 'district'; name: string; percent: number }

type Row = Record<
  | 'state'
  | 'zip'
  | 'starts'
  | 'ends'
  | 'state_percent'
  | 'county'
  | 'county_percent'
  | 'city'
  | 'city_percent'
  | 'special_percent',
  string
>

let rows: Row[] | undefined

/** The sample of all states, and a few places with local rates. */
function readRows(): Row[] {
  return ['../../docs/feeds/sales-tax.csv', './sample-local-rates.csv'].flatMap((path): Row[] =>
    parse(readFileSync(new URL(path, import.meta.url), 'utf8'), { columns: true }),
  )
}

/** The parts of the rate of a place on a day, YYYY-MM-DD; null for a state that there is not. */
export function ratePartsOf({ state, zip }: { state: string; zip: string }, day: string): RatePart[] | null {
  rows ??= readRows()
  const there = rows.filter((row) => row.state === state && row.starts <= day && (row.ends === '' || row.ends >= day))
  const row = there.find((each) => each.zip === zip) ?? there.find((each) => each.zip === '')
  if (!row) return null
  const parts: RatePart[] = [
    { level: 'state', name: stateName(state), percent: Number(row.state_percent) },
    { level: 'county', name: row.county, percent: Number(row.county_percent) },
    { level: 'city', name: row.city, percent: Number(row.city_percent) },
    { level: 'district', name: 'Special districts', percent: Number(row.special_percent) },
  ]
  return parts.filter(({ percent }) => percent > 0)
}

function stateName(code: string): string {
  return stateNames[code] ?? code
}

const stateNames: Record<string, string> = Object.fromEntries(
  `AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming,PR Puerto Rico`
    .split(',')
    .map((entry) => [entry.slice(0, 2), entry.slice(3)]),
)
