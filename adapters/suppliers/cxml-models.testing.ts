/**
 * What the DTDs of cXML 1.2.063 (cXML.dtd, Fulfill.dtd) say of the elements that are used here: their children in order,
 * and the attributes that each must have. http://xml.cxml.org/schemas/cXML/1.2.063/
 */
import type { XmlElement } from '#platform/xml.ts'

/** Children as a regular expression over names that each end with a space; null for text. */
type Model = { children: RegExp | null; required?: string[]; values?: Record<string, string[]> }

/** Spells "A, B?, (C | D)+" as an expression. */
function inOrder(text: string): RegExp {
  return new RegExp(
    `^${text
      .replaceAll(/\s/g, '')
      .replaceAll(/[A-Za-z]+/g, '(?:$& )')
      .replaceAll(',', '')}$`,
  )
}

const text: Model = { children: null }
const party = { children: inOrder('Credential+, Correspondent?') }

const models: Readonly<Record<string, Model>> = {
  cXML: { children: inOrder('(Header, (Message | Request)) | Response'), required: ['payloadID', 'timestamp'] },
  Header: { children: inOrder('From, To, Sender, (Path, OriginalDocument)?') },
  From: party,
  To: party,
  Sender: { children: inOrder('Credential+, UserAgent') },
  Credential: { children: inOrder('Identity, (SharedSecret | DigitalSignature)?'), required: ['domain'] },
  Request: {
    children: inOrder('OrderRequest | ConfirmationRequest | ShipNoticeRequest'),
    values: { deploymentMode: ['production', 'test'] },
  },
  Response: { children: inOrder('Status') },
  Status: { children: null, required: ['code', 'text'] },
  OrderRequest: { children: inOrder('OrderRequestHeader, ItemOut+') },
  OrderRequestHeader: {
    children: inOrder(
      'Total, ShipTo?, BillTo, Shipping?, Tax?, Payment?, PaymentTerm*, Contact*, Comments*, Followup?, ControlKeys?, DocumentReference?, Extrinsic*',
    ),
    required: ['orderID', 'orderDate'],
    values: { type: ['new', 'update', 'delete'], shipComplete: ['yes'] },
  },
  Total: { children: inOrder('Money, Modifications?') },
  Money: { children: null, required: ['currency'] },
  ShipTo: { children: inOrder('Address, CarrierIdentifier*, TransportInformation*, IdReference*') },
  BillTo: { children: inOrder('Address, IdReference*') },
  Address: { children: inOrder('Name, PostalAddress?, Email?, Phone?, Fax?, URL?') },
  Name: { children: null, required: ['xml:lang'] },
  PostalAddress: {
    children: inOrder('DeliverTo*, Street+, City, Municipality?, State?, PostalCode?, Country, Extrinsic*'),
  },
  Country: { children: null, required: ['isoCountryCode'] },
  Phone: { children: inOrder('TelephoneNumber') },
  TelephoneNumber: { children: inOrder('CountryCode, AreaOrCityCode, Number, Extension?') },
  CountryCode: { children: null, required: ['isoCountryCode'] },
  ItemOut: { children: inOrder('ItemID, Path?, ItemDetail?, ShipTo?, Comments*'), required: ['quantity'] },
  ItemID: { children: inOrder('SupplierPartID, SupplierPartAuxiliaryID?, BuyerPartID?, IdReference*') },
  ItemDetail: {
    children: inOrder(
      'UnitPrice, Description+, UnitOfMeasure, PriceBasisQuantity?, Classification+, ManufacturerPartID?, ManufacturerName?, Extrinsic*',
    ),
  },
  UnitPrice: { children: inOrder('Money, Modifications?') },
  Description: { children: null, required: ['xml:lang'] },
  Classification: { children: null, required: ['domain'] },
  ManufacturerPartID: text,
  ManufacturerName: { children: null, required: ['xml:lang'] },
  DocumentReference: { children: inOrder(''), required: ['payloadID'] },
  ConfirmationRequest: { children: inOrder('ConfirmationHeader, OrderReference, ConfirmationItem*') },
  ConfirmationHeader: {
    children: inOrder(
      'DocumentReference?, Total?, Shipping?, Tax?, Contact*, Hazard*, Comments*, IdReference*, Extrinsic*',
    ),
    required: ['type', 'noticeDate'],
    values: { type: ['accept', 'allDetail', 'detail', 'backordered', 'except', 'reject', 'requestToPay', 'replace'] },
  },
  OrderReference: { children: inOrder('DocumentReference') },
  ConfirmationItem: {
    children: inOrder('UnitOfMeasure, Contact*, Hazard*, ConfirmationStatus+'),
    required: ['quantity', 'lineNumber'],
  },
  ConfirmationStatus: {
    children: inOrder('UnitOfMeasure, UnitPrice?, Tax?, Shipping?, Comments*, Extrinsic*'),
    required: ['quantity', 'type'],
    values: { type: ['accept', 'allDetail', 'detail', 'backordered', 'reject', 'unknown', 'requestToPay'] },
  },
  ShipNoticeRequest: { children: inOrder('ShipNoticeHeader, ShipControl*, ShipNoticePortion*') },
  ShipNoticeHeader: { children: inOrder('Contact*, Comments*, Extrinsic*'), required: ['shipmentID', 'noticeDate'] },
  ShipControl: { children: inOrder('CarrierIdentifier+, ShipmentIdentifier+, Route*, Contact*, Comments*') },
  CarrierIdentifier: { children: null, required: ['domain'] },
  ShipmentIdentifier: text,
  ShipNoticePortion: { children: inOrder('OrderReference, Contact*, Comments*, Extrinsic*, ShipNoticeItem*') },
  ShipNoticeItem: { children: inOrder('ItemID?, UnitOfMeasure, Comments*'), required: ['quantity', 'lineNumber'] },
}
for (const name of [
  'Identity',
  'SharedSecret',
  'UserAgent',
  'DeliverTo',
  'Street',
  'City',
  'State',
  'PostalCode',
  'AreaOrCityCode',
  'Number',
  'SupplierPartID',
  'UnitOfMeasure',
  'Comments',
])
  (models as Record<string, Model>)[name] = text

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/
const timed = ['timestamp', 'orderDate', 'noticeDate', 'shipmentDate', 'deliveryDate']

/** What is wrong with a document by the DTDs, as paths with words. */
export function dtdFaults(element: XmlElement, path = element.name): string[] {
  const model = models[element.name]
  if (!model) return [`${path}: unknown`]
  const names = element.children.map(({ name }) => `${name} `).join('')
  const { children, required = [], values = {} } = model
  return [
    ...(children === null && names !== '' ? [`${path}: has elements`] : []),
    ...(children !== null && !children.test(names) ? [`${path}: ${names}`] : []),
    ...(children !== null && element.text.trim() !== '' ? [`${path}: has text`] : []),
    ...required.filter((name) => !element.attributes[name]).map((name) => `${path}: no ${name}`),
    ...Object.entries(values).flatMap(([name, allowed]) => {
      const value = element.attributes[name]
      return value === undefined || allowed.includes(value) ? [] : [`${path}: ${name} is ${value}`]
    }),
    ...timed.flatMap((name) => {
      const value = element.attributes[name]
      return value === undefined || instant.test(value) ? [] : [`${path}: ${name} is ${value}`]
    }),
    ...element.children.flatMap((child) => dtdFaults(child, `${path}/${child.name}`)),
  ]
}
