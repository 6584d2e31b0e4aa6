/** Tests that every configuration secret can be rotated. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { secretList } from '#platform/config-secret.ts'
import { variables } from '#platform/config-variables.ts'

const rows = new Map(
  [
    ...(await readFile('docs/runbooks/secrets.md', 'utf8')).matchAll(
      /^\| `([A-Z0-9_]+)` \| (.+) \| (.+) \| (.+) \|$/gm,
    ),
  ].map(([, name = '', protects = '', holds = '', ends = '']) => [name, { protects, holds, ends }] as const),
)

/** Settings with secret-like names or descriptions that aren't secrets. */
const open: Readonly<Record<string, string>> = {
  STRIPE_PUBLISHABLE_KEY: 'sent to every browser',
  SALES_TAX: 'a choice',
  HOST: 'an address',
  CARRIER: 'a choice',
  OIDC_CHANGE_PASSWORD_URL: 'an address for people',
  ID_ME_CLIENT_ID: 'sent to every browser that goes there',
}

const secrets = Object.entries(variables.shape).flatMap(([name, schema]) => {
  const told = schema.meta()?.description ?? ''
  const isSecret =
    /SECRET|KEY|TOKEN|PASSWORD|CREDENTIAL|^DATABASE_.*URL|^SMTP_URL/.test(name) ||
    /\b(secrets?|keys?|tokens?|passwords?|signs|verifies)\b/i.test(told)
  return isSecret && !(name in open) ? [name] : []
})

test('each secret has a row in the runbook, and each row is a secret', () => {
  expect([...rows.keys()].toSorted()).toEqual(secrets.toSorted())
  for (const row of rows.values()) for (const cell of Object.values(row)) expect(cell.trim()).not.toBe('')
})

test('documentation mentions several secrets exactly for settings that allow them', () => {
  const [one, other] = ['0123456789abcdefghijklmnopqrstuvwxyzABCDEFG', 'GFEDCBAzyxwvutsrqponmlkjihgfedcba9876543210']
  const held = [...rows].map(([name, { holds }]) => [name, holds.startsWith('several')])
  const taken = [...rows.keys()].map((name) => {
    const schema = variables.shape[name as keyof typeof variables.shape]
    const read = schema.safeParse(`${one},${other}`)
    return [name, read.success && Array.isArray(read.data) && read.data.length === 2]
  })
  expect(held).toEqual(taken)
})

test('a list has up to three different secrets, each as long as one has to be', () => {
  const list = secretList(4)
  expect(list.parse('abcd, efgh')).toEqual(['abcd', 'efgh'])
  for (const bad of ['abc', 'abcd,', ',abcd', 'abcd,abcd', 'abcd,efgh,ijkl,mnop'])
    expect({ bad, isTaken: list.safeParse(bad).success }).toEqual({ bad, isTaken: false })
})
