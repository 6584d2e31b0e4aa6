/**
 * `npm run payment-domain`: registers the store's domain (PUBLIC_ORIGIN) with Stripe, or with the sandbox, and has it
 * validated: without it no device offers Apple Pay or Google Pay. Run it after the store is reachable there, and again
 * after the domain changed; repeating it is harmless. Another domain may be named: `npm run payment-domain -- shop.example`.
 */
import { registerPaymentDomain } from '#adapters/payments/stripe-domains.ts'
import { readConfig } from '#platform/config.ts'
import { PlainError } from '#platform/plain-error.ts'
import { print, runCommand } from './command.ts'

await runCommand(async () => {
  // No table is read, so that no database needs to be there.
  const read = readConfig({ DATABASE_URL: 'postgresql://not-asked', ...process.env })
  if (!read.ok)
    throw new PlainError(
      `The settings cannot be used: ${read.faults.map(({ name, problem }) => `${name} (${problem})`).join(', ')}.`,
    )
  const { payments, web } = read.value
  const domain = process.argv[2] ?? new URL(web.origin).hostname
  const registered = await registerPaymentDomain(payments, domain)
  if (!registered.ok) throw new PlainError(`${domain} was not registered: ${registered.message}`)
  for (const { name, isActive, problem } of registered.value)
    print(`${domain}: ${name} ${isActive ? 'is active' : `is not active. ${problem ?? ''}`}`)
})
