import type { TireFeeBand } from './tax-rule.ts'

/**
 * State sales tax (with local taxes that are uniform in the state) and the state's fee on new tires, by effective date.
 * Rows of one state are in date order. Excludes county, city and district taxes.
 */
export type StateRate = {
  readonly code: string
  readonly name: string
  /** The first day of this table if the effective date is not known. */
  readonly validFrom: string
  readonly ratePpm: number
  readonly tireFee: readonly TireFeeBand[]
  /** If it covers only the rate or only the fee, the other has no source. */
  readonly source: string
}

const TABLE_BEGINS = '2025-01-01'
const NO_FEE: readonly TireFeeBand[] = []

/** Tax agencies that aren't called the state's Department of Revenue. */
const AGENCIES: Readonly<Record<string, string>> = {
  AR: 'Arkansas Department of Finance and Administration',
  CA: 'California Department of Tax and Fee Administration',
  CT: 'Connecticut Department of Revenue Services',
  DE: 'Delaware Division of Revenue',
  DC: 'District of Columbia Office of Tax and Revenue',
  HI: 'Hawaii Department of Taxation',
  ID: 'Idaho State Tax Commission',
  ME: 'Maine Revenue Services',
  MD: 'Comptroller of Maryland',
  MI: 'Michigan Department of Treasury',
  NV: 'Nevada Department of Taxation',
  NH: 'New Hampshire Department of Revenue Administration',
  NJ: 'New Jersey Division of Taxation',
  NM: 'New Mexico Taxation and Revenue Department',
  NY: 'New York Department of Taxation and Finance',
  ND: 'North Dakota Office of State Tax Commissioner',
  OH: 'Ohio Department of Taxation',
  OK: 'Oklahoma Tax Commission',
  RI: 'Rhode Island Division of Taxation',
  TX: 'Texas Comptroller of Public Accounts',
  UT: 'Utah State Tax Commission',
  VT: 'Vermont Department of Taxes',
  VA: 'Virginia Department of Taxation',
  WV: 'West Virginia Tax Division',
  AS: 'American Samoa Treasury Department',
  GU: 'Guam Department of Revenue and Taxation',
  VI: 'Virgin Islands Bureau of Internal Revenue',
  PR: 'Puerto Rico Department of the Treasury',
  MP: 'Northern Mariana Islands Division of Revenue and Taxation',
}

