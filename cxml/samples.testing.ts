/** Documents as purchasing systems send them. */
export type Sample = {
  payloadId?: string
  domain?: string
  identity?: string
  to?: string
  secret?: string
  mode?: string
}

/** A request in its envelope; `request` is the element inside. */
export function sampleDocument(
  request: string,
  {
    payloadId = 'p-1@buyer.example',
    domain = 'DUNS',
    identity = '080000001',
    to = 'SIDEWALL',
    secret = 'secret',
    mode = 'production',
  }: Sample = {},
): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE cXML SYSTEM "http://xml.cxml.org/schemas/cXML/1.2.063/cXML.dtd">
<cXML payloadID="${payloadId}" timestamp="2026-11-20T12:00:00Z" xml:lang="en-US">
  <Header>
    <From><Credential domain="${domain}"><Identity>${identity}</Identity></Credential></From>
    <To><Credential domain="DUNS"><Identity>${to}</Identity></Credential></To>
    <Sender>
      <Credential domain="${domain}"><Identity>${identity}</Identity><SharedSecret>${secret}</SharedSecret></Credential>
      <UserAgent>Procure 1.0</UserAgent>
    </Sender>
  </Header>
  <Request deploymentMode="${mode}">${request}</Request>
</cXML>`
}

/** A visit from Chicago that returns to the address. */
export function samplePunchout({
  operation = 'create',
  returnUrl = 'https://buyer.example/return',
  items = '',
  customerId = '',
}: { operation?: string; returnUrl?: string; items?: string; customerId?: string } = {}): string {
  return `<PunchOutSetupRequest operation="${operation}">
  <BuyerCookie>cookie-1</BuyerCookie>
  <Extrinsic name="User">dana</Extrinsic>${customerId && `<Extrinsic name="CustomerId">${customerId}</Extrinsic>`}
  <BrowserFormPost><URL>${returnUrl}</URL></BrowserFormPost>
  <ShipTo><Address isoCountryCode="US"><Name xml:lang="en-US">Acme</Name>${sampleAddress}</Address></ShipTo>
  ${items}
</PunchOutSetupRequest>`
}

const sampleAddress = `<PostalAddress><DeliverTo>Dana Reyes</DeliverTo><DeliverTo>Dock 4</DeliverTo><Street>1430 N Halsted St</Street><City>Chicago</City><State isoStateCode="US-IL">IL</State><PostalCode>60614</PostalCode><Country isoCountryCode="US">United States</Country></PostalAddress>`

export type SampleLine = { partId: string; quantity: number; unitCents: number; extrinsics?: string }

/** A line of an order or of a visit. */
export function sampleItem({ partId, quantity, unitCents, extrinsics = '' }: SampleLine, lineNumber: number): string {
  return `<ItemOut quantity="${quantity}" lineNumber="${lineNumber}">
  <ItemID><SupplierPartID>${partId}</SupplierPartID></ItemID>
  <ItemDetail><UnitPrice><Money currency="USD">${(unitCents / 100).toFixed(2)}</Money></UnitPrice><Description xml:lang="en-US">Part</Description><UnitOfMeasure>EA</UnitOfMeasure><Classification domain="UNSPSC">25172504</Classification>${extrinsics}</ItemDetail>
</ItemOut>`
}

/** An order of these lines to Chicago. */
export function sampleOrder(
  lines: readonly SampleLine[],
  {
    orderId = 'PO-1001',
    type = 'new',
    totalCents = lines.reduce((sum, { quantity, unitCents }) => sum + quantity * unitCents, 0),
    taxCents = null,
    extrinsics = '',
    billTo = 'Acme Plumbing AP',
  }: {
    orderId?: string
    type?: string
    totalCents?: number
    taxCents?: number | null
    extrinsics?: string
    billTo?: string
  } = {},
): string {
  const tax =
    taxCents === null
      ? ''
      : `<Tax><Money currency="USD">${(taxCents / 100).toFixed(2)}</Money><Description xml:lang="en-US">Sales tax</Description></Tax>`
  return `<OrderRequest>
  <OrderRequestHeader orderID="${orderId}" orderDate="2026-11-20T12:00:00-06:00" type="${type}">
    <Total><Money currency="USD">${(totalCents / 100).toFixed(2)}</Money></Total>
    <ShipTo><Address isoCountryCode="US"><Name xml:lang="en-US">Acme Plumbing</Name>${sampleAddress}</Address></ShipTo>
    <BillTo><Address isoCountryCode="US"><Name xml:lang="en-US">${billTo}</Name></Address></BillTo>
    ${tax}
    ${extrinsics}
  </OrderRequestHeader>
  ${lines.map((line, index) => sampleItem(line, index + 1)).join('\n')}
</OrderRequest>`
}
