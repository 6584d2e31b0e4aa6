/** ACES files for tests. */

/** An application as attributes and elements. `vehicle` defaults to base vehicle 5911. */
export type TestApplication = { action?: 'A' | 'D'; vehicle?: string; part: string; more?: string; quantity?: number }

export type TestFile = { version?: string; header?: Readonly<Record<string, string>>; count?: number; footer?: string }

const header = {
  Company: 'Sunder & Vale',
  SenderName: 'Data desk',
  SenderPhone: '555-0100',
  TransferDate: '2026-10-05',
  BrandAAIAID: 'BBSV',
  DocumentTitle: 'Tires',
  EffectiveDate: '2026-10-05',
  SubmissionType: 'FULL',
  VcdbVersionDate: '2026-09-25',
  QdbVersionDate: '2026-09-25',
  PcdbVersionDate: '2026-09-25',
}

/** The text of an ACES file with these applications. */
export function acesFile(applications: readonly TestApplication[], options: TestFile = {}): string {
  return [
    acesStart(options),
    ...applications.map(acesApplication),
    options.footer ?? acesEnd(options.count ?? applications.length),
  ].join('\n')
}

export function acesStart({ version = '4.2', header: changed = {} }: TestFile = {}): string {
  const elements = Object.entries({ ...header, ...changed }).map(
    ([name, text]) => `<${name}>${text.replaceAll('&', '&amp;')}</${name}>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ACES version="${version}">\n<Header>${elements.join('')}</Header>`
}

export function acesApplication(
  { action = 'A', vehicle = '<BaseVehicle id="5911"/>', part, more = '', quantity = 4 }: TestApplication,
  index: number,
): string {
  return `<App action="${action}" id="${index + 1}">${vehicle}${more}<Qty>${quantity}</Qty><PartType id="7600"/><Part>${part}</Part></App>`
}

export function acesEnd(count: number): string {
  return `<Footer><RecordCount>${count}</RecordCount></Footer>\n</ACES>\n`
}
