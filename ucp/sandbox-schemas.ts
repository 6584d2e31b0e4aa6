/** The demo's schemas for the sandbox's card, and for a person's acceptance at the sandbox's platform. */
import { extensionSchemaPath, extensionVersion } from '#ucp/profile.ts'

const acceptance = {
  type: 'object',
  description: 'What the person accepted. Only the platform of a demo’s sandbox may say so, in a signed request.',
  required: ['terms_of_sale', 'total'],
  properties: {
    terms_of_sale: { type: 'boolean' },
    fit_conditions: { type: 'array', items: { type: 'string' }, description: 'The id of each condition.' },
    total: { type: 'integer', minimum: 0, description: 'The total that the person was shown, in cents.' },
  },
}

export function sandboxAcceptance(): [object, object] {
  const defs = {
    acceptance,
    'dev.ucp.shopping.checkout': {
      allOf: [
        { $ref: 'https://ucp.dev/schemas/shopping/checkout.json' },
        { type: 'object', properties: { sandbox_acceptance: { $ref: '#/$defs/acceptance', ucp_response: 'omit' } } },
      ],
    },
  }
  return [{ title: 'Sandbox acceptance', description: 'Passes on what a person accepted, only in a demo.' }, defs]
}

/** Returns the schema for the sandbox's card. It accepts a test card by name and never a number. */
export function sandboxCardSchema(origin: string): object {
  const credential = {
    type: 'object',
    required: ['type', 'token'],
    properties: {
      type: { const: 'sandbox_token' },
      token: { type: 'string', pattern: '^pm_card_[A-Za-z_]+$', examples: ['pm_card_visa'], ucp_response: 'omit' },
    },
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: origin + extensionSchemaPath('sandbox_card'),
    title: 'Sandbox card',
    version: extensionVersion,
    allOf: [
      { $ref: 'https://ucp.dev/schemas/shopping/types/payment_instrument.json' },
      { type: 'object', properties: { type: { const: 'card' }, credential } },
    ],
  }
}
