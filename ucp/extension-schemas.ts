/** The schemas of the store's extensions, published so that platforms can compose them. */
import { extensionSchemaPath, extensionVersion, type ExtensionName } from '#ucp/profile.ts'
import { sandboxAcceptance } from '#ucp/sandbox-schemas.ts'

const reason = {
  type: 'object',
  required: ['code', 'text'],
  properties: {
    code: { type: 'string', description: 'The rule, for programs.' },
    text: { type: 'string', description: 'Human-readable message.' },
  },
}
const verdict = {
  type: 'string',
  description: 'fits, fits_with_conditions, unknown or does_not_fit. Treat any other value as unknown.',
}
const axle = {
  type: 'object',
  required: ['axle', 'verdict'],
  properties: {
    axle: { type: 'string', description: 'front or rear' },
    item_id: { type: 'string', description: 'The item for this position.' },
    verdict: { $ref: '#/$defs/verdict' },
    reasons: { type: 'array', items: { $ref: '#/$defs/reason' } },
  },
}
const condition = {
  type: 'object',
  required: ['id', 'text'],
  properties: { id: { type: 'string' }, text: { type: 'string' } },
}
const input = {
  vehicle: {
    type: 'object',
    description: 'By id from an earlier answer, or by year, make and model.',
    properties: {
      id: { type: 'string' },
      year: { type: 'integer' },
      make: { type: 'string' },
      model: { type: 'string' },
      trim: { type: 'string' },
      name: { type: 'string', ucp_request: 'omit' },
    },
  },
  size: {
    type: 'object',
    properties: { front: { type: 'string' }, rear: { type: 'string' } },
  },
}
const output = {
  verdict: { $ref: '#/$defs/verdict', ucp_request: 'omit' },
  text: { type: 'string', ucp_request: 'omit' },
  axles: { type: 'array', items: { $ref: '#/$defs/axle' }, ucp_request: 'omit' },
  reasons: {
    type: 'array',
    description: 'Problem with the set of tires.',
    items: { $ref: '#/$defs/reason' },
    ucp_request: 'omit',
  },
  conditions: {
    type: 'array',
    description: 'What the fit depends on. A person accepts it in our checkout; an agent cannot.',
    items: { $ref: '#/$defs/condition' },
    ucp_request: 'omit',
  },
  sets: {
    type: 'array',
    description: 'Fitment result for each set in the cart.',
    items: {
      type: 'object',
      properties: {
        item_ids: { type: 'array', items: { type: 'string' } },
        verdict: { $ref: '#/$defs/verdict' },
        text: { type: 'string' },
        axles: { type: 'array', items: { $ref: '#/$defs/axle' } },
        reasons: { type: 'array', items: { $ref: '#/$defs/reason' } },
        conditions: { type: 'array', items: { $ref: '#/$defs/condition' } },
      },
    },
    ucp_request: 'omit',
  },
  data_version: { type: 'string', description: 'The rule book.', ucp_request: 'omit' },
}

const ucp = 'https://ucp.dev/schemas/shopping/'
const withFitment = { type: 'object', properties: { fitment: { $ref: '#/$defs/fitment' } } }
const lines = {
  type: 'object',
  properties: {
    line_items: {
      type: 'array',
      items: { type: 'object', properties: { axle: { type: 'string', description: 'all, front or rear' } } },
    },
  },
}
const onProducts = {
  type: 'object',
  properties: {
    products: {
      type: 'array',
      items: { type: 'object', properties: { variants: { type: 'array', items: withFitment } } },
    },
  },
}

/** `name` is the extension's full name, which follows from the store's domain. */
export function extensionSchema(extension: ExtensionName, name: string, origin: string): object {
  const [about, defs] = { fitment, appointment, sandbox_acceptance: sandboxAcceptance }[extension]()
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: origin + extensionSchemaPath(extension),
    name,
    version: extensionVersion,
    ...about,
    requires: { protocol: { min: '2026-04-08' } },
    $defs: defs,
  }
}

function fitment(): [object, object] {
  const defs = {
    verdict,
    reason,
    axle,
    condition,
    fitment: { type: 'object', properties: { ...input, ...output } },
    'dev.ucp.shopping.catalog.search': {
      $defs: {
        search_request: { allOf: [{ $ref: `${ucp}catalog_search.json#/$defs/search_request` }, withFitment] },
        search_response: { allOf: [{ $ref: `${ucp}catalog_search.json#/$defs/search_response` }, onProducts] },
      },
    },
    'dev.ucp.shopping.catalog.lookup': {
      $defs: {
        lookup_request: { allOf: [{ $ref: `${ucp}catalog_lookup.json#/$defs/lookup_request` }, withFitment] },
        lookup_response: { allOf: [{ $ref: `${ucp}catalog_lookup.json#/$defs/lookup_response` }, onProducts] },
      },
    },
    'dev.ucp.shopping.cart': { allOf: [{ $ref: `${ucp}cart.json` }, withFitment, lines] },
    'dev.ucp.shopping.checkout': { allOf: [{ $ref: `${ucp}checkout.json` }, withFitment, lines] },
  }
  return [
    { title: 'Fitment', description: 'Whether tires fit a vehicle, with the reasons and what the fit depends on.' },
    defs,
  ]
}

const time = { type: 'string', format: 'date-time' }
const slot = {
  type: 'object',
  required: ['id', 'start', 'end', 'timezone', 'kind'],
  properties: {
    id: { type: 'string' },
    start: time,
    end: time,
    timezone: { type: 'string', description: 'IANA time zone of the shop.' },
    kind: { type: 'string', description: 'wait, drop-off or mobile' },
  },
}
const hold = {
  type: 'object',
  required: ['id', 'expires_at', 'extensions_left'],
  properties: {
    id: { type: 'string', description: 'The option that is held.' },
    expires_at: time,
    extensions_left: { type: 'integer', minimum: 0 },
  },
}
const appointmentOfCheckout = {
  type: 'object',
  properties: {
    from: { ...time, description: 'Only times from here on are listed.' },
    to: { ...time, description: 'Only times before.' },
    release: { type: 'boolean', description: 'true gives the held time back.' },
    slot: { $ref: '#/$defs/slot', ucp_request: 'omit' },
    hold: { $ref: '#/$defs/hold', ucp_request: 'omit' },
    shop: { type: 'string', ucp_request: 'omit' },
    status: { type: 'string', ucp_request: 'omit' },
  },
}
const listOf = (properties: object) => ({ type: 'array', items: { type: 'object', properties } })
const withAppointment = { type: 'object', properties: { appointment: { $ref: '#/$defs/appointment' } } }
const onOptions = {
  type: 'object',
  properties: {
    fulfillment: {
      type: 'object',
      properties: {
        methods: listOf({ groups: listOf({ options: listOf({ slot: { $ref: '#/$defs/slot' } }) }) }),
      },
    },
  },
}

function appointment(): [object, object] {
  const defs = {
    slot,
    hold,
    appointment: appointmentOfCheckout,
    'dev.ucp.shopping.checkout': { allOf: [{ $ref: `${ucp}checkout.json` }, withAppointment, onOptions] },
    'dev.ucp.shopping.order': { allOf: [{ $ref: `${ucp}order.json` }, withAppointment] },
  }
  return [
    {
      title: 'Appointment',
      description:
        'Appointment times at a shop or at home, listed as fulfillment options. Select one to hold it, or another to change it.',
    },
    defs,
  ]
}
