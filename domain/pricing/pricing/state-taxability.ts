import type { TaxableKind } from './tax-rule.ts'

/**
 * Taxability by state of charges on a tire order other than the tires. Confirmed entries cite the state's own text; the
 * code lists follow the usual reading of the law and aren't confirmed. Applies to charges that are itemized on the bill
 * and optional for the shopper.
 */
type Confirmed = {
  readonly code: string
  readonly kind: TaxableKind
  readonly taxable: boolean
  readonly source: string
}

const CONFIRMED: readonly Confirmed[] = [
  {
    code: 'CA',
    kind: 'fet',
    taxable: true,
    source: 'California Regulation 1617(b)(1): a tax on the manufacturer is part of the price',
  },
  {
    code: 'CA',
    kind: 'installation',
    taxable: false,
    source: 'California annotation 315.0610: mounting and balancing, where optional',
  },
  {
    code: 'CA',
    kind: 'coverage',
    taxable: false,
    source: 'California annotation 490.0530: optional road hazard warranty',
  },
  {
    code: 'AR',
    kind: 'installation',
    taxable: true,
    source: 'Arkansas rule GR-9: initial installation and repair, tires named',
  },
  { code: 'AR', kind: 'disposal', taxable: true, source: 'Arkansas rule GR-9: collection and disposal of solid waste' },
  { code: 'IA', kind: 'installation', taxable: true, source: 'Iowa Admin. Code 701-218.4(2)' },
  { code: 'IA', kind: 'disposal', taxable: false, source: 'Iowa Admin. Code 701-218.4(3): itemized disposal fees' },
  {
    code: 'KY',
    kind: 'installation',
    taxable: true,
    source: 'Kentucky Department of Revenue, labor charges for installation, since July 2018',
  },
  {
    code: 'MN',
    kind: 'installation',
    taxable: false,
    source: 'Minnesota Revenue, motor vehicle repair: labor stated apart',
  },
  {
    code: 'MN',
    kind: 'disposal',
    taxable: false,
    source: 'Minnesota Revenue, motor vehicle repair: waste disposal fees, tires named',
  },
  { code: 'MN', kind: 'coverage', taxable: false, source: 'Minnesota Revenue: extended warranty contracts' },
  {
    code: 'NC',
    kind: 'coverage',
    taxable: true,
    source: 'North Carolina Department of Revenue notice of February 19, 2016: service contracts',
  },
  { code: 'NJ', kind: 'installation', taxable: true, source: 'N.J. Admin. Code 18:24-7.12' },
  {
    code: 'OH',
    kind: 'installation',
    taxable: true,
    source: 'Ohio Department of Taxation: repair and installation; Ohio Admin. Code 5703-9-37',
  },
  { code: 'TX', kind: 'disposal', taxable: true, source: 'Texas Comptroller letter of 1997' },
  { code: 'VA', kind: 'disposal', taxable: true, source: 'Virginia ruling 94-241' },
  {
    code: 'WA',
    kind: 'coverage',
    taxable: true,
    source: 'Washington Department of Revenue: service contracts and warranties',
  },
  { code: 'FL', kind: 'tire-fee', taxable: true, source: 'Fla. Admin. Code 12A-12.001(1)(e)' },
  { code: 'KY', kind: 'tire-fee', taxable: true, source: 'Kentucky Department of Revenue, motor vehicle tire fee' },
  { code: 'OH', kind: 'tire-fee', taxable: true, source: 'Ohio information release ST 1993-02' },
  { code: 'TN', kind: 'tire-fee', taxable: true, source: 'Tennessee Department of Revenue OTF-13' },
  { code: 'AR', kind: 'tire-fee', taxable: false, source: 'Ark. Code 8-9-404(a)(4): added after the tax' },
  { code: 'AZ', kind: 'tire-fee', taxable: false, source: 'Ariz. Rev. Stat. 44-1302(D)(4)' },
  { code: 'IL', kind: 'tire-fee', taxable: false, source: '415 ILCS 5/55.9' },
  {
    code: 'NJ',
    kind: 'tire-fee',
    taxable: false,
    source: 'New Jersey Division of Taxation, as reported by NJ CAR in 2004',
  },
  {
    code: 'OK',
    kind: 'tire-fee',
    taxable: false,
    source: 'Oklahoma Tax Commission, tire recycling fee, where stated apart',
  },
  { code: 'PA', kind: 'tire-fee', taxable: false, source: '61 Pa. Code 47.19(a)(5)' },
  { code: 'UT', kind: 'tire-fee', taxable: false, source: 'Utah Admin. Code R865-19S-93(2)' },
  { code: 'WA', kind: 'tire-fee', taxable: false, source: 'Washington Department of Revenue, tire fees' },
]

const USUALLY_TAXED: Readonly<Partial<Record<TaxableKind, string>>> = {
  installation: 'CT DC FL HI KS LA MS NM NY NC PA SD TN UT WA WV WI WY',
  shipping: 'AR CT GA HI IN KY MN MS NE NJ NM NY NC ND OH PA RI SC SD TN TX VT WA WV WI',
  disposal: 'HI NM NY SD WV',
  coverage: 'AR CT FL HI IA KS KY MS NE NJ NM NY OH PA SD TN UT WV WI',
  roadside: 'HI NM SD WV',
}

/** Goods, and the manufacturer's excise tax in their price, are taxable in every state with a sales tax. */
const GOODS: readonly TaxableKind[] = ['tire', 'service-kit', 'fet']

/** Returns a state's taxability flags, and the sources of the confirmed ones. All false without a sales tax. */
export function taxabilityOf(
  code: string,
  hasSalesTax: boolean,
): { taxable: Record<TaxableKind, boolean>; sources: Partial<Record<TaxableKind, string>> } {
  const confirmed = CONFIRMED.filter((row) => row.code === code)
  const usual = (kind: TaxableKind) => GOODS.includes(kind) || (USUALLY_TAXED[kind]?.split(' ').includes(code) ?? false)
  const flag = (kind: TaxableKind) =>
    hasSalesTax && (confirmed.find((row) => row.kind === kind)?.taxable ?? usual(kind))
  return {
    taxable: {
      tire: flag('tire'),
      coverage: flag('coverage'),
      installation: flag('installation'),
      'service-kit': flag('service-kit'),
      disposal: flag('disposal'),
      roadside: flag('roadside'),
      shipping: flag('shipping'),
      fet: flag('fet'),
      'tire-fee': flag('tire-fee'),
    },
    sources: Object.fromEntries(confirmed.map(({ kind, source }) => [kind, source])),
  }
}