export const STATE_RATES: readonly StateRate[] = [
  state('AL', 'Alabama', 40_000, perTire(100)),
  state(
    'AK',
    'Alaska',
    0,
    perTire(250),
    'Tire fee: Alaska Stat. 43.98.025, which adds $5.00 for heavy metal studs (not sold here)',
  ),
  state(
    'AZ',
    'Arizona',
    56_000,
    percent(20_000, 200),
    'Tire fee: Arizona Department of Revenue, Waste Tire, before April 2025',
  ),
  state(
    'AZ',
    'Arizona',
    56_000,
    percent(20_000, 466),
    'Tire fee: Arizona Department of Revenue, Waste Tire, from April 2025',
    '2025-04-01',
  ),
  state(
    'AR',
    'Arkansas',
    65_000,
    perTire(300),
    'Tire fee: Ark. Code 8-9-404, rim removal fee on a new replacement tire',
  ),
  state('CA', 'California', 72_500, perTire(175)),
  state(
    'CO',
    'Colorado',
    29_000,
    perTire(55),
    'Tire fee: Colo. Rev. Stat. 30-20-1403 through 2025; the amount set for 2026 was not found',
  ),
  state('CT', 'Connecticut', 63_500, NO_FEE),
  state('DE', 'Delaware', 0, perTire(200)),
  state(
    'DC',
    'District of Columbia',
    60_000,
    NO_FEE,
    'Rate: Fiscal Year 2026 Budget Support Act keeps 6 percent through September 2026',
  ),
  state(
    'DC',
    'District of Columbia',
    70_000,
    NO_FEE,
    'Rate: scheduled by the Fiscal Year 2025 and 2026 Budget Support Acts; check',
    '2026-10-01',
  ),
  state('FL', 'Florida', 60_000, perTire(100), 'Tire fee: Fla. Stat. 403.718'),
  state('GA', 'Georgia', 40_000, perTire(100)),
  state(
    'HI',
    'Hawaii',
    40_000,
    perTire(100),
    'General excise tax. Tire fee: Haw. Rev. Stat. 342I-27, a surcharge on the importer; check',
  ),
  state('ID', 'Idaho', 60_000, NO_FEE),
  state('IL', 'Illinois', 62_500, perTire(250), 'Tire fee: Illinois Department of Revenue, Tire User Fee'),
  state('IN', 'Indiana', 70_000, perTire(25)),
  state('IA', 'Iowa', 60_000, NO_FEE),
  state('KS', 'Kansas', 65_000, perTire(25)),
  state(
    'KY',
    'Kentucky',
    60_000,
    perTire(200),
    'Tire fee: Kentucky Department of Revenue, through June 2026; check whether it was renewed',
  ),
  state('LA', 'Louisiana', 50_000, perTire(225), 'Tire fee: La. Admin. Code 33:VII.10519'),
  state('ME', 'Maine', 55_000, perTire(100)),
  state('MD', 'Maryland', 60_000, perTire(80)),
  state('MA', 'Massachusetts', 62_500, NO_FEE),
  state('MI', 'Michigan', 60_000, NO_FEE),
  state('MN', 'Minnesota', 68_750, NO_FEE),
  state('MS', 'Mississippi', 70_000, [{ belowRimInches: 24, cents: 100 }, ...perTire(200)]),
  state('MO', 'Missouri', 42_250, perTire(50), 'Tire fee: 12 CSR 10-44.010'),
  state('MT', 'Montana', 0, NO_FEE),
  state(
    'NE',
    'Nebraska',
    55_000,
    perTire(100),
    'Tire fee: Nebraska Department of Revenue, Information Guide, October 2020',
  ),
  state('NV', 'Nevada', 68_500, perTire(100)),
  state('NH', 'New Hampshire', 0, NO_FEE),
  state('NJ', 'New Jersey', 66_250, perTire(150), 'Tire fee: N.J. Stat. 54:32F-1'),
  state('NM', 'New Mexico', 48_750, NO_FEE),
  state(
    'NY',
    'New York',
    40_000,
    perTire(250),
    'Tire fee: New York Department of Taxation and Finance, Waste tire management fee',
  ),
  state(
    'NC',
    'North Carolina',
    47_500,
    [{ belowRimInches: 20, ratePpm: 20_000, capCents: null }, ...percent(10_000, null)],
    'Tire fee: North Carolina Department of Revenue, Scrap Tire Disposal Tax',
  ),
  state('ND', 'North Dakota', 50_000, NO_FEE),
  state('OH', 'Ohio', 57_500, perTire(100)),
  state('OK', 'Oklahoma', 45_000, perTire(290), 'Tire fee: 27A Okla. Stat. 2-11-401.2, automobile tires'),
  state('OR', 'Oregon', 0, NO_FEE),
  state('PA', 'Pennsylvania', 60_000, perTire(100), 'Tire fee: 61 Pa. Code 47.19'),
  state('RI', 'Rhode Island', 70_000, perTire(100), 'Tire fee: R.I. Gen. Laws 44-44-3.7'),
  state('SC', 'South Carolina', 60_000, perTire(200)),
  state('SD', 'South Dakota', 42_000, NO_FEE),
  state('SD', 'South Dakota', 45_000, NO_FEE, undefined, '2027-07-01'),
  state('TN', 'Tennessee', 70_000, perTire(135), 'Tire fee: Tenn. Code 67-4-1603'),
  state('TX', 'Texas', 62_500, NO_FEE),
  state(
    'UT',
    'Utah',
    61_000,
    [{ belowRimInches: 25, cents: 100 }],
    'Tire fee: Utah Code 19-6-805, rims up to 24.5 inches',
  ),
  state('VT', 'Vermont', 60_000, NO_FEE),
  state('VA', 'Virginia', 53_000, perTire(100), 'Tire fee: Virginia Tax Bulletin 11-8, rate renewed since; check'),
  state('WA', 'Washington', 65_000, perTire(100), 'Tire fee: Washington Department of Revenue, before 2026'),
  state(
    'WA',
    'Washington',
    65_000,
    perTire(500),
    'Tire fee: raised to $5.00, Washington Retail Association notice',
    '2026-01-01',
  ),
  state('WV', 'West Virginia', 60_000, NO_FEE),
  state('WI', 'Wisconsin', 50_000, NO_FEE),
  state('WY', 'Wyoming', 40_000, NO_FEE),
  state('AS', 'American Samoa', 0, NO_FEE),
  state('GU', 'Guam', 0, NO_FEE, 'Gross receipts tax falls on the seller; check'),
  state('MP', 'Northern Mariana Islands', 0, NO_FEE, 'Gross revenue tax falls on the seller; check'),
  state(
    'PR',
    'Puerto Rico',
    105_000,
    NO_FEE,
    'Without the 1 percent of the municipality; a tire import fee is paid apart; check',
  ),
  state('VI', 'U.S. Virgin Islands', 0, NO_FEE, 'Gross receipts tax falls on the seller; check'),
]

function state(
  code: string,
  name: string,
  ratePpm: number,
  tireFee: readonly TireFeeBand[],
  source = `Unverified, check with your state: ${agencyOf(code, name)}`,
  validFrom = TABLE_BEGINS,
): StateRate {
  return { code, name, validFrom, ratePpm, tireFee, source }
}

/** The agency that publishes a state's rates and fees. */
function agencyOf(code: string, name: string): string {
  return AGENCIES[code] ?? `${name} Department of Revenue`
}

function perTire(cents: number): readonly TireFeeBand[] {
  return [{ belowRimInches: null, cents }]
}

function percent(ratePpm: number, capCents: number | null): readonly TireFeeBand[] {
  return [{ belowRimInches: null, ratePpm, capCents }]
}
