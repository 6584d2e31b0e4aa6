import type { Ledger } from './ledger.ts'
import { refusedParameter } from './refusal.ts'

/**
 * Replaces ids with the objects they refer to, for each requested dotted path: `latest_charge`,
 * `payment_intent.latest_charge`. On a list, paths begin with `data.`. https://docs.stripe.com/api/expanding_objects
 */
export function expanded(ledger: Ledger, object: object, paths: string[] = []): object {
  return paths.reduce((result, path) => expandPath(ledger, result, path.split('.'), path), object)
}

function expandPath(ledger: Ledger, object: object, [field = '', ...rest]: string[], path: string): object {
  const value: unknown = Reflect.get(object, field)
  const named = typeof value === 'string' ? find(ledger, field, value) : value
  if (typeof named !== 'object') {
    throw refusedParameter('expand', 'parameter_invalid', `'${path}' cannot be expanded here.`)
  }
  if (named === null || rest.length === 0) return { ...object, [field]: named }
  const inner = Array.isArray(named)
    ? named.map((item: object) => expandPath(ledger, item, rest, path))
    : expandPath(ledger, named, rest, path)
  return { ...object, [field]: inner }
}

function find(ledger: Ledger, field: string, id: string): object | undefined {
  if (field === 'latest_charge' || field === 'charge') return ledger.charges.get(id)
  if (field === 'payment_intent') return ledger.intents.get(id)?.intent
  if (field === 'payment_method') return ledger.methods.get(id)?.method
  if (field === 'setup_intent') return ledger.setups.get(id)
  if (field === 'source') return ledger.charges.get(id) ?? ledger.refunds.get(id)?.refund ?? ledger.disputes.get(id)
  return undefined
}
