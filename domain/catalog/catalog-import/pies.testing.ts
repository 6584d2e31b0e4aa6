/** PIES files for tests. */

/** `more` are further elements of the item. */
export type TestItem = {
  maintenance?: string
  part: string
  gtin?: string
  brand?: string
  pounds?: number
  about?: string
  more?: string
}

export type TestFile = { header?: Readonly<Record<string, string>>; count?: number; trailer?: string }

const header = {
  PIESVersion: '7.2',
  SubmissionType: 'FULL',
  BlanketEffectiveDate: '2026-10-05',
  BrandOwnerAAIAID: 'BBSV',
  CurrencyCode: 'USD',
  LanguageCode: 'EN',
  TechnicalContact: 'Data desk',
  ContactEmail: 'data@example.com',
  PCdbVersionDate: '2026-09-25',
}

/** The text of a PIES file with these items, each on a line from the fifth on. */
export function piesFile(items: readonly TestItem[], options: TestFile = {}): string {
  return [piesStart(options), ...items.map(piesItem), options.trailer ?? piesEnd(options.count ?? items.length)].join(
    '\n',
  )
}

export function piesStart({ header: changed = {} }: TestFile = {}): string {
  const elements = Object.entries({ ...header, ...changed }).map(([name, text]) => `<${name}>${text}</${name}>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<PIES xmlns="http://www.autocare.org">\n<Header>${elements.join('')}</Header>\n<Items>`
}

export function piesItem({ maintenance = 'A', part, gtin, brand, pounds, about, more = '' }: TestItem): string {
  return [
    `<Item MaintenanceType="${maintenance}"><HazardousMaterialCode>N</HazardousMaterialCode>`,
    gtin === undefined ? '' : `<ItemLevelGTIN GTINQualifier="UP">${gtin.padStart(14, '0')}</ItemLevelGTIN>`,
    `<PartNumber>${part}</PartNumber>`,
    brand === undefined ? '' : `<BrandAAIAID>${brand}</BrandAAIAID>`,
    '<PartTerminologyID>7600</PartTerminologyID>',
    about === undefined
      ? ''
      : `<Descriptions><Description MaintenanceType="A" DescriptionCode="MKT" LanguageCode="EN">${about}</Description></Descriptions>`,
    pounds === undefined ? '' : `<Packages>${piesPackage({ pounds })}</Packages>`,
    more,
    '</Item>',
  ].join('')
}

/** A package of `eaches` items. */
export function piesPackage({
  pounds,
  eaches = 1,
  unit = 'PG',
  maintenance = 'A',
}: {
  pounds: number
  eaches?: number
  unit?: string
  maintenance?: string
}): string {
  return `<Package MaintenanceType="${maintenance}"><PackageUOM>EA</PackageUOM><QuantityofEaches>${eaches}</QuantityofEaches><Dimensions UOM="IN"><ShippingHeight>27.5</ShippingHeight><ShippingWidth>9</ShippingWidth><ShippingLength>27.5</ShippingLength></Dimensions><Weights UOM="${unit}"><Weight>${pounds}</Weight></Weights></Package>`
}

export function piesEnd(count: number): string {
  return `</Items>\n<Trailer><ItemCount>${count}</ItemCount><TransactionDate>2026-10-05</TransactionDate></Trailer>\n</PIES>\n`
}
