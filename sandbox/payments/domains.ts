/** The domains registered for wallets. Stripe checks with Apple. The sandbox accepts every domain. */
import type Stripe from 'stripe'
import { newId } from '../ids.ts'
import type { Collection } from '../store.ts'
import { unixSeconds, type Ledger } from './ledger.ts'
import * as parameters from './parameters.ts'
import type { Protocol } from './protocol.ts'
import { notFound } from './refusal.ts'

type Domain = Stripe.PaymentMethodDomain

/** A domain is `inactive` until it is validated. */
export function addDomains({ get, post }: Pick<Protocol, 'get' | 'post'>, ledger: Ledger): void {
  const domains: Collection<Domain> = ledger.store.collection('payment-method-domain')
  const known = () => domains.list({ limit: 100 })
  const domainOf = (id: string): Domain => {
    const found = domains.get(id)
    if (!found) throw notFound('payment method domain', id)
    return found
  }

  get('/payment_method_domains', parameters.domainList, ({ domain_name: name, enabled, limit }) => ({
    object: 'list',
    url: '/v1/payment_method_domains',
    has_more: false,
    data: known()
      .filter((one) => name === undefined || one.domain_name === name)
      .filter((one) => enabled === undefined || one.enabled === enabled)
      .slice(0, limit),
  }))
  get('/payment_method_domains/:id', parameters.onlyExpand, (_, id) => domainOf(id))
  post('/payment_method_domains', parameters.domainCreate, ({ domain_name: name, enabled }) => {
    // Stripe has one object for each name.
    const before = known().find((one) => one.domain_name === name)
    return keep(before ?? newDomain(name, ledger.now()), { enabled })
  })
  post('/payment_method_domains/:id', parameters.domainUpdate, ({ enabled }, id) => keep(domainOf(id), { enabled }))
  post('/payment_method_domains/:id/validate', parameters.onlyExpand, (_, id) =>
    keep(domainOf(id), {
      apple_pay: { status: 'active' },
      google_pay: { status: 'active' },
      link: { status: 'active' },
    }),
  )

  function keep(domain: Domain, change: Partial<Domain>): Domain {
    const kept = { ...domain, ...change }
    domains.put(kept.id, kept)
    return kept
  }
}

function newDomain(name: string, now: Temporal.Instant): Domain {
  const waiting = { status: 'inactive' as const }
  return {
    id: newId('pmd_'),
    object: 'payment_method_domain',
    amazon_pay: waiting,
    apple_pay: waiting,
    created: unixSeconds(now),
    domain_name: name,
    enabled: true,
    google_pay: waiting,
    klarna: waiting,
    link: waiting,
    livemode: false,
    paypal: waiting,
  }
}
